/**
 * What went over connections, for reports: which step brought what to which end. Taken only when
 * explaining; no part of the trace.
 */
import type { Cause, Connected, End, Traffic, Transfer } from '../../contract/traffic.ts'
import type { Step } from '../loop/causality.ts'
import { RealMap } from '../realm/language.ts'
import { MessageTexts } from './message-text.ts'

/** Steps whose causes are kept. */
const MAX_CAUSES = 200_000

interface Known {
  readonly connection: number
  readonly texts: MessageTexts
}

export class TrafficRecord implements Traffic {
  readonly connections: Connected[] = []
  readonly transfers: Transfer[] = []
  readonly routine = new Set<string>()
  readonly causes = new RealMap<string, Cause>()
  readonly #known = new RealMap<object, Known>()
  readonly #byLabel = new RealMap<string, Transfer>()
  readonly #capture: (place: string) => void

  /** @param capture keeps the running stack under a name */
  constructor(capture: (place: string) => void) {
    this.#capture = capture
  }

  starts({ label, chain }: Step, parent: Step): void {
    if (this.causes.size < MAX_CAUSES) this.causes.set(label, { label: parent.label, forks: chain !== parent.chain })
  }

  listens(address: string): void {
    this.#capture(placeOf(address))
  }

  /**
   * @param conversation the identity of the connection
   * @param accept the step as which the server accepts it; undefined if no server of the program does
   */
  connects(conversation: object, server: string, connect: Step, accept: Step | undefined): void {
    const connection = this.connections.push({ server, place: placeOf(server) }) - 1
    this.#known.set(conversation, { connection, texts: new MessageTexts() })
    this.#add(conversation, connect, 'connection', 'client')
    if (accept !== undefined) this.#add(conversation, accept, 'connection', 'server')
  }

  /**
   * @param bytes undefined for the second part of what was sent, which arrives by itself
   * @param isEncrypted by TLS
   * @param said what the bytes say, where that is known
   */
  sends(conversation: object, arrival: Step, to: End, bytes?: Uint8Array, isEncrypted = false, said?: string): void {
    const texts = this.#known.get(conversation)?.texts
    const text = bytes === undefined ? 'the rest' : isEncrypted ? 'TLS' : (said ?? texts?.of(bytes, to))
    this.#add(conversation, arrival, 'bytes', to, text)
  }

  ends(conversation: object, arrival: Step, to: End, what: 'end' | 'reset', isInjected: boolean): void {
    this.#add(conversation, arrival, what, to, '', isInjected)
  }

  /** One read has the bytes of several sends. */
  reads([first, ...others]: readonly Step[]): void {
    for (const { label } of others) {
      const transfer = this.#byLabel.get(label)
      if (transfer !== undefined && label !== first!.label) transfer.with ??= first!.label
    }
  }

  /** What comes of what a step brought, before what it says. */
  comes({ label }: Step, what: string): void {
    const transfer = this.#byLabel.get(label)
    if (transfer !== undefined) transfer.text = `(${what}) ${transfer.text}`
  }

  isRoutine({ label }: Step): void {
    this.routine.add(label)
  }

  #add(conversation: object, { label }: Step, what: Transfer['what'], to: End, text = '', isInjected = false): void {
    const known = this.#known.get(conversation)
    if (known === undefined) return
    const transfer = { label, what, connection: known.connection, to, text, ...(isInjected && { isInjected }) }
    this.transfers.push(transfer)
    this.#byLabel.set(label, transfer)
  }
}

const placeOf = (address: string) => `listen ${address}`
