/**
 * Trace validation: is a log part of a behaviour of a specification?
 *
 * A log leaves variables, parameters and silent actions open. The *frontier* is the set of states
 * that match all entries so far; each entry maps one frontier to the next, and an empty frontier
 * means that the trace is not a behaviour. Breadth-first search finds the first entry that does not
 * match; depth-first.ts visits fewer states where a behaviour is found early.
 *
 * After "Validating Traces of Distributed Programs Against TLA+ Specifications" (Cirstea, Kuppe,
 * Loillier, Merz 2024), which turns the trace into a specification for TLC. Here the trace drives:
 * only the actions that it names are evaluated, with its parameters, and invariants are checked
 * only in states that match an entry.
 *
 * Invariant: the states of a frontier are distinct, and are reached by exactly the entries before
 * it and silent steps.
 */
import { TlaError } from '../error/error.ts'
import type { Formula, Machine } from '../evaluate/machine.ts'
import { formulaOf } from '../follow/from-data.ts'
import { canonical } from '../values/canonical.ts'
import type { Canonical, Tuple } from '../values/value.ts'
import { enter, type Values } from './evaluation.ts'
import { actionNamed, type Event, type Meaning, type Taken, UNKNOWN } from './event.ts'
import { BoundReached, Frontier, type Reached } from './frontier.ts'
import type { LogMap } from './log-map.ts'
import { isAsSeen } from './observation.ts'
import { NotInTrace } from './reach.ts'
import type { Stepper } from './stepper.ts'

/** Bound on the initial states. */
const MAX_INITIAL = 1_000_000

/** Bound on the values cached for an invariant. */
const MAX_HELD = 10_000

export interface ValidateOptions {
  /** Bound on the states of a frontier; with more the outcome is undecided. */
  readonly width: number
  readonly silent: LogMap['silent']
  readonly initial: LogMap['initial']
  /** Called with the index of each event before it is matched. */
  readonly onEvent?: (event: number) => void
}

/** An invariant that is violated in a matching state. */
export interface Broken {
  readonly invariant: Formula
  readonly at: Reached
}

/** How validation ended, and at which event. */
export type Outcome =
  | { readonly verdict: 'behaviour'; readonly frontier: readonly Reached[] }
  /** `before` are the states before the event that nothing matches, silent steps included. */
  | { readonly verdict: 'divergence'; readonly event: number; readonly before: readonly Reached[] }
  | { readonly verdict: 'broken invariant'; readonly event: number; readonly broken: Broken; readonly states: number }
  | {
      readonly verdict: 'undecided'
      readonly event: number
      readonly why: string
      /** Two of the open states, if there are too many. */
      readonly open?: readonly [Reached, Reached] | undefined
    }

export interface Validation {
  readonly outcome: Outcome
  /** The largest number of states open at once. */
  readonly widest: number
  /** Number of steps evaluated. */
  readonly steps: number
  /** The first event at which the bound on silent steps cut off new states. */
  readonly silentBound: number | undefined
  /** Number of states dropped because they violate an invariant. */
  readonly broken: number
}

export class Validator {
  readonly stepper: Stepper
  readonly #machine: Machine
  readonly #options: ValidateOptions
  readonly #silent: readonly Taken[]
  /** For each invariant, the variables it reads, and values of these with which it holds. */
  readonly #held: { readonly reads: readonly number[] | undefined; readonly values: Set<Tuple> }[] = []
  widest = 0
  steps = 0
  silentBound: number | undefined
  broken = 0

  /** @throws Error for an unknown silent action */
  constructor(stepper: Stepper, options: ValidateOptions) {
    this.stepper = stepper
    this.#machine = stepper.machine
    this.#options = options
    this.#silent = options.silent.actions.map((name) => silentAction(this.#machine, name))
  }

  /** Breadth-first. @param from the open states before event `first`; default: initial states */
  run(events: readonly Event[], first = 0, from?: readonly Reached[]): Validation {
    let at = first
    try {
      let frontier = from ?? this.initial(events[first])
      for (; at < events.length; at++) {
        const before = this.afterSilence(frontier, at)
        const after = this.after(before, events[at]!, at)
        if (after.length === 0) return this.ended({ verdict: 'divergence', event: at, before })
        const held = this.held(after)
        if (!Array.isArray(held)) {
          return this.ended({ verdict: 'broken invariant', event: at, broken: held as Broken, states: after.length })
        }
        frontier = held as readonly Reached[]
      }
      return this.ended({ verdict: 'behaviour', frontier })
    } catch (error) {
      if (!(error instanceof BoundReached)) throw error
      return this.ended({ verdict: 'undecided', event: at, why: error.message, open: error.open })
    }
  }

  /** The outcome with the counts. */
  ended(outcome: Outcome): Validation {
    const { widest, steps, silentBound, broken } = this
    return { outcome, widest, steps, silentBound, broken }
  }

  /**
   * The initial states that may match the first event; one of them if none does.
   * @throws TlaError, BoundReached
   */
  initial(event: Event | undefined): readonly Reached[] {
    this.#options.onEvent?.(0)
    const { arena, current } = this.#machine
    const found = new Frontier(this.#options.width)
    let count = 0
    let first: Tuple | undefined
    const begin = (elements: Canonical[]) => {
      first ??= arena.tuple(elements)
      if (event === undefined || this.#mayBegin({ elements }, event))
        found.add(arena.tuple(elements), undefined, undefined, -1)
    }
    const isElsewhere = Object.keys(this.#options.initial).length > 0
    const begun: Canonical[][] = []
    const visit = () => {
      if (++count > MAX_INITIAL) throw new BoundReached(`the specification has more than ${MAX_INITIAL} initial states`)
      // Interned only if it matches: there may be many.
      const elements = current.slice()
      if (isElsewhere) begun.push(elements)
      else begin(elements)
    }
    this.#located(() => this.#machine.initial(visit))
    for (const elements of begun) begin(this.#elsewhere(elements))
    if (first === undefined) throw new NotInTrace('the specification has no initial state')
    // If none matches, the mismatch is reported for the first.
    if (found.states.length === 0) found.add(first, undefined, undefined, -1)
    return this.#counted(found)
  }

  /** An initial state changed by the map's `initial`; each value may refer to those before it. */
  #elsewhere(elements: readonly Canonical[]): Canonical[] {
    const begun = elements.slice()
    for (const [name, text] of Object.entries(this.#options.initial)) {
      const formula = formulaOf(this.#machine, text, `the initial value of ${name}`)
      begun[this.#machine.variables.indexOf(name)] = this.#located(() => {
        enter(this.#machine, { elements: begun })
        return canonical(formula.evaluate())
      })
    }
    return begun
  }

  /** Whether an event may be the first after a state. With silent steps, any may be. */
  #mayBegin(state: Values, { meanings }: Event): boolean {
    if (this.#silent.length > 0) return true
    return meanings.some(({ steps, before, after }) => {
      const seen = steps.every(({ most }) => most === 0) ? [...before, ...after] : before
      return isAsSeen(this.#machine, state, seen)
    })
  }

  /** The states reachable by silent steps: the states themselves come first. */
  afterSilence(frontier: readonly Reached[], event: number): readonly Reached[] {
    const { atMost } = this.#options.silent
    this.#options.onEvent?.(event)
    if (this.#silent.length === 0 || atMost === 0) return frontier
    const found = new Frontier(this.#options.width)
    for (const reached of frontier) found.keep(reached)
    let layer = frontier
    for (let depth = 1; depth <= atMost + 1 && layer.length > 0; depth++) {
      // One more layer shows whether the bound cut off new states.
      const isBeyond = depth > atMost
      if (isBeyond && this.silentBound !== undefined) break
      const next: Reached[] = []
      for (const reached of layer) {
        for (const taken of this.#silent) {
          this.steps++
          this.stepper.take(reached.state, taken, (state, by) => {
            if (isBeyond) {
              if (!found.has(state)) this.silentBound ??= event
            } else {
              const added = found.add(state, reached, by, event)
              if (added !== undefined) next.push(added)
            }
          })
        }
      }
      layer = next
    }
    return this.#counted(found)
  }

  /** The open states after an event. */
  after(before: readonly Reached[], { meanings }: Event, event: number): readonly Reached[] {
    const found = new Frontier(this.#options.width)
    for (const meaning of meanings) {
      for (const reached of this.through(before, meaning, event)) {
        if (isAsSeen(this.#machine, reached.state, meaning.after)) found.keep(reached)
      }
    }
    return this.#counted(found)
  }

  /** The successors by the steps of a meaning, before its `after` observations are applied. */
  through(before: readonly Reached[], { steps, before: seen }: Meaning, event: number): readonly Reached[] {
    let open: readonly Reached[] = before.filter(({ state }) => isAsSeen(this.#machine, state, seen))
    for (const taken of steps) open = this.#times(open, taken, event)
    return open
  }

  #times(before: readonly Reached[], taken: Taken, event: number): readonly Reached[] {
    const { least, most } = taken
    const found = new Frontier(this.#options.width)
    let layer = before
    for (let count = 0; count <= most && layer.length > 0; count++) {
      if (count >= least) for (const reached of layer) found.keep(reached)
      if (count === most) break
      const next = new Frontier(this.#options.width)
      for (const reached of layer) {
        this.steps++
        this.stepper.take(reached.state, taken, (state, by) => next.add(state, reached, by, event))
      }
      layer = next.states
    }
    return found.states
  }

  /** The states in which all invariants hold; if there are none, the first violation. */
  held(reached: readonly Reached[]): readonly Reached[] | Broken {
    const { invariants } = this.#machine
    if (invariants.length === 0) return reached
    let broken: Broken | undefined
    const held = reached.filter((one) => {
      enter(this.#machine, one.state)
      const invariant = invariants.find((formula, at) => !this.#holds(formula, at, one.state))
      if (invariant !== undefined) broken ??= { invariant, at: one }
      return invariant === undefined
    })
    this.broken += reached.length - held.length
    return held.length === 0 ? broken! : held
  }

  /** Whether an invariant holds in the current state. @throws TlaError with its location */
  #holds(formula: Formula, at: number, { elements }: Tuple): boolean {
    const held = (this.#held[at] ??= { reads: formula.reads(), values: new Set() })
    if (held.reads === undefined) return this.#located(() => formula.holds())
    // Entries change little, mostly no variable that the invariant reads.
    const values = this.#machine.arena.tuple(held.reads.map((variable) => elements[variable]!))
    if (held.values.has(values)) return true
    const holds = this.#located(() => formula.holds())
    if (held.values.size >= MAX_HELD) held.values.clear()
    if (holds) held.values.add(values)
    return holds
  }

  /** @throws TlaError with its location */
  #located<Result>(run: () => Result): Result {
    try {
      return run()
    } catch (error) {
      throw error instanceof TlaError ? this.#machine.locate(error, () => void run()) : error
    }
  }

  #counted({ states }: Frontier): readonly Reached[] {
    this.widest = Math.max(this.widest, states.length)
    return states
  }
}

function silentAction(machine: Machine, name: string): Taken {
  if (name === '*') return { action: undefined, given: [], where: [], least: 1, most: 1 }
  const action = actionNamed(machine, name)
  return { action, given: action.parameters.map(() => UNKNOWN), where: [], least: 1, most: 1 }
}
