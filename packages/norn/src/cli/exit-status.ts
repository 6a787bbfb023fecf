/** The exit status of the command. */
export { UndecidedError, UsageError } from '../session/errors.ts'

export const STATUS = {
  /** Nothing was found. */
  passed: 0,
  /** A failure was found. */
  failed: 1,
  /** The call or its input is wrong. */
  usage: 2,
  /** Inconclusive: control was lost, a failure was flaky, or nothing ran. */
  undecided: 3,
} as const

export type ExitStatus = (typeof STATUS)[keyof typeof STATUS]

/** The status of several parts: a failure outweighs a wrong call, which outweighs an inconclusive part. */
export function worst(statuses: readonly ExitStatus[]): ExitStatus {
  for (const status of [STATUS.failed, STATUS.usage, STATUS.undecided]) if (statuses.includes(status)) return status
  return STATUS.passed
}
