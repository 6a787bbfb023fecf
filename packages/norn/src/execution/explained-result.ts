/** The result of an execution with what explains it to a person. */
import type { ExecutionResult } from '../contract/execution.ts'
import type { Simulated } from '../property/current.ts'
import type { ExecutionReport } from '../world/execution.ts'

export interface ExplainedResult extends ExecutionResult {
  readonly report: ExecutionReport
  /** What the body simulated, if it did. */
  readonly simulated?: Simulated
}
