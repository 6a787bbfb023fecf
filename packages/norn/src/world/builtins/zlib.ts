/**
 * Intercepts the asynchronous half of `node:zlib`: a write to a compression handle becomes a pool
 * operation that runs synchronously when it takes effect.
 *
 * Follows src/node_zlib.cc: `init` gets the callback for finished writes; `write` compresses on the
 * pool, then calls it, or `onerror` for bad data; a handle closed while writing closes afterwards.
 */

import { internalBinding } from '../../loader/internals.ts'
import type { Interceptor } from '../loop/interceptor.ts'
import type { PoolOperation } from '../loop/pool.ts'
import { type CallbackContext, contextOf, inContext, withoutHooks } from '../realm/callback-scope.ts'
import type { Activity } from '../realm/replace.ts'

export interface ZlibHost extends Activity {
  submit(operation: PoolOperation): void
}

interface Handle {
  onerror?: (...args: unknown[]) => void
  writeSync(...args: unknown[]): void
}

type Method = (this: Handle, ...args: unknown[]) => unknown

interface HandleState {
  /** Like the native handle, it calls back in its creation context. */
  readonly context: CallbackContext
  onWritten: (this: Handle) => void
  writing: boolean
  closeWanted: boolean
}

const CLASSES = ['Zlib', 'BrotliEncoder', 'BrotliDecoder', 'ZstdCompress', 'ZstdDecompress']

export const zlib: Interceptor<ZlibHost> = {
  name: 'node:zlib',
  builtins: {
    zlib: {
      controlled:
        'Deflate Inflate Gzip Gunzip DeflateRaw InflateRaw Unzip BrotliCompress BrotliDecompress ZstdCompress ' +
        'ZstdDecompress deflate deflateSync gzip gzipSync deflateRaw deflateRawSync unzip unzipSync inflate inflateSync ' +
        'gunzip gunzipSync inflateRaw inflateRawSync brotliCompress brotliCompressSync brotliDecompress ' +
        'brotliDecompressSync zstdCompress zstdCompressSync zstdDecompress zstdDecompressSync createDeflate createInflate ' +
        'createDeflateRaw createInflateRaw createGzip createGunzip createUnzip createBrotliCompress createBrotliDecompress ' +
        'createZstdCompress createZstdDecompress',
      uncontrolled: 'ZipFile createZipArchive zipFiles',
      plain: 'crc32 ZipEntry ZipBuffer createZipArchiveSync getMaxZipContentSize setMaxZipContentSize',
    },
  },
  install: interceptZlib,
}

function interceptZlib(host: ZlibHost): void {
  const binding = internalBinding('zlib')
  for (const name of CLASSES) {
    const prototype = binding[name]?.prototype as Record<'init' | 'write' | 'close', Method> | undefined
    if (prototype !== undefined) interceptHandle(name, prototype, host)
  }
}

function interceptHandle(name: string, prototype: Record<'init' | 'write' | 'close', Method>, host: ZlibHost): void {
  const states = new WeakMap<Handle, HandleState>()
  const { init, write, close } = prototype
  prototype.init = function (...args) {
    const onWritten = args.find((arg) => typeof arg === 'function') as HandleState['onWritten'] | undefined
    if (onWritten !== undefined) {
      states.set(this, { context: contextOf(this), onWritten, writing: false, closeWanted: false })
    }
    return init.apply(this, args)
  }
  prototype.write = function (...args) {
    const state = states.get(this)
    if (!host.active() || state === undefined) return write.apply(this, args)
    state.writing = true
    host.submit({
      kind: name === 'Zlib' ? 'zlib' : name,
      resource: '',
      effect: () => writeNow(this, args),
      complete: (_, failure) => {
        state.writing = false
        if (failure === undefined) inContext(state.context, () => Reflect.apply(state.onWritten, this, []))
        else inContext(state.context, () => this.onerror?.(...(failure as unknown[])))
        if (state.closeWanted) close.call(this)
      },
    })
    return undefined
  }
  prototype.close = function (...args) {
    const state = states.get(this)
    if (state === undefined || !state.writing) return close.apply(this, args)
    state.closeWanted = true
    return undefined
  }
}

/** Performs a write; returns the arguments for `onerror`, or undefined. */
function writeNow(handle: Handle, args: unknown[]): unknown[] | undefined {
  let failure: unknown[] | undefined
  const { onerror } = handle
  handle.onerror = (...details) => {
    failure = details
  }
  try {
    // Native code would call back in a scope of its own.
    withoutHooks(() => handle.writeSync(...args))
  } finally {
    handle.onerror = onerror
  }
  return failure
}
