import type { AsyncResource } from 'node:async_hooks'
import type { Step } from '../loop/causality.ts'

/** A request of Node's: `TCPConnectWrap`, `WriteWrap`, `ShutdownWrap`. */
export interface Request {
  oncomplete?(status: number, ...rest: unknown[]): void
}

/** A request that has yet to call back. */
export interface Waiting {
  readonly request: Request
  readonly resource: AsyncResource
  readonly step: Step
}
