/**
 * One message port as the loop serves it, and the functions of Node's own ports.
 *
 * Follows src/node_messaging.cc, `MessagePort::OnMessage`: how many messages one callback handles,
 * and what an error in one of them does.
 */
import type { MessagePort as NodePort } from 'node:worker_threads'
import { internalBinding } from '../../loader/internals.ts'
import type { Content } from '../isolates/messaging-record.ts'
import type { Arrival, AsyncHandle } from '../loop/async-handles.ts'
import type { Step } from '../loop/causality.ts'
import type { Isolate } from '../loop/isolate.ts'
import { type CallbackContext, contextOf, inContext } from '../realm/callback-scope.ts'

/** The maximum number of messages in one callback, unless more are waiting already. */
const MESSAGES_AT_ONCE = 1000

/** One end of a channel; the ports that serve it may change. */
export interface End {
  /** The other ends: one, or for a `BroadcastChannel` all of its name. */
  siblings: Set<End>
  /** The name of a `BroadcastChannel`, or empty. */
  readonly name: string
  readonly queue: (Message | Close)[]
  handle: PortHandle | undefined
  /** Reads a message that goes to it, if it is not the program's. */
  contentOf?: (message: unknown) => Content | undefined
  /** Whether nothing is drawn for its messages, wherever they come from. */
  isQuiet?: boolean
}

interface Message {
  readonly step: Step
  /** The drawn delay, and when it is due, in microseconds. */
  readonly delayUs: number
  readonly atUs: number
  /** The round of handles in which another isolate sent it: a loop has passed its handles then. */
  readonly round: number | undefined
  /** The transferred ends. */
  readonly ends: readonly End[]
}

/** Follows the last message: the other end was closed. */
interface Close {
  readonly closing: Step
}

export interface Envelope {
  readonly message: unknown
  readonly ports: readonly NodePort[]
}

export type Method = (this: unknown, ...args: unknown[]) => unknown
export type PortMethod = 'postMessage' | 'start' | 'close' | 'ref' | 'unref' | 'hasRef'
export type Port = NodePort & Record<PropertyKey, Method>

const binding = internalBinding('messaging')
export const ON_CLOSE = internalBinding('symbols').handle_onclose as symbol
const DISPATCH = Symbol.for('nodejs.internal.kHybridDispatch')
const RECEIVING = Symbol.for('nodejs.internal.kCurrentlyReceivingPorts')

export const prototype = MessagePort.prototype as unknown as Port
const { postMessage, start, close, ref, unref, hasRef } = prototype as unknown as Record<string, Method>
export const real = { postMessage, start, close, ref, unref, hasRef } as Record<PortMethod, Method>
export const receive = binding.receiveMessageOnPort as (port: unknown) => Envelope
export const stop = binding.stopMessagePort as (port: unknown) => void

/** What a port needs of the ports beside it. */
export interface PortServing {
  /** The current round of handles. */
  round(): number
  close(handle: PortHandle, step: Step): void
  wake(handle: PortHandle): void
  take(handle: PortHandle): Envelope | undefined
}

/** One port, served by the loop. */
export class PortHandle implements AsyncHandle {
  readonly port: Port
  /** The port whose real queue it uses: its own, or norn's in place of one that leads to a thread. */
  wire: Port
  /** Whose loop serves it. */
  isolate: Isolate
  readonly #serving: PortServing
  /** Like the native handle, it calls back in its creation context. */
  context: CallbackContext
  dueUs = Number.POSITIVE_INFINITY
  end: End | undefined
  isReceiving = false
  isRefed = false
  /** Whether it is served no more after this round, and whether it has told so. */
  isClosing = false
  isClosed = false
  #limit = 0

  constructor(port: Port, isolate: Isolate, serving: PortServing) {
    this.port = this.wire = port
    this.context = contextOf(port)
    this.isolate = isolate
    this.#serving = serving
  }

  keepsAlive(isolate = this.isolate): boolean {
    return this.isRefed && !this.isClosing && this.isolate === isolate
  }

  next(nowUs: number, index: number): Arrival | undefined {
    const queue = this.end?.queue
    if (queue === undefined || queue.length === 0 || this.isolate.hasEnded || this.isolate.isBlocked) return undefined
    if (index === 0) this.#limit = Math.max(queue.length, MESSAGES_AT_ONCE)
    const first = queue[0]!
    if ('closing' in first) {
      queue.shift()
      this.#serving.close(this, first.closing)
      return undefined
    }
    if (!this.isReceiving) return undefined
    if (index >= this.#limit) {
      this.#serving.wake(this)
      return undefined
    }
    if (first.atUs > nowUs || first.round === this.#serving.round()) {
      this.dueUs = Math.max(first.atUs, nowUs)
      return undefined
    }
    const { step, delayUs } = first
    const { isolate, end } = this
    // After an error, remaining messages wait for the next callback.
    const threw = () => {
      this.#limit = 0
    }
    return { step, isolate, kind: 'message', resource: end!.name, delayUs, run: () => this.receive(), threw }
  }

  /** Receives the first message. */
  receive(): void {
    let envelope: Envelope | undefined
    try {
      envelope = this.#serving.take(this)
    } catch (error) {
      this.#limit = 0
      inContext(this.context, () => emit(this.port, error, undefined, 'messageerror'))
    }
    if (envelope === undefined) return
    const { message, ports } = envelope
    inContext(this.context, () => emit(this.port, message, ports, 'message'))
  }
}

/** Follows `emitMessage` in lib/internal/per_context/messageport.js. */
function emit(port: Port, data: unknown, ports: readonly NodePort[] | undefined, type: string): void {
  const holder = port as unknown as Record<symbol, unknown>
  holder[RECEIVING] = ports
  try {
    port[DISPATCH]!(data, type, undefined)
  } finally {
    holder[RECEIVING] = undefined
  }
}

/** V8 clones Node's own environment, but no proxy. */
export function cloneable(message: unknown): unknown {
  return message === process.env ? { ...process.env } : message
}

/** What C++ refuses as options, because its list is not iterable. */
const REFUSED = { transfer: 0 }

/**
 * The objects to transfer, from either form of the second argument; an iterable is read once. Follows
 * `MessagePort::PostMessage`.
 */
export function transferOf(given: unknown): { transfer: readonly unknown[]; options: unknown } {
  if (!isObject(given)) return { transfer: [], options: given }
  const list = elementsOf(given)
  if (list !== undefined) return { transfer: list, options: list }
  const option = (given as { transfer?: unknown }).transfer
  if (option === undefined) return { transfer: [], options: undefined }
  const transfer = elementsOf(option)
  return transfer === undefined ? { transfer: [], options: REFUSED } : { transfer, options: { transfer } }
}

/** Follows `ReadIterable` (src/node_messaging.cc); undefined if an object does not keep the protocol. */
function elementsOf(object: unknown): unknown[] | undefined {
  const begin = isObject(object) ? (object as Record<symbol, unknown>)[Symbol.iterator] : undefined
  const iterator: unknown = typeof begin === 'function' ? Reflect.apply(begin, object, []) : undefined
  const next = isObject(iterator) ? (iterator as { next?: unknown }).next : undefined
  if (typeof next !== 'function') return undefined
  const elements: unknown[] = []
  for (;;) {
    const result: unknown = Reflect.apply(next, iterator, [])
    if (!isObject(result)) return undefined
    const { done, value } = result as IteratorResult<unknown>
    if (done) return elements
    elements.push(value)
  }
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}
