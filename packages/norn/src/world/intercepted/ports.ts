/**
 * The ports of one execution: which are two ends of a channel, what waits in them, and who owns an end now.
 *
 * The messages stay Node's: a real `postMessage` clones and transfers into the real queue of the other port, and
 * `receiveMessageOnPort` takes them out of it. Here stands what moves with each: the step that it will be, and the ends
 * that travel in it. Follows src/node_messaging.cc: `MessagePort::OnMessage` (how many messages one callback handles,
 * what an error does), `Close`, `OnClose`, `SiblingGroup`.
 *
 * Invariants: messages to one port are received in the order in which they were posted. A message waits for nothing but
 * the next poll phase: the port that posts wakes the same loop, so in Node too no immediate comes before it. Nothing is
 * drawn for it therefore; what else is ready by then is open enough.
 *
 * A message travels in an envelope with the ports it transfers, so that those are known that Node makes for them on the
 * other side.
 */
import type { AsyncHandles } from '../async-handles.ts'
import type { Step } from '../causality.ts'
import type { Control } from '../replace.ts'
import {
  type End,
  type Envelope,
  ON_CLOSE,
  type Port,
  PortHandle,
  type PortServing,
  prototype,
  real,
  receive,
  stop,
  transferOf,
} from './port-handle.ts'

export interface PortsHost extends Control {
  readonly handles: AsyncHandles
  nowUs(): number
  /** Something will call back in the poll phase without a thread of the pool. */
  announce(kind: string, resource: string, point?: 'callback'): { readonly step: Step; readonly delayUs: number }
}

/** What is known of the ports of one execution. */
export class Ports implements PortServing {
  readonly #host: PortsHost
  readonly #portHandles = new Map<object, PortHandle>()
  /** The ends that Node is about to make ports for. */
  #arriving: End[] = []
  /** The first port of a channel whose second is still to be made. */
  #half: PortHandle | undefined
  /** Channels that Node made while it prepared a message: a stream that is transferred goes by the second port. */
  #nested: End[] | undefined
  /** The `BroadcastChannel` that is being made. */
  name: string | undefined
  readonly #broadcast = new Map<string, Set<End>>()

  constructor(host: PortsHost) {
    this.#host = host
  }

  handleOf(port: unknown): PortHandle | undefined {
    return this.#portHandles.get(port as object)
  }

  /** Node made a port object. */
  adopt(port: Port): void {
    const handle = new PortHandle(port, this)
    this.#portHandles.set(port, handle)
    // The real handle waits for nothing, and is closed in silence.
    real.unref.call(port)
    Object.defineProperty(port, ON_CLOSE, { value: () => {} })
    this.#host.handles.open(handle)
    const end = this.#arriving.shift()
    if (end !== undefined) this.#attach(handle, end)
    else if (this.name !== undefined) this.#attach(handle, this.#tuned(this.name))
    else if (this.#half === undefined) this.#half = handle
    else this.#entangle(handle)
  }

  /** The real message goes into the real queues, and a step for each is noted. */
  post(handle: PortHandle, args: unknown[]): unknown {
    const end = handle.isClosing ? undefined : handle.end
    const [result, ends] = this.#send(handle.port, args)
    if (end === undefined) for (const lost of ends) this.#disentangle(lost)
    else for (const sibling of end.siblings) this.#deliver(sibling, ends)
    // A port that is posted to itself takes its channel with it.
    for (const moved of ends) if (end?.siblings.has(moved) === true) this.#disentangle(moved)
    return result
  }

  /** Takes the first message; throws what its decoding threw. Undefined if there is none, or the port was closed. */
  take(handle: PortHandle): Envelope | undefined {
    const first = handle.isClosing ? undefined : handle.end?.queue.shift()
    if (first === undefined) return undefined
    if ('closing' in first) return this.close(handle, first.closing)
    return this.#receive(handle.port, first.ends)
  }

  /** `structuredClone` of what transfers ports: a message to nobody. */
  clone(value: unknown, transfer: readonly unknown[]): unknown {
    const { port1, port2 } = this.#private
    const [, ends] = this.#send(port1, [value, transfer])
    return this.#receive(port2 as Port, ends).message
  }

  wake(handle: PortHandle): void {
    handle.dueUs = this.#host.nowUs()
  }

  /** @param step as which it is closed; without it the closing is the running step's */
  close(handle: PortHandle, step: Step = this.#closing(handle.end)): undefined {
    if (handle.isClosing) return
    handle.isClosing = true
    real.close.call(handle.port)
    const run = () => {
      const { end } = handle
      handle.end = undefined
      if (end !== undefined) this.#disentangle(end)
      handle.context.runInAsyncScope(prototype[ON_CLOSE]!, handle.port)
    }
    this.#host.handles.close(handle, { step, kind: 'close port', resource: handle.end?.name ?? '', delayUs: 0, run })
  }

  #closing(end: End | undefined): Step {
    return this.#host.announce('close port', end?.name ?? '').step
  }

  reset(): void {
    for (const { port } of this.#portHandles.values()) {
      stop(port)
      real.close.call(port)
    }
    if (this.#portHandles.size > 0) this.#portHandles.clear()
    if (this.#broadcast.size > 0) this.#broadcast.clear()
    this.#arriving = []
    this.#half = this.#nested = this.name = undefined
  }

  /** A channel of norn's own, for `structuredClone`: made while no execution is under way. */
  readonly #private = new MessageChannel() as unknown as { readonly port1: Port; readonly port2: Port }

  #attach(handle: PortHandle, end: End): void {
    handle.end = end
    end.handle = handle
    // Node runs the queue of a port that arrives, in case it is not empty.
    this.wake(handle)
  }

  #tuned(name: string): End {
    let others = this.#broadcast.get(name)
    if (others === undefined) this.#broadcast.set(name, (others = new Set()))
    const end: End = { siblings: new Set(others), name, queue: [], handle: undefined }
    for (const other of others) other.siblings.add(end)
    others.add(end)
    return end
  }

  #entangle(second: PortHandle): void {
    const ends = [0, 1].map((): End => ({ siblings: new Set(), name: '', queue: [], handle: undefined }))
    const [one, two] = ends as [End, End]
    one.siblings.add(two)
    two.siblings.add(one)
    this.#attach(this.#half!, one)
    this.#attach(second, two)
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
      if (other.handle !== undefined) this.wake(other.handle)
    }
  }

  #deliver(end: End, ends: readonly End[]): void {
    const { step } = this.#host.announce('message', end.name)
    end.queue.push({ step, ends })
    if (end.handle !== undefined) this.wake(end.handle)
  }

  /** Posts for real. What comes back with it are the ends that travel. */
  #send(port: Port, [message, given, ...rest]: unknown[]): [result: unknown, ends: End[]] {
    const { transfer, options } = transferOf(given)
    const ports = transfer.filter((each) => this.#portHandles.has(each as object))
    this.#nested = []
    try {
      const envelope = { message, ports }
      const result = real.postMessage.call(port, envelope, ...(given === undefined ? [] : [options, ...rest]))
      const moved = [...ports.map((each) => this.#portHandles.get(each as object)!.end!), ...this.#nested]
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
    const { handle } = end
    end.handle = undefined
    if (handle === undefined) return
    handle.end = undefined
    this.close(handle)
  }
}
