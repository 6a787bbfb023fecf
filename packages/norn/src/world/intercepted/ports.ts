/**
 * The ports of one execution: which are two ends of a channel, what waits in them, and who owns an
 * end now.
 *
 * The messages stay Node's: a real `postMessage` clones and transfers into the real queue of the
 * other port, and `receiveMessageOnPort` takes them out of it. Here stands what moves with each:
 * the step that it will be, and the ends that travel in it. Follows src/node_messaging.cc:
 * `MessagePort::OnMessage` (how many messages one callback handles, what an error does), `Close`,
 * `OnClose`, `SiblingGroup`.
 *
 * Invariants: messages to one port are received in the order in which they were posted. A message
 * waits for nothing but the next poll phase: the port that posts wakes the same loop, so in Node
 * too no immediate comes before it. Nothing is drawn for it therefore; what else is ready by then
 * is open enough.
 *
 * A message travels in an envelope with the ports it transfers, so that those are known that Node
 * makes for them on the other side.
 */
import { AsyncResource } from 'node:async_hooks'
import type { MessagePort as NodePort } from 'node:worker_threads'
import { internalBinding } from '../../loader/internals.ts'
import type { Arrival, AsyncHandle, AsyncHandles } from '../async-handles.ts'
import type { Step } from '../causality.ts'
import type { Control } from '../replace.ts'

export interface PortsHost extends Control {
  readonly handles: AsyncHandles
  nowUs(): number
  /** Something will call back in the poll phase without a thread of the pool. */
  announce(kind: string, resource: string, point?: 'callback'): { readonly step: Step; readonly lateUs: number }
}

/** What one callback of a port handles at most, unless more wait already. */
const MESSAGES_AT_ONCE = 1000

/** One end of a channel: it stays the same while the port objects that own it change. */
interface End {
  /** The other ends: one, or for a `BroadcastChannel` all of its name. */
  siblings: Set<End>
  /** The name of a `BroadcastChannel`, or empty. */
  readonly name: string
  readonly queue: (Message | Close)[]
  owner: Owner | undefined
}

interface Message {
  readonly step: Step
  /** The ends that travel in it. */
  readonly ends: readonly End[]
}

/** Behind the last message: the other end has been closed. */
interface Close {
  readonly closing: Step
}

interface Envelope {
  readonly message: unknown
  readonly ports: readonly NodePort[]
}

export type Method = (this: unknown, ...args: unknown[]) => unknown
export type PortMethod = 'postMessage' | 'start' | 'close' | 'ref' | 'unref' | 'hasRef'
export type Port = NodePort & Record<PropertyKey, Method>

const binding = internalBinding('messaging')
const ON_CLOSE = internalBinding('symbols').handle_onclose as symbol
const DISPATCH = Symbol.for('nodejs.internal.kHybridDispatch')
const RECEIVING = Symbol.for('nodejs.internal.kCurrentlyReceivingPorts')

export const prototype = MessagePort.prototype as unknown as Port
const { postMessage, start, close, ref, unref, hasRef } = prototype as unknown as Record<string, Method>
export const real = { postMessage, start, close, ref, unref, hasRef } as Record<PortMethod, Method>
const receive = binding.receiveMessageOnPort as (port: unknown) => Envelope
const stop = binding.stopMessagePort as (port: unknown) => void

/** A port object, as the loop serves it. */
export class Owner implements AsyncHandle {
  readonly port: Port
  readonly #ports: Ports
  /** As the native handle, it calls back in the context it was made in. */
  readonly context = new AsyncResource('MESSAGEPORT')
  dueUs = Number.POSITIVE_INFINITY
  end: End | undefined
  isReceiving = false
  isRefed = false
  isClosing = false
  #limit = 0

  constructor(port: Port, ports: Ports) {
    this.port = port
    this.#ports = ports
  }

  keepsAlive(): boolean {
    return this.isRefed && !this.isClosing
  }

  next(_nowUs: number, index: number): Arrival | undefined {
    const queue = this.end?.queue
    if (queue === undefined || queue.length === 0) return undefined
    if (index === 0) this.#limit = Math.max(queue.length, MESSAGES_AT_ONCE)
    const first = queue[0]!
    if ('closing' in first) {
      queue.shift()
      this.#ports.close(this, first.closing)
      return undefined
    }
    if (!this.isReceiving) return undefined
    if (index >= this.#limit) {
      this.#ports.wake(this)
      return undefined
    }
    return { step: first.step, kind: 'message', resource: this.end!.name, lateUs: 0, run: () => this.#receive() }
  }

  #receive(): void {
    let envelope: Envelope | undefined
    try {
      envelope = this.#ports.take(this)
    } catch (error) {
      // After an error the rest waits for the next callback.
      this.#limit = 0
      this.context.runInAsyncScope(() => emit(this.port, error, undefined, 'messageerror'))
    }
    if (envelope === undefined) return
    const { message, ports } = envelope
    this.context.runInAsyncScope(() => emit(this.port, message, ports, 'message'))
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

/** What is known of the ports of one execution. */
export class Ports {
  readonly #host: PortsHost
  readonly #owners = new Map<object, Owner>()
  /** The ends that Node is about to make ports for. */
  #arriving: End[] = []
  /** The first port of a channel whose second is still to be made. */
  #half: Owner | undefined
  /**
   * Channels that Node made while it prepared a message: a stream that is transferred goes by the
   * second port.
   */
  #nested: End[] | undefined
  /** The `BroadcastChannel` that is being made. */
  name: string | undefined
  readonly #broadcast = new Map<string, Set<End>>()

  constructor(host: PortsHost) {
    this.#host = host
  }

  owner(port: unknown): Owner | undefined {
    return this.#owners.get(port as object)
  }

  /** Node made a port object. */
  adopt(port: Port): void {
    const owner = new Owner(port, this)
    this.#owners.set(port, owner)
    // The real handle waits for nothing, and is closed in silence.
    real.unref.call(port)
    Object.defineProperty(port, ON_CLOSE, { value: () => {} })
    this.#host.handles.open(owner)
    const end = this.#arriving.shift()
    if (end !== undefined) this.#own(owner, end)
    else if (this.name !== undefined) this.#own(owner, this.#tuned(this.name))
    else if (this.#half === undefined) this.#half = owner
    else this.#entangle(owner)
  }

  /** The real message goes into the real queues, and a step for each is noted. */
  post(owner: Owner, args: unknown[]): unknown {
    const end = owner.isClosing ? undefined : owner.end
    const [result, ends] = this.#send(owner.port, args)
    if (end === undefined) for (const lost of ends) this.#disentangle(lost)
    else for (const sibling of end.siblings) this.#deliver(sibling, ends)
    // A port that is posted to itself takes its channel with it.
    for (const moved of ends) if (end?.siblings.has(moved) === true) this.#disentangle(moved)
    return result
  }

  /**
   * Takes the first message; throws what its decoding threw. Undefined if there is none, or the
   * port was closed.
   */
  take(owner: Owner): Envelope | undefined {
    const first = owner.isClosing ? undefined : owner.end?.queue.shift()
    if (first === undefined) return undefined
    if ('closing' in first) return this.close(owner, first.closing)
    return this.#receive(owner.port, first.ends)
  }

  /** `structuredClone` of what transfers ports: a message to nobody. */
  clone(value: unknown, transfer: readonly unknown[]): unknown {
    const { port1, port2 } = this.#private
    const [, ends] = this.#send(port1, [value, transfer])
    return this.#receive(port2 as Port, ends).message
  }

  wake(owner: Owner): void {
    owner.dueUs = this.#host.nowUs()
  }

  /** @param step as which it is closed; without it the closing is the running step's */
  close(owner: Owner, step: Step = this.#closing(owner.end)): undefined {
    if (owner.isClosing) return
    owner.isClosing = true
    real.close.call(owner.port)
    const run = () => {
      const { end } = owner
      owner.end = undefined
      if (end !== undefined) this.#disentangle(end)
      owner.context.runInAsyncScope(prototype[ON_CLOSE]!, owner.port)
    }
    this.#host.handles.close(owner, { step, kind: 'close port', resource: owner.end?.name ?? '', lateUs: 0, run })
  }

  #closing(end: End | undefined): Step {
    return this.#host.announce('close port', end?.name ?? '').step
  }

  reset(): void {
    for (const { port } of this.#owners.values()) {
      stop(port)
      real.close.call(port)
    }
    if (this.#owners.size > 0) this.#owners.clear()
    if (this.#broadcast.size > 0) this.#broadcast.clear()
    this.#arriving = []
    this.#half = this.#nested = this.name = undefined
  }

  /** A channel of norn's own, for `structuredClone`: made while no execution is under way. */
  readonly #private = new MessageChannel() as unknown as { readonly port1: Port; readonly port2: Port }

  #own(owner: Owner, end: End): void {
    owner.end = end
    end.owner = owner
    // Node runs the queue of a port that arrives, in case it is not empty.
    this.wake(owner)
  }

  #tuned(name: string): End {
    let others = this.#broadcast.get(name)
    if (others === undefined) this.#broadcast.set(name, (others = new Set()))
    const end: End = { siblings: new Set(others), name, queue: [], owner: undefined }
    for (const other of others) other.siblings.add(end)
    others.add(end)
    return end
  }

  #entangle(second: Owner): void {
    const ends = [0, 1].map((): End => ({ siblings: new Set(), name: '', queue: [], owner: undefined }))
    const [one, two] = ends as [End, End]
    one.siblings.add(two)
    two.siblings.add(one)
    this.#own(this.#half!, one)
    this.#own(second, two)
    this.#half = undefined
    this.#nested?.push(two)
  }

  #disentangle(end: End): void {
    const others = end.siblings
    end.siblings = new Set()
    if (end.name !== '') this.#broadcast.get(end.name)?.delete(end)
    for (const other of others) {
      other.siblings.delete(end)
      if (end.name !== '') continue
      other.queue.push({ closing: this.#closing(other) })
      if (other.owner !== undefined) this.wake(other.owner)
    }
  }

  #deliver(end: End, ends: readonly End[]): void {
    const { step } = this.#host.announce('message', end.name)
    end.queue.push({ step, ends })
    if (end.owner !== undefined) this.wake(end.owner)
  }

  /** Posts for real. What comes back with it are the ends that travel. */
  #send(port: Port, [message, given, ...rest]: unknown[]): [result: unknown, ends: End[]] {
    const { transfer, options } = transferOf(given)
    const ports = transfer.filter((each) => this.#owners.has(each as object))
    this.#nested = []
    try {
      const envelope = { message, ports }
      const result = real.postMessage.call(port, envelope, ...(given === undefined ? [] : [options, ...rest]))
      const moved = [...ports.map((each) => this.#owners.get(each as object)!.end!), ...this.#nested]
      for (const end of moved) this.#release(end)
      return [result, moved]
    } finally {
      this.#nested = undefined
    }
  }

  #receive(port: Port, ends: readonly End[]): Envelope {
    this.#arriving = [...ends]
    try {
      return receive(port)
    } finally {
      for (const lost of this.#arriving) this.#disentangle(lost)
      this.#arriving = []
    }
  }

  /** The object of an end that travels is closed. */
  #release(end: End): void {
    const { owner } = end
    end.owner = undefined
    if (owner === undefined) return
    owner.end = undefined
    this.close(owner)
  }
}

/** The objects to transfer, out of either form of the second argument; an iterable is read once. */
export function transferOf(given: unknown): { transfer: readonly unknown[]; options: unknown } {
  if (typeof given !== 'object' || given === null) return { transfer: [], options: given }
  if (Symbol.iterator in given) {
    const transfer = [...(given as Iterable<unknown>)]
    return { transfer, options: transfer }
  }
  const { transfer: list } = given as { transfer?: unknown }
  if (typeof list !== 'object' || list === null || !(Symbol.iterator in list)) return { transfer: [], options: given }
  const transfer = [...(list as Iterable<unknown>)]
  return { transfer, options: { transfer } }
}
