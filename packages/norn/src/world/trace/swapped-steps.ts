/**
 * Which steps change places between a failing execution and a passing one that differs by one choice.
 *
 * Only what takes effect counts: an effect, a callback, a timer, an immediate, a synchronous operation. A step
 * has the same name in both by its label, so what follows from a swap is not taken for it.
 */
import type { TraceEvent } from '../../contract/trace.ts'
import { follows } from './causal-order.ts'
import type { Traced } from './trace-difference.ts'

const COUNTED: ReadonlySet<TraceEvent['event']> = new Set(['effect', 'callback', 'timer', 'immediate', 'sync'])

/** Steps that one step may pass at most, for their order to be what decides. */
const MAX_PASSED = 2

/** In the failing execution `first` comes before `second`, in the passing one after it. */
export interface Swap {
  readonly first: readonly TraceEvent[]
  readonly second: readonly TraceEvent[]
}

/** The steps of an execution by name, in their order. */
export class Order {
  readonly steps: readonly TraceEvent[]
  readonly keys: readonly string[]
  readonly #places: ReadonlyMap<string, number>

  /** For each timer, how many events of the trace were before it was first set. */
  readonly #set = new Map<string, number>()
  readonly #trace: readonly TraceEvent[]

  constructor({ trace, notes }: Traced) {
    this.#trace = trace
    this.steps = trace.filter(({ event }) => COUNTED.has(event))
    for (const { event, subject, at } of notes)
      if (event === 'set' && !this.#set.has(subject)) this.#set.set(subject, at)
    const counts = new Map<string, number>()
    this.keys = this.steps.map(({ event, label, kind }) => {
      const key = `${event} ${label} ${kind}`
      const count = counts.get(key) ?? 0
      counts.set(key, count + 1)
      return `${key} ${count}`
    })
    this.#places = new Map(this.keys.map((key, at) => [key, at]))
  }

  /** Whether the step at a place is a timer that was set before it came to be the next one. */
  isPendingTimer(place: number): boolean {
    const step = this.steps[place]!
    const before = this.#trace.indexOf(this.steps[place - 1] ?? step)
    return step.event === 'timer' && (this.#set.get(step.label) ?? Number.POSITIVE_INFINITY) <= before + 1
  }

  /** Where a step stands; undefined if it does not happen. */
  placeOf(key: string): number | undefined {
    return this.#places.get(key)
  }

  /** The steps from one place up to another that the other execution has after a place. */
  between(from: number, to: number, other: Order, after: number): TraceEvent[] {
    return this.steps.slice(from, to).filter((_, index) => (other.placeOf(this.keys[from + index]!) ?? -1) > after)
  }
}

/**
 * The swap where the two part; undefined where something else than order differs first, or where a step
 * passes so many others that their order does not tell what decides.
 */
export function swapAtParting(failing: Order, passing: Order): Swap | undefined {
  const parting = failing.keys.findIndex((key, at) => key !== passing.keys[at])
  const [first, second] = [failing.steps[parting], passing.steps[parting]]
  if (first === undefined || second === undefined || hasOtherOutcomes(failing, passing, parting)) return undefined
  const passedBySecond = passed(failing, passing, parting)
  const passedByFirst = passed(passing, failing, parting)
  // One passes the other alone, which may pass one more. If both pass several, any of these may decide.
  const [least, most] = [passedBySecond.length, passedByFirst.length].sort((a, b) => a - b)
  return least === 1 && most! <= MAX_PASSED ? { first: passedBySecond, second: passedByFirst } : undefined
}

/**
 * From the parting on, the steps of one execution that come before the step which the other has there, as far
 * as the other has them later. A timer that was pending may be cleared in the other; any other step that is
 * missing shows that more than order differs.
 */
function passed(one: Order, other: Order, parting: number): TraceEvent[] {
  const later = one.placeOf(other.keys[parting]!)
  const isThere = other.placeOf(one.keys[parting]!) !== undefined || one.isPendingTimer(parting)
  if (!isThere || (later === undefined && !other.isPendingTimer(parting))) return []
  const until = later ?? parting + 1
  return withoutFollowers([one.steps[parting]!, ...one.between(parting + 1, until, other, parting)])
}

function hasOtherOutcomes(failing: Order, passing: Order, parting: number): boolean {
  return failing.steps.slice(0, parting).some(({ outcome }, at) => outcome !== passing.steps[at]!.outcome)
}

/** The first of the steps of each causal chain: the others follow from it. */
function withoutFollowers(steps: readonly TraceEvent[]): TraceEvent[] {
  return steps.filter((step, index) => !steps.slice(0, index).some((before) => follows(step, before)))
}
