/**
 * What the files ask of the world: the world decides when operations happen, the files what they
 * do.
 */
import type { Causality, Step } from '../loop/causality.ts'
import type { Fault, Possible } from '../loop/faults.ts'
import type { Descriptors } from '../loop/poll-descriptors.ts'
import type { PoolOperation } from '../loop/pool.ts'
import type { Control } from '../realm/replace.ts'
import type { Announced } from './inotify.ts'

export interface FilesHost extends Control {
  submit(operation: PoolOperation): void
  /** Announces the event of a change, for a watcher. */
  announceChange(kind: string, resource: string): Announced
  /** Announces a callback in the poll phase that no change causes. */
  announce(kind: string, resource: string): { readonly step: Step }
  readonly descriptors: Descriptors
  readonly causality: Causality
  /** Virtual time, in microseconds. */
  nowUs(): number
  /** Called before a synchronous operation: the clock advances, the trace records it. */
  performed(kind: string, resource: string): void
  /** Called when a file or a directory opens. */
  opened(opened: object): void
  /** Whether the operation taking effect now may meet a fault. */
  faulty(): boolean
  /** Whether any call of this execution may meet a fault. */
  faultsAllowed(): boolean
  /** Draws the fault of a system call of that operation. */
  fault(call: string, possible: Possible): Fault | undefined
  /** The time of all files on the disk: before any execution, in milliseconds since the epoch. */
  readonly baseTimeMs: number
  /** A stamp of the present time (stamps.ts). */
  now(): number
  /** A stamp, or milliseconds since the epoch, as the latter. */
  msOf(time: number): number
  /** Six characters for a temporary name. */
  random6(): string
  output(fd: number, bytes: Uint8Array): void
  /** The working directory, absolute. */
  cwd(): string
  umask(): number
}
