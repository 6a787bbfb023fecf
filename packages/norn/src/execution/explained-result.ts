/** The result of an execution, with the trace and the origins that explain it. */
import type { ExecutionResult } from '../contract/execution.ts'
import type { Simulated } from '../property/current.ts'
import type { ExecutionReport } from '../world/execution.ts'

export interface ExplainedResult extends ExecutionResult {
  readonly report: ExecutionReport
  /** The simulated cluster, if the body ran one. */
  readonly simulated?: Simulated
}
