/** The exit status of a command, as elsewhere in norn. */
export const STATUS = {
  /** The history is legal. */
  passed: 0,
  /** It is not. */
  failed: 1,
  /** The call or the history is wrong. */
  usage: 2,
  /** Unknown: a bound was reached. */
  undecided: 3,
} as const

export type ExitStatus = (typeof STATUS)[keyof typeof STATUS]

/** The call is wrong: reported in one line, without a stack. */
export class UsageError extends Error {}
