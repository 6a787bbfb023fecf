/** The exit status of a command. */
export const STATUS = {
  /** No failure was found. */
  passed: 0,
  /** A failure was found. */
  failed: 1,
  /** The call or its input is wrong. */
  usage: 2,
  /** Inconclusive: a bound was reached, control was lost, a failure was flaky, or nothing ran. */
  undecided: 3,
} as const

export type ExitStatus = (typeof STATUS)[keyof typeof STATUS]

/** The call is wrong: reported in one line, without a stack. */
export class UsageError extends Error {}
