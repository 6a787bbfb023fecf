/**
 * How a socket's stream connects, the same for TCP and for Unix sockets: the client learns of it in
 * a poll phase, or of an early error from the pending queue; the connection waits to be accepted.
 */

import type { Delays } from '../../options/latency-ranges.ts'
import type { Step } from '../loop/causality.ts'
import { TRIES, tryUs } from '../network/connecting-retries.ts'
import { Side } from '../network/connection.ts'
import { ways } from '../network/latencies.ts'
import type { Gateway } from '../open/gateway.ts'
import type { Local, Target } from '../open/gateway-messages.ts'
import { uv } from '../realm/uv.ts'
import type { Accepting, AcceptQueue } from './accept-queue.ts'
import type { Stream } from './stream-base.ts'
import type { Request } from './stream-request.ts'

/** A stream's call of `connect`. */
export interface Attempt {
  readonly stream: Stream
  readonly request: Request
  /** The type of the request's asynchronous resource. */
  readonly type: 'TCPCONNECTWRAP' | 'PIPECONNECTWRAP'
}

/**
 * The connection fails: in a poll phase, or from the pending queue.
 *
 * @param link to the other side, which answers
 */
export function failConnect(
  { stream, request, type }: Attempt,
  status: number,
  to: string,
  isPolled = false,
  link?: Delays,
): number {
  const { announce, nowUs, descriptors } = stream.host
  const point = isPolled ? 'callback' : undefined
  const { step, delayUs } = announce('connect', to, point, 0, undefined, ways(2, link))
  const waiting = stream.waiting(request, type, step)
  stream.connect({ ...waiting, to, atUs: nowUs() + delayUs, delayUs, status, side: undefined })
  if (!isPolled) descriptors.feed(stream)
  return 0
}

/** A connection on its way to a listener. */
export interface Joining {
  readonly stream: Stream
  readonly waiting: ReturnType<Stream['waiting']>
  readonly delayUs: number
  readonly client: Side
  readonly server: Side
  readonly accepting: Pick<Accepting, 'step' | 'delayUs'>
  /** When the program called `connect`. */
  readonly sinceUs: number
}

/**
 * Announces a connection and that it is accepted.
 *
 * @param listener the address that the server listens at
 * @param refusal draws whether the network refuses it, which then comes instead
 * @param isAtOnce it is made within the call, and both ends find it at the next poll
 */
export function beginJoining(
  { stream, request, type }: Attempt,
  listener: string,
  client: Side,
  server: Side,
  link?: Delays,
  refusal?: (step: Step) => string | undefined,
  isAtOnce = false,
): Joining | undefined {
  const { nowUs, announce } = stream.host
  const point = isAtOnce ? undefined : 'callback'
  const { step, delayUs } = announce('connect', server.name, point, 0, undefined, ways(2, link))
  const refused = refusal?.(step)
  if (refused !== undefined) {
    const patienceUs = refused === 'ETIMEDOUT' ? tryUs(TRIES) : delayUs
    const waiting = stream.waiting(request, type, step)
    const status = uv[`UV_${refused}`]!
    stream.connect({ ...waiting, to: server.name, atUs: nowUs() + patienceUs, delayUs, status, side: undefined })
    return undefined
  }
  Side.pair(client, server)
  const conversation = {}
  Side.converse(client, server, conversation)
  const accepting = announce('accept', server.name, point, 0, undefined, ways(3, link))
  stream.host.traffic?.()?.connects(conversation, listener, step, accepting.step)
  return { stream, waiting: stream.waiting(request, type, step), delayUs, client, server, accepting, sinceUs: nowUs() }
}

/**
 * Connects to a device, which accepts at once.
 *
 * @param refusal as of `beginJoining`
 * @param accepted called with the step of the connection, which the device begins
 * @returns whether it does; the network may refuse
 */
export function joinDevice(
  { stream, request, type }: Attempt,
  client: Side,
  device: Side,
  refusal: (step: Step) => string | undefined,
  accepted: (step: Step) => void,
): boolean {
  const { nowUs, announce } = stream.host
  const { step, delayUs } = announce('connect', device.name, 'callback')
  const refused = refusal(step)
  const to = { ...stream.waiting(request, type, step), to: device.name, delayUs }
  if (refused !== undefined) {
    const patienceUs = refused === 'ETIMEDOUT' ? tryUs(TRIES) : delayUs
    stream.connect({ ...to, atUs: nowUs() + patienceUs, status: uv[`UV_${refused}`]!, side: undefined })
    return false
  }
  Side.pair(client, device)
  const conversation = {}
  Side.converse(client, device, conversation)
  stream.host.traffic?.()?.connects(conversation, device.name, step, undefined)
  const atUs = nowUs() + delayUs
  client.inbound.holdUntil(atUs)
  stream.connect({ ...to, atUs, status: 0, side: client })
  accepted(step)
  return true
}

/** The connection is established at `fromUs`, and waits to be accepted by the listener. */
export function join(queue: AcceptQueue, joining: Joining, fromUs: number): void {
  const { stream, waiting, delayUs, client, server, accepting } = joining
  const [connectedUs, acceptedUs] = [fromUs + delayUs, fromUs + accepting.delayUs]
  client.inbound.holdUntil(connectedUs)
  server.inbound.holdUntil(acceptedUs)
  stream.connect({ ...waiting, to: server.name, atUs: connectedUs, delayUs, status: 0, side: client })
  queue.add({ side: server, ...accepting, sinceUs: fromUs, atUs: acceptedUs })
}

/**
 * The connection is established, and waits to be accepted by the listener.
 *
 * @param isAtOnce as of `beginJoining`
 */
export function joinConnect(
  attempt: Attempt,
  queue: AcceptQueue,
  client: Side,
  server: Side,
  isAtOnce: boolean,
): number {
  const joining = beginJoining(attempt, server.name, client, server, undefined, undefined, isAtOnce)!
  join(queue, joining, joining.sinceUs)
  return 0
}

/**
 * Connects through a real socket; the client learns of it no earlier than the drawn latency after.
 *
 * @param name of the other side, for traces
 * @param connected called with the real local address of a TCP socket
 */
export function dialOut(
  { stream, request, type }: Attempt,
  gateway: Gateway,
  target: Target,
  client: Side,
  name: string,
  connected?: (local: Local) => void,
): number {
  const { nowUs, announce } = stream.host
  const far = new Side(name, client.transport, stream.host)
  Side.pair(client, far)
  const { step, delayUs } = announce('connect', name, 'callback')
  const conversation = {}
  Side.converse(client, far, conversation)
  stream.host.traffic?.()?.connects(conversation, name, step, undefined)
  const connecting = { ...stream.waiting(request, type, step), to: name, delayUs, side: client }
  stream.connect({ ...connecting, atUs: Number.POSITIVE_INFINITY, status: 0 })
  gateway.dial(target, far, step, (error, local) => {
    if (stream.isClosed) return
    if (local !== undefined) connected?.(local)
    const atUs = nowUs() + delayUs
    client.inbound.holdUntil(atUs)
    if (error === undefined) stream.connect({ ...connecting, atUs, status: 0 })
    else {
      stream.side = undefined
      stream.connect({ ...connecting, atUs, status: uv[`UV_${error}`] ?? uv.UV_EIO!, side: undefined })
    }
  })
  return 0
}
