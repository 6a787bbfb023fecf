/**
 * Explains why no action matches an entry of a trace: the conjunct that failed, with both values.
 *
 * An attempt is one action with parameters from one open state. Either it is disabled (the false
 * conjunct and its values), or it leads to other states: then the reason is the nearest of them,
 * its differences from the log, and the conjunct that assigns the differing value. Equal attempts
 * are merged into one reason. Reasons are ranked by their number of differences, fewest first.
 */
import { place, TlaError } from '../error/error.ts'
import type { Machine, Refusal } from '../evaluate/machine.ts'
import { printValue } from '../values/print.ts'
import type { Canonical, Tuple, Value } from '../values/value.ts'
import { enter, unmetConditions } from './evaluation.ts'
import type { Event, Meaning, Taken } from './event.ts'
import type { Call, Reached } from './frontier.ts'
import {
  accepts,
  type Difference,
  differences,
  isAsSeen,
  type Observed,
  variablesSeenOtherwise,
} from './observation.ts'
import type { Stepper } from './stepper.ts'
import type { Validator } from './validate.ts'

/** Why one action does not match an entry. */
export interface Reason {
  /** With its parameters: `Commit(s2, 3, 6)`; undefined if the entry asks for no step. */
  readonly call: string | undefined
  readonly kind: 'elsewhere' | 'disabled' | 'error' | 'before' | 'parameters' | 'impossible'
  /** From the log's observations; for `elsewhere`, `before` and `parameters`. */
  readonly differences: readonly Difference[]
  /** The conjunct that is false, or that assigns the differing value. */
  readonly refusal: Refusal | undefined
  /** For `error` and `impossible`; for `elsewhere` and `parameters` the conditions that failed. */
  readonly message: string | undefined
  /** The operands of the first failed condition with their values, such as `buffer'`. */
  readonly compared: Refusal['values']
  /** The state before the attempt, and the one it would have led to. */
  readonly from: Reached
  readonly to: Reached | undefined
  /** The number of attempts that failed alike, from other open states or with other parameters. */
  readonly attempts: number
}

/** Bounds on the attempts examined and the reasons reported. */
const MAX_ATTEMPTS = 2_000
const MAX_REASONS = 4
/** Of more alternatives for a parameter's value, only the first and the last are shown. */
const MAX_OTHERS = 5

/** Why nothing matches. @param before the states before the event, silent steps included */
export function reasons(validator: Validator, before: readonly Reached[], event: Event, at: number): readonly Reason[] {
  const found = new Reasons()
  for (const meaning of event.meanings) explain(validator, before, meaning, at, found)
  return found.best()
}

function explain(validator: Validator, before: readonly Reached[], meaning: Meaning, at: number, found: Reasons): void {
  const { machine } = validator.stepper
  const fitting = before.filter(({ state }) => isAsSeen(machine, state, meaning.before))
  if (fitting.length === 0) {
    for (const from of before.slice(0, MAX_ATTEMPTS)) {
      const differ = differences(machine, from.state, meaning.before, false)
      found.add({ ...NOTHING, kind: 'before', call: undefined, differences: differ, from })
    }
    return
  }
  // Take the steps that are possible: the failure is at the next one, or all are possible and lead
  // to states that differ from the log.
  let open: readonly Reached[] = fitting
  for (const [order, taken] of meaning.steps.entries()) {
    const isLast = order === meaning.steps.length - 1
    const next = validator.through(open, { steps: [taken], before: [], after: [] }, at)
    if (next.length > 0 && !isLast) {
      open = next
      continue
    }
    if (taken.least === 0) differ(validator, open, meaning.after, found)
    if (taken.most > 0) for (const from of open) attempt(validator.stepper, from, taken, meaning.after, at, found)
    return
  }
  differ(validator, open, meaning.after, found)
}

/** No step is needed, but the state differs from the observations. */
function differ(validator: Validator, open: readonly Reached[], after: readonly Observed[], found: Reasons): void {
  for (const from of open.slice(0, MAX_ATTEMPTS)) {
    const differ = differences(validator.stepper.machine, from.state, after, false)
    if (differ.length > 0) found.add({ ...NOTHING, kind: 'elsewhere', call: undefined, differences: differ, from })
  }
}

/** The successor of a call that differs least from the observations. */
interface Nearest {
  readonly to: Reached
  readonly by: Call
  readonly differences: readonly Difference[]
  /** The conditions that the step fails. */
  readonly unmet: readonly string[]
}

function attempt(
  stepper: Stepper,
  from: Reached,
  taken: Taken,
  after: readonly Observed[],
  at: number,
  found: Reasons,
): void {
  if (found.isFull) return
  const { machine } = stepper
  const { action } = taken
  const nearest = new Map<string, Nearest>()
  // Without an action there are no parameters, so every condition is about the step.
  const where = action === undefined ? taken.where : taken.where.filter(({ isAboutStep }) => isAboutStep)
  const errors: TlaError[] = []
  const visit = (state: Tuple, by: Call) => {
    const call = callText(by)
    const known = nearest.get(call)
    if (known !== undefined && known.to.state === state) return
    const { current } = machine
    const kept = current.slice()
    const differ = differences(machine, state, after, true)
    const given = action === undefined ? [] : by.parameters
    const unmet =
      where.length === 0 ? [] : unmetConditions(machine, from.state, where, given, state).map(({ text }) => text)
    for (let variable = 0; variable < kept.length; variable++) current[variable] = kept[variable]!
    if (known !== undefined && known.differences.length + known.unmet.length <= differ.length + unmet.length) return
    nearest.set(call, { to: { state, from, by, event: at }, by, differences: differ, unmet })
  }
  // Visit the successors that fail a condition about the step too: that is a reason to report.
  const asked = { ...taken, where: taken.where.filter((condition) => !where.includes(condition)) }
  stepper.take(from.state, asked, visit, (error) => errors.push(error))
  for (const { to, by, differences: differ, unmet } of nearest.values()) {
    const named = action ?? machine.action(by.action)
    const otherwise = variablesSeenOtherwise(machine, from.state, to.state, after)
    const refusal =
      named === undefined || otherwise.size === 0
        ? undefined
        : (refusalAt(stepper, from.state, named, by.parameters, accepts(machine, after)) ??
          refusalAt(stepper, from.state, named, by.parameters, (variable) => !otherwise.has(variable)))
    const message = unmet.length === 0 ? undefined : unmet.join('; ')
    const compared = comparedIn(machine, where, unmet, action === undefined ? [] : by.parameters, from, to)
    const kind = 'elsewhere'
    found.add({ ...NOTHING, kind, call: callText(by), differences: differ, refusal, message, compared, from, to })
  }
  for (const error of errors) {
    const message = error.at === undefined ? error.message : `${error.message} (${place(error.at)})`
    found.add({ ...NOTHING, kind: 'error', call: callOf(stepper, from.state, taken), message, from })
  }
  if (action === undefined) return
  if (errors.length > 0) return
  const combinations = stepper.parameters.combinations(from.state, taken)
  if (combinations.length === 0) notTaken(stepper, from, taken, found)
  for (const parameters of combinations) {
    if (found.isFull) return
    const call = callText({ action: action.name, parameters })
    if (nearest.has(call)) continue
    const refusal = refusalAt(stepper, from.state, action, parameters)
    if (refusal !== undefined) found.add({ ...NOTHING, kind: 'disabled', call, refusal, from })
  }
}

/** The operands of the first condition that a step fails, with their values. */
function comparedIn(
  machine: Machine,
  where: Taken['where'],
  unmet: readonly string[],
  parameters: readonly Value[],
  from: Reached,
  to: Reached,
): Refusal['values'] {
  const condition = where.find(({ text }) => text === unmet[0])
  if (condition === undefined) return []
  enter(machine, from.state)
  for (const [at, value] of to.state.elements.entries()) machine.primed[at] = value
  try {
    return condition.explain(parameters)?.values ?? []
  } catch (error) {
    if (error instanceof TlaError) return []
    throw error
  }
}

/** The call of a step, with its parameters if the trace gives them all. */
function callOf(stepper: Stepper, state: Tuple, taken: Taken): string | undefined {
  const { action } = taken
  if (action === undefined) return undefined
  const known = stepper.parameters.given(state, taken)
  return known.includes(undefined)
    ? action.name
    : callText({ action: action.name, parameters: known as readonly Value[] })
}

/**
 * The next-state relation takes the action with no matching parameters. If the action is also
 * disabled with the trace's parameters, that is the reason reported.
 */
function notTaken(stepper: Stepper, from: Reached, taken: Taken, found: Reasons): void {
  const [nearest] = stepper.parameters.unfit(from.state, taken)
  const { action } = taken
  if (nearest !== undefined) {
    const call = callText({ action: action!.name, parameters: nearest.parameters })
    const { differences, unmet } = nearest
    const message = unmet.length === 0 ? undefined : unmet.join('; ')
    found.add({ ...NOTHING, kind: 'parameters', call, differences, message, from })
    return
  }
  const known = stepper.parameters.given(from.state, taken)
  const parameters = known.includes(undefined) ? undefined : (known as readonly Value[])
  const by = { action: action!.name, parameters: parameters ?? [] }
  const call = parameters === undefined ? by.action : callText(by)
  const refusal = parameters && refusalAt(stepper, from.state, action!, parameters)
  if (refusal !== undefined) found.add({ ...NOTHING, kind: 'disabled', call, refusal, from })
  else {
    const which = parameters === undefined ? 'any parameters that fit' : 'these parameters'
    const outside = stepper.parameters.reaches.outside(from.state, action!, known)
    const sources = stepper.parameters.reaches.sources(action!, known)
    const where = sources.length === 0 ? '' : `, but with ${sources.join(', ')}`
    const others = outside.length > 0 ? [] : instead(stepper, from.state, action!, known)
    const why = outside.length + others.length === 0 ? where : `: ${[...outside, ...others].join('; ')}`
    const message = `the next-state relation does not take it with ${which}${why}`
    found.add({ ...NOTHING, kind: 'impossible', call, message, from })
  }
}

/** For each parameter, the values that the relation would allow, given the other parameters. */
function instead(
  stepper: Stepper,
  state: Tuple,
  action: NonNullable<Taken['action']>,
  known: readonly (Value | undefined)[],
): readonly string[] {
  return action.parameters.flatMap((name, at) => {
    const value = known[at]
    const others = value === undefined ? [] : stepper.parameters.others(state, action, known, at)
    if (others.length === 0) return []
    const texts = others.length > MAX_OTHERS ? [...others.slice(0, 2), undefined, ...others.slice(-2)] : others
    const told = texts.map((other) => (other === undefined ? '…' : printValue(other)))
    return [`${name} is ${printValue(value!)}, and may be ${told.join(', ')}`]
  })
}

const NOTHING = { differences: [], compared: [], refusal: undefined, message: undefined, to: undefined, attempts: 1 }

function refusalAt(
  { machine }: Stepper,
  state: Tuple,
  action: NonNullable<Taken['action']>,
  parameters: readonly Value[],
  accepted?: (variable: number, value: Canonical) => boolean,
): Refusal | undefined {
  if (action.parameters.length !== parameters.length) return undefined
  enter(machine, state)
  try {
    return action.explain(parameters, accepted)
  } catch {
    // Reported as an evaluation error.
    return undefined
  }
}

/** `Commit(s2, 3, 6)`. */
export function callText({ action, parameters }: Call): string {
  return parameters.length === 0 ? action : `${action}(${parameters.map(printValue).join(', ')})`
}

const RANKS = { elsewhere: 0, before: 1, parameters: 2, disabled: 3, error: 4, impossible: 5 } as const

/** Collects reasons, and counts equal ones. */
class Reasons {
  readonly #byKey = new Map<string, Reason>()
  #attempts = 0

  get isFull(): boolean {
    return this.#attempts >= MAX_ATTEMPTS
  }

  add(reason: Reason): void {
    this.#attempts++
    const key = keyOf(reason)
    const known = this.#byKey.get(key)
    if (known === undefined) this.#byKey.set(key, reason)
    else {
      const better = compare(reason, known) < 0 ? reason : known
      this.#byKey.set(key, { ...better, attempts: known.attempts + 1 })
    }
  }

  best(): readonly Reason[] {
    return [...this.#byKey.values()].sort(compare).slice(0, MAX_REASONS)
  }
}

function keyOf({ call, kind, refusal, message, differences: differ }: Reason): string {
  const name = call?.replace(/\(.*$/s, '') ?? ''
  const what =
    kind === 'elsewhere' || kind === 'before' || kind === 'parameters' ? differ.map((one) => one.what).join() : ''
  const where = refusal === undefined ? (message ?? '') : `${refusal.at.line}:${refusal.at.column}`
  return [kind, name, where, what].join('\n')
}

function distance({ differences, message }: Reason): number {
  return differences.length + (message === undefined ? 0 : 1)
}

/** The nearest first; of disabled actions, those that failed at the latest conjunct. */
function compare(left: Reason, right: Reason): number {
  return (
    RANKS[left.kind] - RANKS[right.kind] ||
    distance(left) - distance(right) ||
    (right.refusal?.at.line ?? 0) - (left.refusal?.at.line ?? 0)
  )
}
