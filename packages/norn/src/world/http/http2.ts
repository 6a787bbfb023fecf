/**
 * Intercepts HTTP/2: Node's own sessions over streams that norn serves.
 *
 * Follows lib/internal/http2/core.js and src/node_http2.cc. Virtual are also the durations that C++
 * measures, and what it does in immediates of its own: it sends, it cancels the pings of a session
 * and the writes of a stream that were destroyed.
 */

import { internalBinding, requireInternal } from '../../loader/internals.ts'
import type { Interceptor } from '../loop/interceptor.ts'
import { contextOf, currentFrame, inContext, withFrame } from '../realm/callback-scope.ts'
import { type Control, define, refusing } from '../realm/replace.ts'
import { uv } from '../realm/uv.ts'
import { JSStream } from '../streams/js-stream.ts'
import type { Stream } from '../streams/stream-base.ts'
import type { Request } from '../streams/stream-request.ts'
import { streamState } from '../streams/stream-state.ts'
import { isSecured, underneath } from '../streams/tls.ts'
import type { ClockHost } from '../time/clock.ts'
import { dateHeader } from './http.ts'
import { type NativeStream, overHandle, overStream } from './http2-carriers.ts'
import { interceptFileBodies } from './http2-files.ts'
import { type Carrier, Session, type SessionHandle, type SessionHost } from './http2-session.ts'

export interface Http2Host extends SessionHost, Control, Pick<ClockHost, 'wallMsAt'> {
  /** The stream behind a handle; undefined if norn does not serve it. */
  streamOf(handle: object): Stream | undefined
}

type Method = (...args: never[]) => unknown
type Prototype = Record<string, Method>

interface Http2Binding {
  readonly Http2Session: { readonly prototype: Prototype }
  readonly Http2Stream: { readonly prototype: Prototype }
  setCallbackFunctions(...callbacks: Function[]): void
  readonly settingsBuffer: Uint32Array
  readonly kBitfield: number
  readonly kSessionHasRemoteSettingsListeners: number
  readonly kSessionRemoteSettingsIsUpToDate: number
}

/** A stream's handle: a StreamBase. */
interface StreamHandle {
  id(): number
  onread: unknown
}

type WriteRequest = Request

/** Something of the program that C++ calls back once. C++ may keep it for longer. */
interface Pending {
  /** Undefined once it was called, or the execution has ended. */
  complete: ((this: unknown, ...args: never[]) => unknown) | undefined
  readonly cancel: () => void
}

interface Write extends Pending {
  /** The number of bytes of the stream up to its end. */
  end: number
}

interface OfStream {
  readonly session: Session
  readonly id: number
  written: number
  readonly writes: Set<Write>
}

interface OfSession {
  readonly session: Session
  readonly pings: Set<Pending>
}

/** The place of `maxConcurrentStreams` in the buffer of settings (src/node_http2_state.h). */
const MAX_STREAMS = 4
/** The places of functions that Node's JavaScript gives to C++. */
const ON_ERROR = 0
const ON_HEADERS = 4
const IS_SERVER = 0

const SESSION_METHODS = ['origin', 'altsvc', 'goaway', 'setLocalWindowSize', 'setGracefulClose']
const STREAM_METHODS = ['info', 'trailers', 'respond', 'rstStream', 'priority', 'readStart', 'readStop', 'shutdown']
const WRITES = ['writev', 'writeBuffer', 'writeAsciiString', 'writeUtf8String', 'writeUcs2String', 'writeLatin1String']

/** Whether Node's JavaScript has taken what norn replaces; then HTTP/2 stays uncontrolled. */
function isLoaded(): boolean {
  const { moduleLoadList } = process as unknown as { moduleLoadList: readonly string[] }
  return moduleLoadList.includes('NativeModule internal/http2/core')
}

export const http2: Interceptor<Http2Host> = {
  name: 'node:http2',
  builtins: {
    http2: {
      controlled: 'connect createServer createSecureServer performServerHandshake',
      plain: 'getDefaultSettings getPackedSettings getUnpackedSettings Http2ServerRequest Http2ServerResponse',
      note:
        'nghttp2 itself, over sockets of the world or any `Duplex`. Its limits on the rate of resets and of suspicious ' +
        'frames (a thousand at once) count real seconds.',
    },
  },
  install: (host) => ({ leave: interceptHttp2(host) }),
}

/** Returns a function that ends the sessions of an execution. */
function interceptHttp2(host: Http2Host): () => void {
  const binding = internalBinding('http2') as unknown as Http2Binding
  const { Http2Session, Http2Stream } = binding
  const { calls } = host
  if (isLoaded()) {
    const { prototype } = Http2Session
    define(prototype, 'consume', refusing(host, 'http2 session consume', prototype.consume!))
    return () => {}
  }
  let sessions: OfSession[] = []
  const pending = new Set<Pending>()
  const bySession = new WeakMap<object, OfSession>()
  const byStream = new WeakMap<object, OfStream>()
  let fails: Function = () => {}

  const real = methodsOf(Http2Session.prototype)
  const realStream = methodsOf(Http2Stream.prototype)
  const call = (method: Method | undefined, self: object, args: readonly unknown[]) =>
    Reflect.apply(method!, self, args)
  const bits = {
    at: binding.kBitfield,
    hasListeners: 1 << binding.kSessionHasRemoteSettingsListeners,
    isUpToDate: 1 << binding.kSessionRemoteSettingsIsUpToDate,
  }
  const native = {
    receive: (handle: object, bytes: Uint8Array) => void call(real.receive, handle, [bytes]),
    destroy(handle: object, code: number, isSocketClosed: boolean) {
      call(real.destroy, handle, [code, isSocketClosed])
    },
    destroyStream: (handle: object) => void call(realStream.destroy, handle, []),
    maxStreams(handle: object) {
      call(real.remoteSettings, handle, [])
      return binding.settingsBuffer[MAX_STREAMS]!
    },
    fails: (handle: object, code: number) => void Reflect.apply(fails, handle, [code, null]),
  }

  interceptCallbacks()
  interceptSessions()
  interceptStreams()
  interceptDate(host)
  interceptFileBodies({
    active: host.active,
    soon: (sink, kind, run) => byStream.get(sink)?.session.soon(kind, run),
  })
  return () => {
    for (const { session } of sessions) {
      Object.assign(session.handle, { ondone: null })
      session.abandon()
    }
    calls.immediates.leave()
    if (sessions.length > 0) sessions = []
    if (pending.size === 0) return
    for (const each of pending) each.complete = undefined
    pending.clear()
  }

  function interceptCallbacks(): void {
    const { setCallbackFunctions } = binding
    define(binding, 'setCallbackFunctions', (...callbacks: Function[]) => {
      const wrapped = callbacks.map((callback) => calls.callback(callback))
      fails = wrapped[ON_ERROR]!
      const headers = wrapped[ON_HEADERS]!
      wrapped[ON_HEADERS] = function (this: unknown, ...args) {
        const of = bySession.get(this as object)
        if (of !== undefined) adopt(of.session, args[0])
        return Reflect.apply(headers, this, args)
      }
      Reflect.apply(setCallbackFunctions, binding, wrapped)
    })
  }

  function interceptSessions(): void {
    const { prototype } = Http2Session
    const types = new WeakMap<object, number>()
    define(
      binding,
      'Http2Session',
      new Proxy(Http2Session as unknown as new (type: number) => object, {
        construct(target, [type], newTarget) {
          const handle = Reflect.construct(target, [type], newTarget) as object
          types.set(handle, type)
          return handle
        },
      }),
    )
    const replaced = (name: string, mine: (of: OfSession, args: unknown[]) => unknown) => {
      if (real[name] === undefined) return
      define(prototype, name, function (this: object, ...args: unknown[]) {
        const of = host.active() ? bySession.get(this) : undefined
        return of === undefined ? call(real[name], this, args) : mine(of, args)
      })
    }
    for (const name of SESSION_METHODS)
      replaced(name, ({ session }, args) => session.calls(() => call(real[name], session.handle, args)))
    define(prototype, 'consume', function (this: SessionHandle, handle: object) {
      if (!host.active()) return call(real.consume, this, [handle])
      const session = new Session(this, types.get(this) === IS_SERVER, carrierOf(handle), native, bits, host)
      const of = { session, pings: new Set<Pending>() }
      sessions.push(of)
      bySession.set(this, of)
      calls.intercept(this, ['ondone', 'ongracefulclosecomplete'])
      return session.calls(() => call(real.consume, this, [session.native]))
    })
    replaced('request', ({ session }, args) =>
      adopt(
        session,
        session.calls(() => call(real.request, session.handle, args)),
      ),
    )
    replaced('receive', ({ session }, [bytes]) => session.receivesEarly(bytes as Uint8Array))
    replaced('ping', (of, [payload, done]) => {
      const { session, pings } = of
      const timed = timing(done as Method, pings)
      return session.calls(() => call(real.ping, session.handle, [payload ?? time(), timed]))
    })
    replaced('settings', ({ session }, [done]) =>
      session.calls(() => call(real.settings, session.handle, [timing(done as Method)])),
    )
    replaced('destroy', ({ session, pings }, args) => {
      for (const ping of pings) session.withImmediate('ping', ping.cancel)
      session.calls(() => call(real.destroy, session.handle, args))
      session.isDestroyed = true
    })
  }

  function interceptStreams(): void {
    const { prototype } = Http2Stream
    const replaced = (name: string, mine: (of: OfStream, handle: object, args: unknown[]) => unknown) => {
      if (realStream[name] === undefined) return
      define(prototype, name, function (this: object, ...args: unknown[]) {
        const of = host.active() ? byStream.get(this) : undefined
        return of === undefined ? call(realStream[name], this, args) : mine(of, this, args)
      })
    }
    for (const name of STREAM_METHODS)
      replaced(name, ({ session }, handle, args) => session.calls(() => call(realStream[name], handle, args)))
    replaced('pushPromise', ({ session }, handle, args) =>
      adopt(
        session,
        session.calls(() => call(realStream.pushPromise, handle, args)),
      ),
    )
    for (const name of WRITES) {
      replaced(name, (of, handle, [request, ...rest]) => {
        const write = watched(of, handle, request as WriteRequest)
        const status = of.session.calls(() => call(realStream[name], handle, [request, ...rest]))
        of.written += streamState.written()
        write.end = of.written
        return status
      })
    }
    replaced('destroy', (of, handle) => {
      const { session, writes } = of
      session.streams.delete(handle)
      if (session.isBusy) session.withImmediate('close', () => destroy(of, handle))
      else if (writes.size > 0) session.withImmediate('cancel', () => cancel(of))
      session.calls(() => call(realStream.destroy, handle, []))
    })
  }

  /** C++ has put off the end of the stream, and then the end of its writes. */
  function destroy(of: OfStream, handle: object): void {
    if (of.writes.size > 0) of.session.withImmediate('cancel', () => cancel(of))
    of.session.calls(() => call(realStream.destroy, handle, []))
  }

  function cancel({ session, id, writes }: OfStream): void {
    const sent = session.outbound.sentOf(id)
    // Those that have been sent end with the write of the session.
    for (const { end, cancel } of [...writes]) if (end > sent || !session.isWriting) cancel()
  }

  /** The handle of a new stream, or an error number. */
  function adopt(session: Session, handle: unknown): unknown {
    if (typeof handle !== 'object' || handle === null || byStream.has(handle)) return handle
    byStream.set(handle, { session, id: (handle as StreamHandle).id(), written: 0, writes: new Set() })
    session.streams.add(handle)
    calls.intercept(handle, ['onread'])
    // C++ aborts without one, also where an execution that has ended calls no more of the program.
    Object.assign(handle, { onread: () => {} })
    return handle
  }

  /** C++ measures durations in real time. */
  function timing(done: Method, pings?: Set<Pending>): Function {
    const startUs = host.nowUs()
    const callback = calls.callback(done)
    const frame = currentFrame()
    const each: Pending = {
      complete(isAcknowledged: boolean, _: number, payload: unknown) {
        pings?.delete(each)
        pending.delete(each)
        return callback(isAcknowledged, (host.nowUs() - startUs) / 1000, payload)
      },
      cancel: () => withFrame(frame, () => calling(each)(false)),
    }
    pings?.add(each)
    pending.add(each)
    return calling(each)
  }

  /** What a ping has if the program gives it nothing: the time in nanoseconds. */
  function time(): Uint8Array {
    const bytes = Buffer.alloc(8)
    bytes.writeBigUInt64LE(BigInt(Math.floor(host.nowUs() * 1000)))
    return bytes
  }

  function watched({ writes }: OfStream, handle: object, request: WriteRequest): Write {
    const complete = calls.callback(request.oncomplete!)
    const write: Write = {
      end: Number.POSITIVE_INFINITY,
      complete(...args) {
        writes.delete(write)
        pending.delete(write)
        Reflect.apply(complete, this, args)
      },
      cancel: () =>
        inContext(contextOf(request), () => Reflect.apply(request.oncomplete!, request, [uv.UV_ECANCELED!, handle])),
    }
    writes.add(write)
    pending.add(write)
    request.oncomplete = calling(write)
    return write
  }

  function carrierOf(handle: object): Carrier {
    const stream = host.streamOf(handle)
    if (stream !== undefined) return overStream(stream, calls)
    if (handle instanceof JSStream || isSecured(handle))
      return overHandle(handle as unknown as NativeStream, underneath(handle)?.name ?? '', calls)
    return host.refuse('HTTP/2 over a real socket')
  }
}

/** What C++ gets; it does not keep the program alive. */
function calling(pending: Pending): (this: unknown, ...args: unknown[]) => unknown {
  return function (...args) {
    const { complete } = pending
    pending.complete = undefined
    return complete === undefined ? undefined : Reflect.apply(complete, this, args)
  }
}

function methodsOf(prototype: Prototype): Prototype {
  const names = Object.getOwnPropertyNames(prototype)
  const methods = names.filter((name) => typeof Object.getOwnPropertyDescriptor(prototype, name)!.value === 'function')
  return Object.fromEntries(methods.map((name) => [name, prototype[name]!]))
}

/** Node takes the date from a constructor that it captured, and keeps it for a second. */
function interceptDate(host: Http2Host): void {
  const http = requireInternal<{ utcDate: () => string }>('internal/http')
  const { utcDate } = http
  const date = dateHeader(host)
  define(http, 'utcDate', () => (host.active() ? date() : utcDate()))
}
