/** What the command ends with; see the README. */
export const STATUS = {
  /** Nothing was found. */
  passed: 0,
  /** A failure was found. */
  failed: 1,
  /** The call or its input is wrong. */
  usage: 2,
  /** Undecided or void: control was lost, a failure was flaky, nothing ran. */
  undecided: 3,
} as const

export type ExitStatus = (typeof STATUS)[keyof typeof STATUS]

/** The status of several parts: a failure outweighs a wrong call, that an undecided part, that a pass. */
export function worst(statuses: readonly ExitStatus[]): ExitStatus {
  for (const status of [STATUS.failed, STATUS.usage, STATUS.undecided]) if (statuses.includes(status)) return status
  return STATUS.passed
}

/** The call is wrong: said in one line, without a stack. */
export class UsageError extends Error {}

/** The call is right, but nothing can be decided: said in a few lines, without a stack. */
export class UndecidedError extends Error {}
