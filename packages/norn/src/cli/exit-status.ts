/** The exit status of the command. */
import { type ExitStatus, STATUS } from '#shared/cli/exit-status'

export { type ExitStatus, STATUS } from '#shared/cli/exit-status'
export { UndecidedError, UsageError } from '../session/errors.ts'

/** The status of several parts: a failure outweighs a wrong call, which outweighs an inconclusive part. */
export function worst(statuses: readonly ExitStatus[]): ExitStatus {
  for (const status of [STATUS.failed, STATUS.usage, STATUS.undecided]) if (statuses.includes(status)) return status
  return STATUS.passed
}
