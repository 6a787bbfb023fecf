/**
 * The parts of Node's inside that the adapter replaces, typed no further than they are used.
 *
 * Needs `--expose-internals`; whoever runs without it is told so.
 */
import { createRequire } from 'node:module'

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
  readonly internalBinding: (name: string) => unknown
  readonly primordials: unknown
  readonly require: (id: string) => unknown
}

export function openInternals(): Internals {
  const require = createRequire(import.meta.url)
  let test: { internalBinding(name: string): unknown; primordials: unknown }
  try {
    test = require('internal/test/binding')
  } catch (cause) {
    throw new Error('norn owns the inside of Node: start it with --expose-internals', { cause })
  }
  return {
    files: test.internalBinding('fs') as FilesBinding,
    directories: test.internalBinding('fs_dir') as Record<string, Native>,
    events: test.internalBinding('fs_event_wrap') as { FSEvent: NativeClass },
    internalBinding: test.internalBinding,
    primordials: test.primordials,
    require,
  }
}
