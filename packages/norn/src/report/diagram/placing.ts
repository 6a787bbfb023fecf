/**
 * Which lane a step stands in: that of its thread or child process, where there are several; that of its
 * strand, where there are connections; else that of its causal chain.
 */
import type { Passed } from '../../contract/messaging.ts'
import type { Transfer } from '../../contract/traffic.ts'
import type { Diagram, Lane } from './diagram.ts'
import { isolateNotes, laneNames, MAX_ISOLATES, shortNames } from './isolate-names.ts'
import { partyNames } from './party-names.ts'
import { type Placed, StepTexts } from './step-text.ts'
import { CLIENT, partiesText, type Strand, Strands, serversOf } from './strands.ts'

interface Labelled {
  readonly label: string
  readonly chain: string
}

export class Placing {
  readonly columns: Diagram['columns']
  /** The lanes met so far, and their parties. */
  readonly lanes: Lane[] = []
  readonly parties: string[] = []
  readonly shortParties: string[] = []
  readonly #input: Placed
  readonly #strands: Strands | undefined
  readonly #isolates: Placed['messaging']
  readonly #names: readonly string[]
  readonly #shortNames: readonly string[]
  readonly #partyName: (party: string) => string
  readonly #known = new Map<string | Strand, number>()
  readonly #partyOf = new Map<string, number>()

  constructor(input: Placed) {
    const { traffic, trace, messaging } = input
    this.#input = input
    this.#strands = traffic && new Strands(trace, traffic)
    this.#isolates = messaging !== undefined && messaging.isolates.length > 1 ? messaging : undefined
    this.#names = this.#isolates === undefined ? [] : laneNames(this.#isolates)
    this.#shortNames = this.#isolates === undefined ? [] : shortNames(this.#isolates)
    this.#partyName = partyNames(traffic === undefined ? [] : serversOf(traffic))
    if (this.#isolates !== undefined) this.#order(traffic)
    this.columns = this.#isolates ? 'isolates' : traffic === undefined ? 'chains' : 'parties'
  }

  get hasIsolates(): boolean {
    return this.#isolates !== undefined
  }

  /** The lane in which a step runs. */
  ofRun({ label, chain }: Labelled): number {
    const isolate = this.#isolates?.runners.get(label) ?? this.#isolates?.makers.get(label) ?? 0
    return this.#lane(isolate, () => this.#strands?.of(label), chain)
  }

  /** The lane that made a step: that of what has not run yet. */
  ofMaker({ label, chain }: Labelled, transfer?: Transfer): number {
    const isolate = this.#isolates?.makers.get(label) ?? 0
    const strand = () => (transfer && this.#strands?.from(transfer)) ?? this.#strands?.of(label)
    return this.#lane(isolate, strand, chain)
  }

  /** The lane from which something was sent over a connection; undefined if a fault of the network did it. */
  ofSender(transfer: Transfer): number | undefined {
    const strand = this.#strands?.from(transfer)
    return strand && this.#lane(this.#isolates?.makers.get(transfer.label) ?? 0, () => strand, '')
  }

  /** The lane that sent something to another isolate. */
  ofSent({ from, sentIn }: Passed): number {
    const { runners, makers } = this.#isolates!
    const isOfStep = (runners.get(sentIn) ?? makers.get(sentIn) ?? 0) === from
    return this.#lane(from, () => (isOfStep ? this.#strands?.of(sentIn) : undefined), '')
  }

  /** Who listens where, and what runs in the lanes of isolates. */
  notes(): string[] {
    const texts = new StepTexts(this.#input)
    const shown = [...this.#names.keys()].slice(1, MAX_ISOLATES)
    const told = this.#isolates && isolateNotes(this.#isolates, shown, (name) => texts.ownPlaceOf(name))
    return [...(told ?? []), ...partiesText(this.#input)]
  }

  #lane(isolate: number, strandOf: () => Strand | undefined, chain: string): number {
    if (this.#isolates !== undefined && isolate >= MAX_ISOLATES) return this.#named('isolates', 'others')
    if (isolate > 0) return this.#ofIsolate(isolate)
    const strand = strandOf()
    if (strand !== undefined) return this.#ofStrand(strand)
    if (this.#isolates !== undefined) return this.#ofIsolate(0)
    const known = this.#known.get(chain) ?? this.lanes.push({}) - 1
    this.#known.set(chain, known)
    return known
  }

  /** The columns of isolates have an order: first what the body's does, then the others as they were started. */
  #order(traffic: Placed['traffic']): void {
    if (traffic === undefined) this.#ofIsolate(0)
    else for (const each of [CLIENT, ...serversOf(traffic)]) this.#party(`party ${each}`, this.#partyName(each))
    for (let index = 1; index < Math.min(this.#names.length, MAX_ISOLATES); index++) this.#ofIsolate(index)
  }

  #ofIsolate(index: number): number {
    return this.#named(`isolate ${index}`, this.#names[index]!, this.#shortNames[index]!)
  }

  /** The one lane of a party. */
  #named(key: string, name: string, short = name): number {
    const known = this.#known.get(key) ?? this.lanes.push({ party: this.#party(key, name, short) }) - 1
    this.#known.set(key, known)
    return known
  }

  #ofStrand(strand: Strand): number {
    // Strands follow each other far: no recursion.
    const unknown: Strand[] = []
    for (let at: Strand | undefined = strand; at !== undefined && !this.#known.has(at); at = at.after) unknown.push(at)
    for (const each of unknown.reverse()) {
      const after = each.after && this.#known.get(each.after)
      const party = this.#party(`party ${each.party}`, this.#partyName(each.party))
      this.#known.set(each, this.lanes.push({ party, ...(after === undefined ? {} : { after }) }) - 1)
    }
    return this.#known.get(strand)!
  }

  #party(key: string, name: string, short = name): number {
    const known = this.#partyOf.get(key) ?? this.parties.push(name) - 1
    this.shortParties[known] = short
    this.#partyOf.set(key, known)
    return known
  }
}
