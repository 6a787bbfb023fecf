/**
 * Intercepts the asynchronous functions of `WebAssembly`: norn compiles at once, and the promise
 * settles after a drawn latency, when platform threads would be done.
 *
 * Follows V8's src/wasm/wasm-js.cc: bytes are copied at the call; `instantiate` of a compiled
 * module needs no thread and stays V8's. A module comes back to the main thread twice, before and
 * after it is compiled; what is invalid, or was compiled before, once (module-compiler.cc,
 * wasm-engine.cc: the cache of native modules). The streaming forms follow lib/internal/wasm_web_api.js.
 * Errors are V8's, under the name of the called function.
 */

import { requireInternal } from '../../loader/internals.ts'
import type { Interceptor } from '../loop/interceptor.ts'
import { type Activity, define } from '../realm/replace.ts'
import type { Platform } from './platform.ts'

export interface WebAssemblyHost extends Activity {
  readonly platform: Platform
}

interface Compiler {
  Module: new (bytes: unknown) => object
  Instance: new (module: object, imports: unknown) => object
  CompileError: Function
  instantiate(module: object, imports?: unknown): Promise<object>
}

export const webAssembly: Interceptor<WebAssemblyHost> = {
  name: 'WebAssembly',
  builtins: {
    globals: {
      controlled:
        'WebAssembly.compile WebAssembly.instantiate WebAssembly.compileStreaming WebAssembly.instantiateStreaming',
    },
  },
  install: (host) => ({ leave: interceptWebAssembly(host) }),
}

/** Returns a function that forgets what was compiled. */
function interceptWebAssembly(host: WebAssemblyHost): () => void {
  const { platform } = host
  // biome-ignore lint/suspicious/noExplicitAny: the types of WebAssembly come with the DOM
  const wasm = (globalThis as any).WebAssembly as Compiler & Record<string, Function>
  const { Module, instantiate } = wasm
  let compiled: Buffer[] = []

  const compile = (name: string, bytes: unknown): Promise<object> => {
    let module: object | undefined
    let failure: unknown
    try {
      module = new Module(bytes)
    } catch (error) {
      failure = renamed(error as Error, name)
    }
    const isNew = module !== undefined && !compiled.some((each) => each.equals(viewOf(bytes as Bytes)))
    if (isNew) compiled.push(Buffer.from(viewOf(bytes as Bytes)))
    return new Promise((resolve, reject) => {
      const settle = () => (module === undefined ? reject(failure) : resolve(module))
      platform.work('compile', '', settle, isNew ? 2 : 1)
    })
  }
  const both = async (module: object, imports: unknown) => ({ module, instance: await instantiate(module, imports) })

  // V8 reports wrong arguments, and no bytes, itself and at once.
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
  return () => {
    if (compiled.length > 0) compiled = []
  }
}

type Bytes = ArrayBufferLike | ArrayBufferView

function viewOf(bytes: Bytes): Buffer {
  return ArrayBuffer.isView(bytes) ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) : Buffer.from(bytes)
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

function isBytes(source: unknown): source is Bytes {
  const isSource = ArrayBuffer.isView(source) || source instanceof ArrayBuffer || source instanceof SharedArrayBuffer
  return isSource && source.byteLength > 0
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
