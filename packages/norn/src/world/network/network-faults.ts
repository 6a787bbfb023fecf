/**
 * What a network may do to a program: refuse a connection, reset or close one in the middle, lose,
 * double or reorder datagrams, leave a lookup without an answer.
 *
 * Only what TCP and UDP allow: bytes that arrive, arrive in order and without a gap; after a reset
 * or a close nothing more does. Each method draws one choice, and none once its budget is spent.
 */
import type { Step } from '../loop/causality.ts'
import type { Faults, Performed } from '../loop/faults.ts'

const REFUSALS = ['ECONNREFUSED', 'ETIMEDOUT'] as const
const DATAGRAMS = ['lost', 'duplicated', 'overtaken'] as const
/** The temporary failure of a name server, as `getaddrinfo` and as c-ares tell it. */
const LOOKUPS = ['EAI_AGAIN'] as const
const QUERIES = ['ESERVFAIL'] as const

/** How a connection ends in the middle of what one side sends. */
export interface Severed {
  /** Both ends are reset, or both receive the end. */
  readonly isReset: boolean
  /** How much still arrives: nothing, all, or what comes before one of the places to cut. */
  readonly arrives: 'nothing' | 'all' | { readonly place: number }
}

export class NetworkFaults {
  readonly #faults: Faults
  readonly #isLoading: () => boolean

  constructor(faults: Faults, isLoading: () => boolean) {
    this.#faults = faults
    this.#isLoading = isLoading
  }

  /** Whether connections may still be severed. */
  get maySever(): boolean {
    return this.#faults.allows('resets') || this.#faults.allows('hangups')
  }

  /** Of a connection that a server would accept. */
  refusal(step: Step, server: string): (typeof REFUSALS)[number] | undefined {
    return this.#oneOf('refusals', REFUSALS, { step, kind: 'connect', resource: server })
  }

  /**
   * Of what one side sends.
   *
   * @param places the number of places at which it can be cut
   * @param before how much comes before one of them: `3 of 10 bytes`
   */
  severed(step: Step, resource: string, places: number, before: (place: number) => string): Severed | undefined {
    for (const [kind, call, did] of SEVERINGS) {
      if (!this.#isPossible(kind)) continue
      const outcome = (value: number) => {
        const when = value === 1 ? 'before it arrived' : value === 2 ? 'after it arrived' : undefined
        return `${did} ${when ?? `after ${before(value - 3)}`}`
      }
      const value = this.#faults.draw(kind, { step, kind: 'data', resource }, call, places + 2, outcome)
      if (value === 0) continue
      const arrives = value === 1 ? 'nothing' : value === 2 ? 'all' : { place: value - 3 }
      return { isReset: kind === 'resets', arrives }
    }
    return undefined
  }

  /** Of a datagram on its way to one socket. */
  datagram(step: Step, resource: string): (typeof DATAGRAMS)[number] | undefined {
    return this.#oneOf('datagrams', DATAGRAMS, { step, kind: 'message', resource })
  }

  /** Of the lookup that takes effect now. */
  lookup(): (typeof LOOKUPS)[number] | undefined {
    const { performed } = this.#faults
    return performed && this.#oneOf('lookups', LOOKUPS, performed)
  }

  /** Of a query to a name server. */
  query(step: Step, kind: string, resource: string): (typeof QUERIES)[number] | undefined {
    return this.#oneOf('lookups', QUERIES, { step, kind, resource })
  }

  #isPossible(kind: Parameters<Faults['isPossible']>[0]): boolean {
    return this.#faults.isPossible(kind) && !this.#isLoading()
  }

  #oneOf<Name extends string>(
    kind: 'refusals' | 'datagrams' | 'lookups',
    names: readonly Name[],
    met: Performed,
  ): Name | undefined {
    if (!this.#isPossible(kind)) return undefined
    return names[this.#faults.draw(kind, met, met.kind, names.length, (value) => names[value - 1]!) - 1]
  }
}

const SEVERINGS = [
  ['resets', 'reset', 'reset'],
  ['hangups', 'close', 'closed'],
] as const
