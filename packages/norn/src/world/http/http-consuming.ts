/**
 * Servers of HTTP whose parser reads in place of the socket, so that bytes pass neither the stream
 * nor its `data` event.
 *
 * Follows `Parser` in src/node_http_parser.cc, called from the loop: ticks run after each part of a
 * body, after headers that come in several parts, and at the end of a packet; an error of the
 * program is uncaught where it is thrown, and the rest of the packet is lost. All packets are
 * read into one buffer, since a parser that has failed goes on to measure from it.
 */
import { internalBinding, requireInternal } from '../../loader/internals.ts'
import { type CallbackContext, contextOf, destroyed, inContext } from '../realm/callback-scope.ts'
import { type Activity, define } from '../realm/replace.ts'
import type { NativeCalls } from '../streams/native-calls.ts'
import type { Stream } from '../streams/stream-base.ts'
import { listenToHandle, listenToStream } from '../streams/stream-listeners.ts'
import { isSecured } from '../streams/tls.ts'

export interface ConsumingHost extends Activity {
  readonly calls: NativeCalls
  /** The stream behind a handle; undefined if norn does not serve it. */
  streamOf(handle: object): Stream | undefined
}

type Method = 'consume' | 'unconsume' | 'execute' | 'getCurrentBuffer' | 'free'
type Parser = Record<number | Method, Function | undefined | null>
type Handle = object & { onread: unknown }

/** The numbers under which a parser has its callbacks. */
interface Callbacks {
  readonly kOnHeaders: number
  readonly kOnHeadersComplete: number
  readonly kOnBody: number
  readonly kOnMessageComplete: number
  readonly kOnExecute: number
}

const { getDefaultTriggerAsyncId } = requireInternal<{ getDefaultTriggerAsyncId(): number }>('internal/async_hooks')
const { HTTPParser } = internalBinding<{ HTTPParser: Callbacks & { prototype: Parser } }>('http_parser')
const { kOnHeaders, kOnHeadersComplete, kOnBody, kOnMessageComplete, kOnExecute } = HTTPParser

/** Makes C++ leave a packet: it gets this in place of an error that was reported. */
const ABORTED = new Error('an uncaught error ends a packet')
const PACKET_BYTES = 65536

/** Returns a function that prepares a server's parser, before anything else replaces its callbacks. */
export function interceptConsuming({ active, calls, streamOf }: ConsumingHost): (parser: object) => void {
  const { prototype } = HTTPParser
  const { consume, unconsume, execute, getCurrentBuffer, free } = prototype
  const listening = new WeakMap<Parser, () => void>()
  const buffer = Buffer.allocUnsafeSlow(PACKET_BYTES)
  /** The packet that is read, and the parser that is called back at its end. */
  let current: { readonly packet: Uint8Array; executed?: Parser } | undefined

  const read = (parser: Parser, ends: (result: unknown) => unknown, bytes: Uint8Array) => {
    // For a parser, nothing is the end.
    if (bytes.length === 0) return
    // Another thread of the program may read while a callback of this one waits.
    const outer = current
    const target = outer === undefined ? buffer : Buffer.allocUnsafeSlow(PACKET_BYTES)
    target.set(bytes)
    const packet = target.subarray(0, bytes.length)
    current = { packet }
    try {
      const result: unknown = Reflect.apply(execute!, parser, [packet])
      current.executed = parser
      ends(result)
    } catch (error) {
      if (error !== ABORTED) throw error
    } finally {
      current = outer
    }
  }

  define(prototype, 'consume', function (this: Parser, handle: Handle) {
    const stream = active() ? streamOf(handle) : undefined
    if (!active() || (stream === undefined && !isSecured(handle))) return Reflect.apply(consume!, this, [handle])
    const context: CallbackContext = { ...contextOf(this), triggerId: getDefaultTriggerAsyncId() }
    const ends = calls.callback((result: unknown) => {
      const end = this[kOnExecute]
      if (typeof end === 'function') inContext(context, () => Reflect.apply(end, this, [result]))
    })
    const hear = (bytes: Uint8Array) => read(this, ends, bytes)
    const stop = stream === undefined ? listenToHandle(handle, calls, hear) : listenToStream(stream, calls, hear)
    listening.set(this, stop)
  })
  define(prototype, 'unconsume', function (this: Parser) {
    const stop = listening.get(this)
    if (stop === undefined) return Reflect.apply(unconsume!, this, [])
    listening.delete(this)
    stop()
  })
  define(prototype, 'free', function (this: Parser) {
    if (active()) destroyed(contextOf(this))
    return Reflect.apply(free!, this, [])
  })
  define(prototype, 'getCurrentBuffer', function (this: Parser) {
    if (current?.executed !== this) return Reflect.apply(getCurrentBuffer!, this, [])
    return Buffer.from(new Uint8Array(current.packet).buffer)
  })

  const prepared = new WeakSet<object>()
  return (parser) => {
    if (prepared.has(parser)) return
    prepared.add(parser)
    const callbacks = parser as Parser
    const wrap = (name: number, drains: boolean) => {
      const callback = callbacks[name]
      if (typeof callback === 'function') callbacks[name] = calls.callback(callback, { drains, failed: ABORTED })
    }
    for (const name of [kOnHeaders, kOnBody]) wrap(name, true)
    for (const name of [kOnHeadersComplete, kOnMessageComplete]) wrap(name, false)
  }
}
