/**
 * The search of ModelFuzz's published harness for actors (its round-robin strategy, which its test
 * driver selects), as read, and as repaired.
 *
 * An execution that reaches new states makes five mutants for each of them; a mutant is a list of
 * recorded entries, and waits in a queue. At each scheduling point the replay takes the first entry
 * of its list whose operation is enabled, from where it was; entries that are not enabled stay, and
 * are tried again after the end of the list. So a list of three entries for two decisions lets an
 * execution go on half as far again as its parent. With an empty list or queue, an enabled operation
 * is drawn.
 *
 * As published:
 * - The mutants of one execution are one list, shared: it gets all the swaps, and the first of its
 *   replays consumes it.
 * - The operation that is the first of the enabled ones counts as not found.
 *
 * As repaired, each mutant is a copy with a swap of its own, and an index of 0 is an index.
 *
 * Failing executions are mutated too, and the campaign does not begin with random seeds.
 */
import { chance } from '../../../packages/norn/src/tape/chance.ts'
import type { Size } from '../model.ts'
import { type Entry, type Execution, Runtime } from './runtime.ts'

export interface CampaignOptions extends Size {
  readonly guide: 'none' | 'trace' | 'model'
  readonly isRepaired: boolean
  readonly seed: number
}

/** Mutants for each new state, or for a new trace. */
const MUTANTS = 5
/** Draws until two entries of different operations are found to be swapped. */
const MAX_DRAWS = 1000
const DOMAIN = 0x636f796f

/** Lists of entries that are to be replayed. */
interface Waiting {
  readonly entries: Entry[]
  left: number
}

export class PublishedCampaign {
  readonly #options: CampaignOptions
  readonly #runtime: Runtime
  readonly #draw: (count: number) => number
  readonly #states = new Set<number>()
  readonly #traces = new Set<string>()
  readonly #queue: Waiting[] = []
  #replay: Entry[] = []
  /** Where the replay goes on in its list. */
  #at = 0

  constructor(options: CampaignOptions) {
    const draws = chance(DOMAIN, options.seed)
    this.#options = options
    this.#runtime = new Runtime(options)
    this.#draw = (count) => draws.integer(0, count - 1)
  }

  /** Runs the next execution. */
  next(): Execution {
    this.#replay = this.#nextReplay()
    this.#at = 0
    const execution = this.#runtime.execute((enabled) => this.#pick(enabled))
    const mutants = MUTANTS * this.#worth(execution)
    if (mutants > 0) this.#add(execution.entries, mutants)
    return execution
  }

  #nextReplay(): Entry[] {
    const first = this.#queue[0]
    if (first === undefined) return []
    if (--first.left === 0) this.#queue.shift()
    return this.#options.isRepaired ? this.#swapped([...first.entries]) : first.entries
  }

  #worth({ states, entries }: Execution): number {
    let newStates = 0
    for (const state of states) {
      if (this.#states.has(state)) continue
      this.#states.add(state)
      newStates++
    }
    if (this.#options.guide === 'model') return newStates
    if (this.#options.guide === 'none') return 0
    const trace = entries.map(({ operation, kind }) => `${operation}${kind[0]}`).join()
    const isNew = !this.#traces.has(trace)
    this.#traces.add(trace)
    return isNew ? 1 : 0
  }

  #add(entries: Entry[], mutants: number): void {
    if (!this.#options.isRepaired) for (let at = 0; at < mutants; at++) this.#swapped(entries)
    this.#queue.push({ entries, left: mutants })
  }

  /** The same list, with two entries of different operations swapped. */
  #swapped(entries: Entry[]): Entry[] {
    if (entries.length < 2) return entries
    let [one, other, draws] = [0, 0, 0]
    do {
      one = this.#draw(entries.length)
      other = this.#draw(entries.length)
    } while (entries[one]!.operation === entries[other]!.operation && ++draws < MAX_DRAWS)
    const kept = entries[one]!
    entries[one] = entries[other]!
    entries[other] = kept
    return entries
  }

  #pick(enabled: readonly number[]): number {
    const entries = this.#replay
    const firstFound = this.#options.isRepaired ? 0 : 1
    for (let tried = 0; tried < entries.length; tried++) {
      const at = (this.#at + tried) % entries.length
      const found = enabled.indexOf(entries[at]!.operation)
      if (found < firstFound) continue
      entries.splice(at, 1)
      this.#at = at
      return found
    }
    this.#at += entries.length
    return this.#draw(enabled.length)
  }
}
