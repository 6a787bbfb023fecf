/**
 * Draws what a network does to a program, by the table of contract/network-faults.ts. Each point
 * draws one choice of each kind that it may meet, and none once the budget of the kind is spent.
 */
import type { FaultKind } from '../../contract/execution.ts'
import {
  NETWORK_FAULTS,
  type NetworkFaultTable,
  type NetworkPoint,
  type Severing,
} from '../../contract/network-faults.ts'
import type { Step } from '../loop/causality.ts'
import type { Faults, Performed } from '../loop/faults.ts'

/** How a connection ends in the middle of what one side sends. */
export interface Severed extends Pick<Severing, 'isReset'> {
  /** How much still arrives: nothing, all, or what comes before one of the places to cut. */
  readonly arrives: 'nothing' | 'all' | { readonly place: number }
}

type Outcomes = readonly (readonly [kind: FaultKind, outcomes: readonly string[]])[]

export class NetworkFaults {
  readonly #faults: Faults
  readonly #isLoading: () => boolean
  readonly #outcomes: Readonly<Record<NetworkPoint, Outcomes>>
  readonly #severings: readonly (readonly [kind: FaultKind, severing: Severing])[]

  constructor(faults: Faults, isLoading: () => boolean, table: NetworkFaultTable = NETWORK_FAULTS) {
    this.#faults = faults
    this.#isLoading = isLoading
    const entries = Object.entries(table) as [FaultKind, NetworkFaultTable[string]][]
    const at = (point: NetworkPoint): Outcomes =>
      entries.flatMap(([kind, { meets }]) => (meets?.[point] === undefined ? [] : [[kind, meets[point]] as const]))
    this.#outcomes = { connect: at('connect'), message: at('message'), lookup: at('lookup'), query: at('query') }
    this.#severings = entries.flatMap(([kind, { severs }]) => (severs === undefined ? [] : [[kind, severs] as const]))
  }

  /** Whether connections may still be severed. */
  get maySever(): boolean {
    return this.#severings.some(([kind]) => this.#faults.allows(kind))
  }

  /**
   * The outcome that something meets; undefined for no fault.
   *
   * @param met by default the operation that takes effect now
   */
  at(point: NetworkPoint, met: Performed | undefined = this.#faults.performed): string | undefined {
    if (met === undefined) return undefined
    for (const [kind, outcomes] of this.#outcomes[point]) {
      if (!this.#isPossible(kind)) continue
      const value = this.#faults.draw(kind, met, met.kind, outcomes.length, (drawn) => outcomes[drawn - 1]!)
      if (value > 0) return outcomes[value - 1]
    }
    return undefined
  }

  /**
   * Of what one side sends.
   *
   * @param places the number of places at which it can be cut
   * @param before how much comes before one of them: `3 of 10 bytes`
   */
  severed(step: Step, resource: string, places: number, before: (place: number) => string): Severed | undefined {
    for (const [kind, { call, did, isReset }] of this.#severings) {
      if (!this.#isPossible(kind)) continue
      const outcome = (value: number) => {
        const when = value === 1 ? 'before it arrived' : value === 2 ? 'after it arrived' : undefined
        return `${did} ${when ?? `after ${before(value - 3)}`}`
      }
      const value = this.#faults.draw(kind, { step, kind: 'data', resource }, call, places + 2, outcome)
      if (value === 0) continue
      const arrives = value === 1 ? 'nothing' : value === 2 ? 'all' : { place: value - 3 }
      return { isReset, arrives }
    }
    return undefined
  }

  #isPossible(kind: FaultKind): boolean {
    return this.#faults.isPossible(kind) && !this.#isLoading()
  }
}
