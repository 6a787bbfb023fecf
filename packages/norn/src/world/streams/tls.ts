/**
 * Intercepts TLS: Node's own `TLSWrap`, with the real OpenSSL, over streams that norn serves.
 *
 * Follows src/crypto/crypto_tls.cc and lib/internal/tls/wrap.js. OpenSSL draws its random numbers
 * itself, so keys, tickets and the lengths of some handshake records vary from run to run: norn
 * decides by record, and no trace has a length.
 */

import { internalBinding } from '../../loader/internals.ts'
import type { Interceptor } from '../loop/interceptor.ts'
import { loopMs } from '../loop/loop-times.ts'
import { type Control, define } from '../realm/replace.ts'
import { Bridge, JSStream } from './js-stream.ts'
import type { NativeCalls } from './native-calls.ts'
import type { Stream } from './stream-base.ts'

export interface TlsHost extends Control {
  readonly calls: NativeCalls
  nowUs(): number
  /** The stream behind a handle; undefined if norn does not serve it. */
  streamOf(handle: object): Stream | undefined
}

type Wrapped = object & { onread(): unknown; onhandshakestart: unknown }

const CALLBACKS = [
  'onhandshakestart',
  'onhandshakedone',
  'onclienthello',
  'oncertcb',
  'onnewsession',
  'onkeylog',
  'onocspresponse',
  'onerror',
  'onread',
  'ALPNCallback',
]

/** Handles of TLS sockets in the world. */
const wrapped = new WeakMap<object, Stream | undefined>()

/** Whether the handle is one of TLS over a stream that norn serves. */
export function isSecured(handle: object): boolean {
  return wrapped.has(handle)
}

/** The stream that carries a socket of TLS. */
export function underneath(handle: object): Stream | undefined {
  return wrapped.get(handle)
}

export const tls: Interceptor<TlsHost> = {
  name: 'node:tls',
  builtins: {
    tls: {
      controlled: 'connect createServer Server TLSSocket setDefaultCACertificates',
      plain:
        'getCiphers getCACertificates convertALPNProtocols checkServerIdentity createSecurePair ' +
        'getCertificateCompressionAlgorithms SecureContext createSecureContext translatePeerCertificate',
      note:
        'OpenSSL draws its own random numbers, so the values of keys, tickets, session ids and `exportKeyingMaterial`, and ' +
        'the number of encrypted bytes, vary from run to run. Norn delays and cuts what is sent by record.',
    },
  },
  install: interceptTls,
}

function interceptTls(host: TlsHost): void {
  const binding = internalBinding('tls_wrap') as { wrap: (...args: unknown[]) => Wrapped; TLSWrap: Function }
  const { onpskexchange } = internalBinding('symbols') as { onpskexchange: symbol }
  const { wrap } = binding
  define(binding, 'wrap', (handle: object, ...rest: unknown[]) => {
    if (!host.active()) return wrap(handle, ...rest)
    let bridge: Bridge | undefined
    let stream = wrapped.get(handle)
    const isNative = handle instanceof JSStream || wrapped.has(handle)
    if (!isNative) {
      stream = host.streamOf(handle)
      if (stream === undefined) return host.refuse('TLS over a real socket')
      bridge = new Bridge(stream, host.calls)
      stream.consumer = bridge
    }
    const secured = wrap(bridge?.native ?? handle, ...rest)
    if (bridge !== undefined) bridge.listener = secured
    wrapped.set(secured, stream)
    host.calls.intercept(secured, [...CALLBACKS, onpskexchange])
    interceptRenegotiation(secured, host)
    return secured
  })
}

/** A server bounds handshakes by the time of each, which C++ reads from the real clock. */
function interceptRenegotiation(secured: Wrapped, host: TlsHost): void {
  const { get, set } = Object.getOwnPropertyDescriptor(secured, 'onhandshakestart')!
  Object.defineProperty(secured, 'onhandshakestart', {
    configurable: true,
    enumerable: true,
    get,
    set: (start: Function) =>
      set!.call(secured, function (this: object) {
        return Reflect.apply(start, this, [loopMs(host.nowUs())])
      }),
  })
}
