/** The internals of Node that the files replace, typed as far as they are used. */
import { hostRequire, internalBinding, requireInternal, sourceOfInternal } from '../../loader/internals.ts'

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

/** Throws `InternalsHidden` in a process started without `--expose-internals`. */
export function openInternals(): Internals {
  return {
    files: internalBinding<FilesBinding>('fs'),
    directories: internalBinding<Record<string, Native>>('fs_dir'),
    events: internalBinding<{ FSEvent: NativeClass }>('fs_event_wrap'),
  }
}

const READ_CONTEXT = 'internal/fs/read/context'

interface ContextClass {
  readonly prototype: object
}

/**
 * Makes the steps of `fs.readFile` call the intercepted binding.
 *
 * `internal/fs/read/context` takes `read` and `close` out of the binding when it is first loaded,
 * at the first `fs.readFile` of the process: under a test runner, before norn starts. Its class
 * gets methods evaluated anew.
 */
export function renewReadContext(): void {
  const loaded = requireInternal<ContextClass>(READ_CONTEXT)
  const { primordials } = requireInternal('internal/test/binding')
  const source = sourceOfInternal(READ_CONTEXT)
  if (source === undefined) throw new Error(`this Node has no ${READ_CONTEXT}: fs.readFile would not be controlled`)
  const module = { exports: {} as ContextClass }
  const evaluate = new Function('exports', 'require', 'module', 'process', 'internalBinding', 'primordials', source)
  evaluate(module.exports, hostRequire, module, process, internalBinding, primordials)
  const { constructor: _, ...methods } = Object.getOwnPropertyDescriptors(module.exports.prototype)
  Object.defineProperties(loaded.prototype, methods)
}
