/**
 * Who does what in an execution over connections: its parties are the servers, each by its address,
 * and the client, which is all the rest. A strand is what a party does about one thing: a server
 * about one message, the client about what it forked. An answer continues the strand that asked.
 */

import type { TraceEvent } from '../../contract/trace.ts'
import type { Connected, Traffic, Transfer } from '../../contract/traffic.ts'

import { partyNames } from './party-names.ts'
import { type Placed, StepTexts } from './step-text.ts'

export interface Strand {
  readonly party: string
  /** The strand that it follows, whose column it takes if that is free. */
  readonly after: Strand | undefined
}

/** The party of what is no server. */
export const CLIENT = 'client'

/** Servers whose places are told. */
const MAX_TOLD = 8

interface Ends {
  readonly connected: Connected
  client: Strand | undefined
  server: Strand | undefined
}

export class Strands {
  readonly #transfers: ReadonlyMap<string, Transfer>
  readonly #causes: Traffic['causes']
  readonly #ends: readonly Ends[]
  readonly #known = new Map<string, Strand>()
  /** The sender of each transfer. */
  readonly #senders = new Map<string, Strand>()

  /** Follows the events of an execution in their order. */
  constructor(trace: readonly TraceEvent[], { connections, transfers, causes }: Traffic) {
    this.#causes = causes
    this.#transfers = new Map(transfers.map((transfer) => [transfer.label, transfer]))
    this.#ends = connections.map((connected) => ({ connected, client: undefined, server: undefined }))
    for (const { event, label } of trace) {
      const transfer = this.#transfers.get(label)
      if (transfer === undefined) continue
      if (event === 'submit' && transfer.isInjected !== true) this.#sent(transfer)
      else if (event === 'callback') this.of(label)
    }
  }

  /** The strand of a step. */
  of(label: string): Strand {
    // Chains are long: no recursion.
    const path: string[] = []
    let strand: Strand | undefined
    for (
      let at: string | undefined = label;
      strand === undefined && at !== undefined;
      at = this.#causes.get(at)?.label
    ) {
      strand = this.#known.get(at) ?? this.#arriving(at)
      path.push(at)
    }
    strand ??= { party: CLIENT, after: undefined }
    for (const [index, at] of path.reverse().entries()) {
      if (index > 0 && this.#causes.get(at)!.forks) strand = { party: strand.party, after: strand }
      this.#known.set(at, strand)
    }
    return strand
  }

  /** The strand from which something was sent; undefined if a fault of the network did it. */
  from({ label }: Transfer): Strand | undefined {
    return this.#senders.get(label)
  }

  #sent(transfer: Transfer): void {
    const ends = this.#ends[transfer.connection]!
    const isClients = transfer.to === 'server' || transfer.what === 'connection'
    const end = isClients ? 'client' : 'server'
    const sender = this.of(this.#causes.get(transfer.label)?.label ?? transfer.label)
    // A step of one party may use the other's end.
    const party = isClients ? ends.client?.party : ends.connected.server
    const isOwn = party === undefined || party === sender.party
    ends[end] = isOwn ? sender : (ends[end] ?? { party, after: undefined })
    this.#senders.set(transfer.label, ends[end])
  }

  /** The strand of a step as which something arrives; undefined of other steps. */
  #arriving(label: string): Strand | undefined {
    const transfer = this.#transfers.get(label)
    if (transfer === undefined) return undefined
    const ends = this.#ends[transfer.connection]!
    if (transfer.to === 'client') return ends.client
    return (ends.server = { party: ends.connected.server, after: ends.server })
  }
}

export const serversOf = ({ connections }: Traffic) => connections.map(({ server }) => server)

/** Where servers listen: `:3000 listens at server.ts:12`. */
export function partiesText(placed: Placed): string[] {
  if (placed.traffic === undefined) return []
  const { connections } = placed.traffic
  const texts = new StepTexts(placed)
  const names = partyNames(serversOf(placed.traffic))
  const places = new Map(connections.map(({ server, place }) => [server, texts.ownPlaceOf(place)]))
  const told = [...places].flatMap(([server, place]) => (place === '' ? [] : [`${names(server)} listens at ${place}`]))
  return told.slice(0, MAX_TOLD)
}
