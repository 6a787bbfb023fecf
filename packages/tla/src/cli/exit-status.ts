/** What a command exits with. */
export const STATUS = {
  /** Nothing was found. */
  passed: 0,
  /** A failure was found. */
  failed: 1,
  /** The call or its input is wrong. */
  usage: 2,
  /** Nothing was decided: a bound was reached, for example. */
  undecided: 3,
} as const

export type ExitStatus = (typeof STATUS)[keyof typeof STATUS]

/** The call is wrong: reported in one line, without a stack. */
export class UsageError extends Error {}
