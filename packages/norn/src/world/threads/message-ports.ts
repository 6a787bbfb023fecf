/**
 * The message ports of one execution: the ends of each channel, their queues, and the port that
 * serves each end.
 *
 * Messages stay Node's: a real `postMessage` clones and transfers into the other port's real queue,
 * and `receiveMessageOnPort` takes them out. Here are the step of each message and the ends that
 * travel in it: an envelope carries the transferred ports, so that norn recognises those that Node
 * creates on the other side. Follows src/node_messaging.cc: `Close`, `OnClose`, `SiblingGroup`.
 *
 * Invariants: a port receives messages in the order posted, in the next poll phase; nothing is
 * drawn for them, because in Node the posting port wakes the same loop and no immediate comes
 * first.
 */
import { contentText } from '../isolates/content-text.ts'
import type { Content, MessagingRecord } from '../isolates/messaging-record.ts'
import type { AsyncHandles } from '../loop/async-handles.ts'
import type { Causality, Step } from '../loop/causality.ts'
import type { Isolate } from '../loop/isolate.ts'
import type { NetworkHost } from '../network/network-host.ts'
import { endContext, withoutHooks } from '../realm/callback-scope.ts'
import type { Control } from '../realm/replace.ts'
import {
  cloneable,
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
  readonly causality: Causality
  nowUs(): number
  /** Announces a callback in the poll phase without a pool thread. */
  readonly announce: NetworkHost['announce']
  /** Takes what isolates do, while explaining. */
  readonly messaging: () => MessagingRecord | undefined
}

/** The ports of one execution. */
export class Ports implements PortServing {
  readonly #host: PortsHost
  readonly #portHandles = new Map<object, PortHandle>()
  /** Ends whose ports Node is about to create. */
  #arriving: End[] = []
  /** The first port of a channel whose second does not exist yet. */
  #half: PortHandle | undefined
  /** Channels that Node created for a message: a transferred stream travels by the second port. */
  #nested: End[] | undefined
  /** The name of the `BroadcastChannel` being created. */
  name: string | undefined
  readonly #broadcast = new Map<string, Set<End>>()

  constructor(host: PortsHost) {
    this.#host = host
  }

  handleOf(port: unknown): PortHandle | undefined {
    return this.#portHandles.get(port as object)
  }

  /** Registers a port that Node created. */
  adopt(port: Port): void {
    const handle = new PortHandle(port, this.#host.causality.isolate, this)
    this.#portHandles.set(port, handle)
    // The real handle keeps nothing alive and closes without an event.
    real.unref.call(port)
    Object.defineProperty(port, ON_CLOSE, { value: () => {} })
    this.#host.handles.open(handle)
    const end = this.#arriving.shift()
    if (end !== undefined) {
      this.#attach(handle, end)
      // Node runs the queue of an arriving port, in case it is not empty.
      this.wake(handle)
    } else if (this.name !== undefined) this.#attach(handle, this.#tuned(this.name))
    else if (this.#half === undefined) this.#half = handle
    else this.#entangle(handle)
  }

  /** Posts into the real queues, and announces a step for each. */
  post(handle: PortHandle, args: unknown[]): unknown {
    const end = handle.isClosing ? undefined : handle.end
    const [result, ends] = this.#send(handle.wire, args)
    if (end === undefined) for (const lost of ends) this.#disentangle(lost)
    else for (const sibling of end.siblings) this.#deliver(sibling, ends, args[0])
    // A port posted to itself takes its channel along.
    for (const moved of ends) if (end?.siblings.has(moved) === true) this.#disentangle(moved)
    return result
  }

  /**
   * Takes the first message; throws decoding errors. Undefined if there is none, or the port has
   * closed: until the closing phase it has its queue.
   */
  take(handle: PortHandle): Envelope | undefined {
    const first = handle.end?.queue.shift()
    if (first === undefined) return undefined
    if ('closing' in first) return this.close(handle, first.closing)
    this.#host.messaging()?.receives(first.step)
    return this.#receive(handle.wire, first.ends)
  }

  /** `structuredClone` with transferred ports: a message to nobody. */
  clone(value: unknown, transfer: readonly unknown[]): unknown {
    const { port1, port2 } = this.#private
    const [, ends] = this.#send(port1, [value, transfer])
    return this.#receive(port2 as Port, ends).message
  }

  round(): number {
    return this.#host.handles.round
  }

  /** Follows `MessagePort::Start`: an empty queue does not wake the loop. */
  start(handle: PortHandle): void {
    handle.isReceiving = true
    if (handle.end !== undefined && handle.end.queue.length > 0) this.wake(handle)
  }

  wake(handle: PortHandle): void {
    const first = handle.end?.queue[0]
    const nowUs = this.#host.nowUs()
    handle.dueUs = first !== undefined && 'atUs' in first ? Math.max(first.atUs, nowUs) : nowUs
  }

  /** The program, or Node on its behalf, closes a port; the end of a thread and other ends follow. */
  closeByCall(handle: PortHandle): void {
    const { end, isClosing } = handle
    if (!isClosing) this.close(handle, this.#closing(end, (end?.siblings.size ?? 0) > 0))
  }

  /** @param step the step of the closing; by default a child of the running step */
  close(handle: PortHandle, step: Step = this.#closing(handle.end)): undefined {
    if (handle.isClosing) return
    handle.isClosing = true
    real.close.call(handle.port)
    const run = () => {
      const { end } = handle
      handle.end = undefined
      handle.isClosed = true
      if (end !== undefined) this.#disentangle(end)
      endContext(handle.context, () => Reflect.apply(prototype[ON_CLOSE]!, handle.port, []))
    }
    const resource = handle.end?.name ?? ''
    this.#host.handles.close(handle, { step, isolate: handle.isolate, kind: 'close port', resource, delayUs: 0, run })
  }

  /** Closes the ports of an isolate that has ended: the other ends notice, nothing runs here. */
  closeOf(isolate: Isolate): void {
    for (const handle of this.#portHandles.values()) {
      if (handle.isolate !== isolate) continue
      if (!handle.isClosing) real.close.call(handle.port)
      handle.isClosing = true
      this.#host.handles.remove(handle)
      const { end } = handle
      handle.end = undefined
      if (end !== undefined) this.#disentangle(end)
    }
  }

  /**
   * Gives the port that Node has just created for a thread a channel of norn's; returns the other
   * end of it, which the thread owns.
   */
  connect(port: unknown, isolate: Isolate): PortHandle {
    const outer = this.#half!
    this.#half = undefined
    if (outer.port !== port) throw new Error('a port that belongs to no thread is alone')
    const { port1, port2 } = withoutHooks(() => new MessageChannel())
    const [near, far] = [this.#portHandles.get(port1)!, this.#portHandles.get(port2)!]
    outer.wire = near.port
    this.#attach(outer, near.end!)
    near.end = undefined
    near.isRefed = false
    far.isolate = isolate
    return far
  }

  /** Serves the ports of an isolate that goes on after a wait. */
  wakeAll(isolate: Isolate): void {
    for (const handle of this.#portHandles.values()) if (handle.isolate === isolate) this.wake(handle)
  }

  /** A port that Node created alone is of no use. */
  forgetHalf(): void {
    this.#half = undefined
  }

  /** Runs what is in the queue of a port at once, as Node does for a thread that has ended. */
  drain(handle: PortHandle | undefined): void {
    while (handle?.end !== undefined && handle.end.queue[0] !== undefined && !('closing' in handle.end.queue[0]))
      handle.receive()
  }

  /** @param isTold whether the program closes it */
  #closing(end: End | undefined, isTold = false): Step {
    const { step } = this.#host.announce('close port', end?.name ?? '')
    if (!isTold) this.#host.messaging()?.isRoutine(step)
    return step
  }

  /** Closes the real ports of an execution, so that none acts outside the world. */
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

  /** Norn's own channel for `structuredClone`, created outside executions. */
  readonly #private = new MessageChannel() as unknown as { readonly port1: Port; readonly port2: Port }

  #attach(handle: PortHandle, end: End): void {
    handle.end = end
    end.handle = handle
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

  /** Between isolates the message takes a drawn time; in one isolate the posting port wakes the loop. */
  #deliver(end: End, ends: readonly End[], message: unknown): void {
    const isOwn = end.handle === undefined || end.handle.isolate === this.#host.causality.isolate
    const isDrawn = !isOwn && !end.isQuiet
    const { step, delayUs } = this.#host.announce('message', end.name, isDrawn ? 'callback' : undefined)
    const messaging = this.#host.messaging()
    if (messaging !== undefined) {
      const content = end.contentOf === undefined ? saidAt(end, message) : end.contentOf(message)
      messaging.sends(step, content, end.handle?.isolate)
    }
    const last = end.queue.at(-1)
    const afterUs = last !== undefined && 'atUs' in last ? last.atUs : 0
    const round = isOwn ? undefined : this.#host.handles.round
    end.queue.push({ step, ends, delayUs, round, atUs: Math.max(this.#host.nowUs() + delayUs, afterUs) })
    if (end.handle !== undefined) this.wake(end.handle)
  }

  /** Posts for real; returns also the ends that travel. */
  #send(port: Port, [message, given, ...rest]: unknown[]): [result: unknown, ends: End[]] {
    const { transfer, options } = transferOf(given)
    const ports = transfer.filter((each) => this.#portHandles.has(each as object))
    this.#nested = []
    try {
      const envelope = { message: cloneable(message), ports }
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

  /** Closes the port of an end that travels. */
  #release(end: End): void {
    const { handle } = end
    end.handle = undefined
    if (handle === undefined) return
    handle.end = undefined
    this.close(handle)
  }
}

function saidAt({ name }: End, message: unknown): Content {
  return { what: 'message', text: `${name === '' ? '' : `${name}: `}${contentText(message)}` }
}
