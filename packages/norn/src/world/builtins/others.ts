/**
 * Builtins of which norn replaces nothing: they need no control, or what they are made of has it.
 */

import type { Interceptor } from '../loop/interceptor.ts'
import type { Builtin } from '../realm/builtin.ts'

const PLAIN: Builtin = { is: 'plain' }

const UTIL: Builtin = {
  is: 'plain',
  note: '`promisify`, `aborted`, `debounce` and `throttle` wait for timers and events, which are controlled.',
}

export const others: Interceptor<unknown> = {
  name: 'other builtins',
  builtins: {
    assert: PLAIN,
    'assert/strict': PLAIN,
    buffer: { controlled: 'Blob File', plain: 'Buffer SlowBuffer transcode isUtf8 isAscii btoa atob resolveObjectURL' },
    console: { is: 'controlled', note: 'Output is kept with the execution.' },
    constants: PLAIN,
    events: {
      controlled: 'once on EventEmitter EventEmitterAsyncResource addAbortListener',
      plain: 'getEventListeners getMaxListeners setMaxListeners init listenerCount',
    },
    path: PLAIN,
    'path/posix': PLAIN,
    'path/win32': PLAIN,
    punycode: PLAIN,
    querystring: PLAIN,
    readline: {
      controlled: 'Interface createInterface clearLine clearScreenDown cursorTo moveCursor emitKeypressEvents',
    },
    'readline/promises': { controlled: 'Interface Readline createInterface' },
    sea: { is: 'plain', note: 'A program under norn is not a single executable.' },
    stream: {
      controlled:
        'Readable Writable Duplex Transform PassThrough Stream duplexPair pipeline addAbortSignal finished destroy compose',
      plain:
        'isDestroyed isDisturbed isErrored isReadable isWritable setDefaultHighWaterMark getDefaultHighWaterMark ' +
        '_isArrayBufferView _isUint8Array _uint8ArrayToBuffer',
    },
    'stream/consumers': { controlled: 'arrayBuffer blob buffer text json bytes' },
    'stream/promises': { controlled: 'finished pipeline' },
    'stream/web': {
      controlled:
        'ReadableStream ReadableStreamDefaultReader ReadableStreamBYOBReader ReadableStreamBYOBRequest ' +
        'ReadableByteStreamController ReadableStreamDefaultController TransformStream TransformStreamDefaultController ' +
        'WritableStream WritableStreamDefaultWriter WritableStreamDefaultController ByteLengthQueuingStrategy ' +
        'CountQueuingStrategy TextEncoderStream TextDecoderStream CompressionStream DecompressionStream ReadableStreamTee',
    },
    string_decoder: PLAIN,
    sys: UTIL,
    'test/reporters': PLAIN,
    url: PLAIN,
    util: UTIL,
    'util/types': PLAIN,
    globals: {
      controlled:
        'CompressionStream DecompressionStream ReadableStream WritableStream TransformStream TextDecoderStream ' +
        'TextEncoderStream Blob',
    },
  },
  install: () => undefined,
}
