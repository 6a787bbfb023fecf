/**
 * Suggests the smallest repair of a trace that makes the rest match: the entry is wrong, missing,
 * duplicated or out of order.
 *
 * Repairs are tried in this order: the specification's values for the entry; the entry swapped with
 * its neighbour; the entry removed; one step inserted before it; another step in its place,
 * preferably of the same action. The first that makes the rest match is reported; if none does, how
 * far the first one leads.
 *
 * Invariant: a repair is only advice; one that needs too many steps is dropped.
 */
import { TlaError } from '../error/error.ts'
import { DataError } from '../follow/from-data.ts'
import type { Tuple } from '../values/value.ts'
import { callText, type Reason } from './divergence.ts'
import type { Event } from './event.ts'
import type { Call } from './frontier.ts'
import { BoundReached, distinct, type Reached } from './frontier.ts'
import { NotInTrace } from './reach.ts'
import type { Stepper } from './stepper.ts'
import { type Outcome, type ValidateOptions, Validator } from './validate.ts'

/** Bound on the steps evaluated for one repair: usually less than a second. */
const MAX_EVALUATED = 20_000
/** Bounds on the states from which other steps are tried, and on these steps. */
const MAX_FROM = 10
const MAX_STEPS = 5_000

const ANY = { action: undefined, given: [], where: [], least: 1, most: 1 }

export interface Diverged {
  readonly stepper: Stepper
  readonly events: readonly Event[]
  /** Index of the event that nothing matches. */
  readonly at: number
  /** The open states before it. */
  readonly before: readonly Reached[]
  readonly reasons: readonly Reason[]
  readonly options: Pick<ValidateOptions, 'width' | 'silent' | 'initial'>
}

/** A sentence; undefined if no repair is found. */
export function repairText(diverged: Diverged): string | undefined {
  const { events, at } = diverged
  const left = events.length - at - 1
  const lineOf = (event: number) => events[event]!.entry.line
  const others = left === 1 ? 'the entry' : `the ${left} entries`
  const asSpecified = specified(diverged)
  if (left === 0) return undefined
  if (asSpecified?.verdict === 'behaviour') {
    return `With what the specification says at line ${lineOf(at)}, ${others} after it would fit.`
  }
  if (isExchangeFitting(diverged, at)) return exchangeText(lineOf(at), lineOf(at + 1))
  if (at > 0 && isExchangeFitting(diverged, at - 1)) return exchangeText(lineOf(at - 1), lineOf(at))
  if (run(diverged, events, at + 1, diverged.before)?.verdict === 'behaviour') {
    return `Without the entry at line ${lineOf(at)}, ${others} after it would fit.`
  }
  const steps = anyStep(diverged)
  const inserted = stepBefore(diverged, steps)
  if (inserted !== undefined) {
    return `With one step more before line ${lineOf(at)}, ${callText(inserted)}, it would fit, and so would ${others} after it.`
  }
  const instead = stepInstead(diverged, steps)
  if (instead !== undefined) {
    return `With ${callText(instead)} in place of the entry at line ${lineOf(at)}, ${others} after it would fit.`
  }
  if (asSpecified === undefined) return undefined
  const what = asSpecified.verdict === 'undecided' ? 'nothing is decided' : 'the trace would not fit'
  return `With what the specification says at line ${lineOf(at)}, ${what} at line ${lineOf(asSpecified.event)}.`
}

function exchangeText(first: number, second: number): string {
  return `With the entries at lines ${first} and ${second} exchanged, these and all after them would fit.`
}

/** The outcome of the remaining entries if the specification is right about the diverging one. */
function specified(diverged: Diverged): Outcome | undefined {
  const { events, at, reasons } = diverged
  const [first] = reasons
  if (first === undefined || first.kind !== 'elsewhere' || at + 1 >= events.length) return undefined
  const nearest = reasons.filter(
    ({ kind, differences }) => kind === 'elsewhere' && differences.length === first.differences.length,
  )
  return run(diverged, events, at + 1, distinct(nearest.map(({ to, from }) => to ?? from)))
}

/** Whether everything matches with an event and its successor swapped. */
function isExchangeFitting(diverged: Diverged, first: number): boolean {
  const { events, at, before } = diverged
  if (first + 1 >= events.length) return false
  const exchanged = [...events]
  exchanged[first] = events[first + 1]!
  exchanged[first + 1] = events[first]!
  const from = first === at ? before : distinct(before.map((reached) => backBefore(reached, first)))
  return run(diverged, exchanged, first, from)?.verdict === 'behaviour'
}

/** The ancestor of a state that was open before an event, without silent steps. */
function backBefore(reached: Reached, event: number): Reached {
  let at = reached
  while (at.event >= event && at.from !== undefined) at = at.from
  return at
}

/** The successors by any step of the next-state relation, whatever the event says. */
function anyStep({ stepper, before }: Diverged): readonly Reached[] {
  const found = new Map<Tuple, Reached>()
  const visit = (state: Tuple, by: Call) => {
    if (!found.has(state)) found.set(state, { state, from: undefined, by, event: -1 })
    if (found.size >= MAX_STEPS) throw new BoundReached(`more than ${MAX_STEPS} steps`)
  }
  for (const from of before.slice(0, MAX_FROM)) quietly(() => stepper.take(from.state, ANY, visit))
  return [...found.values()]
}

/** A step inserted before the event that makes the rest match. */
function stepBefore(diverged: Diverged, steps: readonly Reached[]): Call | undefined {
  const { events, at } = diverged
  const validator = validatorOf(diverged)
  const fitting = steps.filter((one) => quietly(() => validator.after([one], events[at]!, at))?.length)
  return firstOf(run(diverged, events, at, fitting))
}

/** A step in place of the event that makes the rest match. */
function stepInstead(diverged: Diverged, steps: readonly Reached[]): Call | undefined {
  const { events, at } = diverged
  const [next] = events.slice(at + 1)
  const validator = validatorOf(diverged)
  const fitting = steps.filter((one) => quietly(() => validator.after([one], next!, at + 1))?.length)
  const meant = new Set(events[at]!.meanings.flatMap(({ steps: taken }) => taken.map(({ action }) => action?.name)))
  const same = fitting.filter(({ by }) => meant.has(by?.action))
  return firstOf(run(diverged, events, at + 1, same)) ?? firstOf(run(diverged, events, at + 1, fitting))
}

/** The first step of a behaviour. */
function firstOf(outcome: Outcome | undefined): Call | undefined {
  if (outcome?.verdict !== 'behaviour') return undefined
  let first: Reached | undefined = outcome.frontier[0]
  while (first?.from !== undefined) first = first.from
  return first?.by
}

/** The outcome of the events from `first` on; undefined if it cannot be determined. */
function run(
  diverged: Diverged,
  events: readonly Event[],
  first: number,
  from: readonly Reached[],
): Outcome | undefined {
  if (from.length === 0) return undefined
  return quietly(() => validatorOf(diverged).run(events, first, from).outcome)
}

function validatorOf({ stepper, options }: Diverged): Validator {
  const onEvent = () => {
    if (validator.steps > MAX_EVALUATED) throw new BoundReached(`more than ${MAX_EVALUATED} steps`)
  }
  const { width, silent, initial } = options
  const validator = new Validator(stepper, { width, silent, initial, onEvent })
  return validator
}

const QUIET = [TlaError, DataError, NotInTrace, BoundReached]

/** Ignores errors at later entries: they are reported once validation gets there. */
function quietly<Result>(what: () => Result): Result | undefined {
  try {
    return what()
  } catch (error) {
    if (!QUIET.some((kind) => error instanceof kind)) throw error
    return undefined
  }
}
