/**
 * A connection: two sides, each with a flow of bytes towards it.
 *
 * Follows Linux: a side that closes with unread bytes sends a reset instead of an end
 * (`__tcp_close`); bytes that reach a closed side are answered with a reset; a reset that finds the
 * end received already is an EPIPE for the writer, otherwise an ECONNRESET (`tcp_reset`). On a Unix
 * socket the writer learns at once that the other side is closed. Pure: the courier knows time and
 * draws latencies.
 */
import type { End } from '../../contract/traffic.ts'
import { channelContent } from '../isolates/content-text.ts'
import type { Content, MessagingRecord } from '../isolates/messaging-record.ts'
import type { Step } from '../loop/causality.ts'
import { Flow, type Mark, type Passed } from './flow.ts'
import { messageLine } from './message-line.ts'
import { MessageTexts } from './message-text.ts'
import type { Severed } from './network-faults.ts'
import { cutAt, placesIn } from './tls-records.ts'
import type { TrafficRecord } from './traffic.ts'

/** Draws how long things are on their way. */
export interface Courier {
  nowUs(): number
  /** Takes what goes over connections, while explaining. */
  readonly traffic?: () => TrafficRecord | undefined
  /** Takes what goes over pipes, while explaining. */
  readonly messaging?: () => MessagingRecord | undefined
  /** Whether bytes written at once come in one part where Linux's loopback delivers them so. */
  readonly writesWhole?: () => boolean
  /**
   * Announces something that arrives in the poll phase, delayed only if a point is given.
   *
   * @param places the number of places at which it may come in two parts
   * @param message the first line of the HTTP message that it carries
   */
  readonly announce: (
    kind: string,
    resource: string,
    point?: 'callback',
    places?: number,
    message?: string,
  ) => {
    readonly step: Step
    readonly delayUs: number
    readonly tear?: { readonly us: number; readonly place: number } | undefined
  }
}

/** Reads what goes over a connection of which more is known than its bytes tell: that to a device. */
export interface Speech {
  /** A text of bytes for people, and a name that tells them from others, if they have one. */
  says(bytes: Uint8Array, to: End): { readonly name?: string | undefined; readonly text: string }
}

/** Draws whether what one side sends meets a fault of the network. */
export type Severing = (
  step: Step,
  resource: string,
  places: number,
  before: (place: number) => string,
) => Severed | undefined

/**
 * What a transport's buffers hold between two sides that do not read, in bytes, as measured. An
 * `ipc` is a pipe that carries messages and handles between processes.
 */
const CAPACITY = { tcp: 3_948_544, pipe: 229_376, ipc: 229_376 }

/**
 * What Linux's loopback delivers whole while no more than this is unread, the bytes included: of 2,000 writes of up to
 * 64 KiB none came in two parts, of 100,000 bytes each did.
 */
const WHOLE_BYTES = 65_536

/** What Linux puts into one buffer of a Unix socket: a reader sees all of it or nothing. */
const BUFFER_BYTES = 48_640

export type Transport = keyof typeof CAPACITY

/** Learns that its side has changed. */
interface Owner {
  refresh(): void
  /** The other side has read. */
  drained(): void
}

export class Side {
  /** The address, for traces. */
  readonly name: string
  readonly transport: Transport
  readonly inbound: Flow
  #peer: Side | undefined
  /** Descriptors that refer to it: several, if processes share it. */
  #holders = 1
  #owners: Owner[] = []
  isClosed = false
  /** Connections through which no network passes meet no faults. */
  severing: Severing | undefined
  /** Shared by both sides. */
  speech: Speech | undefined
  readonly #courier: Courier
  /** Of a connection to a server: what both ends share, and which end it is. */
  #conversation: object | undefined
  #role: End = 'client'
  /** A machine of the network plays it, since a fault. */
  #isBetween = false

  constructor(name: string, transport: Transport, courier: Courier) {
    this.name = name
    this.transport = transport
    this.inbound = new Flow(CAPACITY[transport])
    this.#courier = courier
  }

  static pair(one: Side, two: Side): void {
    one.#peer = two
    two.#peer = one
  }

  /** Both are ends of a connection to a server. */
  static converse(client: Side, server: Side, conversation: object): void {
    client.#conversation = server.#conversation = conversation
    server.#role = 'server'
  }

  get peer(): Side {
    return this.#peer!
  }

  attach(owner: Owner): void {
    this.#owners = [...this.#owners, owner]
  }

  detach(owner: Owner): void {
    this.#owners = this.#owners.filter((each) => each !== owner)
  }

  /** One more descriptor refers to it: it closes with the last. */
  hold(): void {
    this.#holders++
  }

  get outbound(): Flow {
    return this.peer.inbound
  }

  /** Whether this side has ended what it sends; on a Unix socket, once the other side is closed. */
  get hasEnded(): boolean {
    if (this.transport !== 'tcp' && this.peer.isClosed) return true
    return this.isClosed || this.outbound.end !== undefined
  }

  /** Why it cannot write; undefined if it can. */
  writeError(nowUs: number): 'EPIPE' | 'ECONNRESET' | undefined {
    if (this.transport !== 'tcp') return this.peer.isClosed ? 'EPIPE' : undefined
    const { reset, end } = this.inbound
    if (reset === undefined || reset.atUs > nowUs) return undefined
    return end !== undefined && end.atUs <= reset.atUs ? 'EPIPE' : 'ECONNRESET'
  }

  /**
   * Sends bytes, which the caller no longer changes.
   *
   * @param parts the lengths of the parts that they consist of, if the places at which they can be
   *   cut follow from the parts rather than from the number of bytes
   *
   * @param passed what travels with the first byte
   */
  send(bytes: Uint8Array, parts?: readonly number[], passed?: Passed): void {
    const { peer, outbound } = this
    if (peer.isClosed) {
      passed?.close()
      this.#refused()
      return
    }
    if (this.transport !== 'tcp') {
      this.#sendBuffers(bytes, parts !== undefined, passed)
      return
    }
    if (parts === undefined && outbound.canJoin(bytes.length) && messageLine(bytes) === undefined) {
      outbound.join(bytes)
      return
    }
    const places = parts === undefined ? Math.max(0, bytes.length - 1) : placesIn(parts)
    const isWhole = this.#courier.writesWhole?.() === true && outbound.size + bytes.length <= WHOLE_BYTES
    const { name, mark, tear } = this.#announce(bytes, parts !== undefined, isWhole ? 0 : places)
    const { atUs } = mark
    const severed = this.severing?.(mark.step, name, places, (place) =>
      partText(cut(bytes.length, parts, place), parts),
    )
    if (severed !== undefined) {
      const { arrives, isReset } = severed
      const before =
        arrives === 'all'
          ? (parts ?? [bytes.length])
          : arrives === 'nothing'
            ? []
            : cut(bytes.length, parts, arrives.place).before
      const size = before.reduce((sum, each) => sum + each, 0)
      if (size > 0) outbound.push(bytes.subarray(0, size), mark, before)
      this.#sever(isReset)
    } else if (tear === undefined || tear.us === 0) outbound.push(bytes, mark, parts)
    else {
      const rest = this.#courier.announce('data', peer.name)
      const { before, behind } = cut(bytes.length, parts, tear.place)
      this.#traffic?.sends(this.#conversation!, rest.step, peer.#role)
      const restUs = outbound.arrival(atUs + tear.us)
      const size = before.reduce((sum, each) => sum + each)
      outbound.push(bytes.subarray(0, size), mark, before)
      outbound.push(bytes.subarray(size), { step: rest.step, atUs: restUs, delayUs: tear.us }, behind)
    }
    peer.changed()
  }

  /** Sends on a Unix socket: each buffer arrives whole. */
  #sendBuffers(bytes: Uint8Array, isTls: boolean, passed: Passed | undefined): void {
    const { peer, outbound } = this
    const { mark } = this.#announce(bytes, isTls)
    outbound.push(bytes.subarray(0, BUFFER_BYTES), passed === undefined ? mark : { ...mark, passed })
    for (let at = BUFFER_BYTES; at < bytes.length; at += BUFFER_BYTES) {
      const { step, delayUs } = this.#courier.announce('data', peer.name, 'callback')
      this.#traffic?.sends(this.#conversation!, step, peer.#role)
      const atUs = outbound.arrival(this.#courier.nowUs() + delayUs)
      outbound.push(bytes.subarray(at, at + BUFFER_BYTES), { step, atUs, delayUs })
    }
    peer.changed()
  }

  /** Announces bytes by the first line of the HTTP message that they carry. */
  #announce(bytes: Uint8Array, isTls: boolean, places?: number) {
    const { peer, outbound } = this
    const said = this.speech?.says(bytes, peer.#role)
    const line = said === undefined ? messageLine(bytes) : said.name
    const name = line === undefined ? peer.name : `${peer.name} ${line}`
    const { step, delayUs, tear } = this.#courier.announce('data', name, 'callback', places, line)
    this.#traffic?.sends(this.#conversation!, step, peer.#role, bytes, isTls, said?.text)
    this.#messaging?.sends(step, this.#contentOf(bytes), undefined)
    const mark: Mark = { step, delayUs, atUs: outbound.arrival(this.#courier.nowUs() + delayUs) }
    return { name, mark, tear }
  }

  /** Sends the end. */
  end(): void {
    const { peer, outbound } = this
    if (outbound.end !== undefined || this.inbound.reset !== undefined) return
    outbound.end = this.#mark('end', peer)
    peer.changed()
  }

  /** Sends a reset: nothing more arrives in either direction. */
  reset(): void {
    const { peer, outbound } = this
    outbound.reset ??= this.#mark('reset', peer)
    peer.changed()
  }

  /** One descriptor is closed. */
  close(isReset = false): void {
    if (this.isClosed || --this.#holders > 0) return
    const { peer } = this
    const nowUs = this.#courier.nowUs()
    const unread = this.inbound.size > 0
    const arrived = this.inbound.readableUs <= nowUs
    if (!peer.isClosed && this.inbound.reset === undefined) {
      if (isReset || (unread && arrived)) this.reset()
      else {
        this.end()
        if (unread) this.reset()
      }
    }
    this.isClosed = true
    this.inbound.dropPassed()
    peer.changed()
  }

  /** It has something to read, or nothing any more. */
  changed(): void {
    for (const owner of this.#owners) owner.refresh()
  }

  /** This side has read: the other may write again. */
  hasRead(): void {
    if (this.#owners.length > 1) this.changed()
    for (const owner of this.peer.#owners) owner.drained()
  }

  /**
   * A machine between the two ends takes both connections over, and closes them: what was sent
   * arrives, nothing else does.
   */
  #sever(isReset: boolean): void {
    const { peer } = this
    for (const [side, other] of [
      [this, peer],
      [peer, this],
    ] as const) {
      const between = new Side(other.name, this.transport, this.#courier)
      between.#conversation = this.#conversation
      between.#role = other.#role
      between.#isBetween = true
      // What the side has ended stays ended.
      between.inbound.end = other.inbound.end
      between.#peer = side
      side.#peer = between
      // One that closes with bytes unread sends a reset.
      between.close(isReset || other.inbound.room === 0)
    }
    peer.changed()
  }

  /** What was sent to a closed side is answered with a reset. */
  #refused(): void {
    this.inbound.reset ??= this.#mark('reset', this)
    this.changed()
  }

  get #traffic(): TrafficRecord | undefined {
    return this.#conversation && this.#courier.traffic?.()
  }

  /** Of a pipe or a channel, which no server listens for. */
  get #messaging(): MessagingRecord | undefined {
    return this.#conversation === undefined ? this.#courier.messaging?.() : undefined
  }

  #contentOf(bytes: Uint8Array): Content | undefined {
    if (this.transport === 'ipc') return channelContent(bytes)
    return { what: 'output', text: new MessageTexts().of(bytes, this.peer.#role) }
  }

  #mark(kind: 'end' | 'reset', to: Side): Mark {
    const { step, delayUs } = this.#courier.announce(kind, to.name, 'callback')
    this.#traffic?.ends(this.#conversation!, step, to.#role, kind, to.peer.#isBetween)
    this.#messaging?.isRoutine(step)
    return { step, delayUs, atUs: to.inbound.arrival(this.#courier.nowUs() + delayUs) }
  }
}

/** How much comes before a cut; of parts whose lengths vary, how many. */
function partText({ before, behind }: ReturnType<typeof cutAt>, parts: readonly number[] | undefined): string {
  const sum = (lengths: readonly number[]) => lengths.reduce((total, each) => total + each, 0)
  if (parts === undefined) return `${sum(before)} of ${sum(before) + sum(behind)} bytes`
  return `part of ${parts.length} TLS records`
}

/** The lengths of the parts before and behind the cut. */
function cut(length: number, parts: readonly number[] | undefined, place: number): ReturnType<typeof cutAt> {
  return parts === undefined ? { before: [place + 1], behind: [length - place - 1] } : cutAt(parts, place)
}
