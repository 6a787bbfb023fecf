/**
 * Intercepts the asynchronous functions of `WebAssembly`: norn compiles at once, and the promise
 * settles after a drawn latency, when platform threads would be done.
 *
 * Follows V8's src/wasm/wasm-js.cc: bytes are copied at the call; `instantiate` of a compiled
 * module needs no thread and stays V8's. The streaming forms follow lib/internal/wasm_web_api.js.
 * Errors are V8's, under the name of the called function.
 */
import { requireInternal } from '../../loader/internals.ts'
import { type Activity, define } from '../replace.ts'
import type { Platform } from './platform.ts'

interface Compiler {
  Module: new (bytes: unknown) => object
  Instance: new (module: object, imports: unknown) => object
  CompileError: Function
  instantiate(module: object, imports?: unknown): Promise<object>
}

export function interceptWebAssembly(host: Activity, platform: Platform): void {
  // biome-ignore lint/suspicious/noExplicitAny: the types of WebAssembly come with the DOM
  const wasm = (globalThis as any).WebAssembly as Compiler & Record<string, Function>
  const { Module, instantiate } = wasm

  const compile = (name: string, bytes: unknown): Promise<object> => {
    let module: object | undefined
    let failure: unknown
    try {
      module = new Module(bytes)
    } catch (error) {
      failure = renamed(error as Error, name)
    }
    return new Promise((resolve, reject) => {
      platform.work('compile', '', () => (module === undefined ? reject(failure) : resolve(module)))
    })
  }
  const both = async (module: object, imports: unknown) => ({ module, instance: await instantiate(module, imports) })

  // V8 reports wrong arguments itself, at once.
  intercept(host, wasm, 'compile', (real, bytes) => (isBytes(bytes) ? compile('compile', bytes) : real()))
  intercept(host, wasm, 'instantiate', (real, source, imports) => {
    if (!isBytes(source) || !isImports(imports)) return real()
    return compile('instantiate', source).then((module) => both(module, imports))
  })
  intercept(host, wasm, 'compileStreaming', async (_, source) => compile('compileStreaming', await bytesOf(source)))
  intercept(host, wasm, 'instantiateStreaming', async (real, source, imports) => {
    if (!isImports(imports)) return real()
    return both(await compile('instantiateStreaming', await bytesOf(source)), imports)
  })
}

type Mine = (real: () => unknown, ...args: unknown[]) => unknown

function intercept(host: Activity, wasm: Record<string, Function>, name: string, mine: Mine): void {
  const real = wasm[name]
  if (real === undefined) return
  define(wasm, name, function (this: unknown, ...args: unknown[]) {
    const natively = () => Reflect.apply(real, this, args)
    return host.active() ? mine(natively, ...args) : natively()
  })
}

function isBytes(source: unknown): source is ArrayBufferLike | ArrayBufferView {
  return ArrayBuffer.isView(source) || source instanceof ArrayBuffer || source instanceof SharedArrayBuffer
}

function isImports(imports: unknown): boolean {
  return imports === undefined || (typeof imports === 'object' && imports !== null) || typeof imports === 'function'
}

/** Renames the function in an error of `new WebAssembly.Module`. */
function renamed(error: Error, name: string): Error {
  error.message = error.message.replace('WebAssembly.Module()', `WebAssembly.${name}()`)
  return error
}

/** The bytes of a response; follows `wasmStreamingSet` in lib/internal/wasm_web_api.js. */
async function bytesOf(source: unknown): Promise<ArrayBuffer> {
  const { codes } = requireInternal<{ codes: Record<string, new (...args: unknown[]) => Error> }>('internal/errors')
  const response = await source
  if (!(response instanceof Response)) {
    throw new codes.ERR_INVALID_ARG_TYPE!('source', ['Response', 'Promise resolving to Response'], response)
  }
  const type = response.headers.get('Content-Type')
  const wrong = (what: string) => new codes.ERR_WEBASSEMBLY_RESPONSE!(what)
  if (type !== 'application/wasm') throw wrong(`has unsupported MIME type '${type}'`)
  if (!response.ok) throw wrong(`has status code ${response.status}`)
  if (response.bodyUsed) throw wrong('body has already been used')
  return response.arrayBuffer()
}
