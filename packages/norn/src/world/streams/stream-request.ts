import type { Step } from '../loop/causality.ts'
import type { CallbackContext } from '../realm/callback-scope.ts'

/** A request of Node's: `TCPConnectWrap`, `WriteWrap`, `ShutdownWrap`. */
export interface Request {
  oncomplete?(status: number, ...rest: unknown[]): void
}

/** A request that has yet to call back. */
export interface Waiting {
  readonly request: Request
  readonly context: CallbackContext
  readonly step: Step
}
