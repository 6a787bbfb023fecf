/**
 * Between the files and the world: what the world decides (when), and what the files do (what).
 */
import type { Fault, Possible } from '../faults.ts'
import type { PoolOperation } from '../pool.ts'
import type { Control } from '../replace.ts'

export interface FilesHost extends Control {
  submit(operation: PoolOperation): void
  /** A synchronous operation is about to be performed: the clock advances, the trace notes it. */
  performed(kind: string, resource: string): void
  /** Whether the operation that is performed now may meet a fault; if not, none is asked for. */
  faulty(): boolean
  /** Whether any call of this execution may meet a fault. */
  faultsAllowed(): boolean
  /** What a system call of that operation meets. */
  fault(call: string, possible: Possible): Fault | undefined
  /** The time that the files of the disk were last touched: before any execution, in milliseconds since the epoch. */
  readonly baseTimeMs: number
  /** Milliseconds since the epoch, with fractions. */
  now(): number
  /** Six characters for a temporary name. */
  random6(): string
  output(fd: number, bytes: Uint8Array): void
  /** The working directory, absolute. */
  cwd(): string
}
