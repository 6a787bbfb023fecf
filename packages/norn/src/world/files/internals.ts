/**
 * The parts of Node's inside that the owned files replace, typed no further than they are used.
 */
import { internalBinding } from '../../loader/internals.ts'

// biome-ignore lint/suspicious/noExplicitAny: native functions take what Node's own JavaScript gives them
export type Native = (...args: any[]) => any

export interface NativeClass {
  // biome-ignore lint/suspicious/noExplicitAny: as above
  new (...args: any[]): any
  prototype: Record<string, unknown>
}

/** `FSReqCallback`: the request of one operation that ends in a callback. */
export interface Request {
  oncomplete(...args: unknown[]): void
}

export type FilesBinding = Record<string, Native> & {
  readonly FSReqCallback: new () => Request
  readonly kUsePromises: symbol
  readonly statValues: Float64Array
  readonly bigintStatValues: BigInt64Array
  readonly statFsValues: Float64Array
  readonly bigintStatFsValues: BigInt64Array
}

export interface Internals {
  readonly files: FilesBinding
  readonly directories: Record<string, Native>
  readonly events: { readonly FSEvent: NativeClass }
}

/** Throws `InternalsHidden` in a process that was started without `--expose-internals`. */
export function openInternals(): Internals {
  return {
    files: internalBinding<FilesBinding>('fs'),
    directories: internalBinding<Record<string, Native>>('fs_dir'),
    events: internalBinding<{ FSEvent: NativeClass }>('fs_event_wrap'),
  }
}
