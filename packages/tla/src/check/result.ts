/**
 * The result of a check as plain data: the last line of `norn tla check --json`, and the result of
 * `checkSpecification`. Apart from `seconds` a function of the specification, the configuration,
 * the options and the seed, unless real time or memory was the bound.
 */
import { TlaError, type TlaErrorKind } from '../error/error.ts'
import type { Span } from '../error/span.ts'
import type { Machine } from '../evaluate/machine.ts'
import { toPlain } from '../values/plain.ts'
import type { Behaviour } from './behaviour.ts'
import { actionCall } from './behaviour-text.ts'
import type { Coverage } from './coverage.ts'
import type { BoundName, Outcome } from './outcome.ts'

/**
 * Lines and columns count from 1; the end is included.
 *
 * @public
 */
export interface Place {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly endLine: number
  readonly endColumn: number
}

/**
 * A state of a behaviour, with the step that led to it.
 *
 * @public
 */
export interface StepResult {
  /** The name of the action; `null` for an initial state. */
  readonly action: string | null
  /** The action with the values of its parameters: `Prepare(r1)`. */
  readonly call?: string
  readonly at?: Place
  readonly parameters?: readonly unknown[]
  /**
   * By variable, as plain data: sequences and sets are arrays, records and functions objects, model
   * values strings.
   */
  readonly state: Readonly<Record<string, unknown>>
  /** The value of the ALIAS of the configuration. */
  readonly alias?: unknown
}

/**
 * A specification or configuration that cannot be checked, as plain data.
 *
 * @public
 */
export interface ErrorResult {
  readonly kind: TlaErrorKind | 'call'
  readonly message: string
  readonly at?: Place
  /** The evaluation stack, innermost first. */
  readonly frames?: readonly { readonly what: string; readonly at: Place }[]
}

/**
 * The outcome of a check, as plain data.
 *
 * @public
 */
export interface CheckResult {
  /**
   * `passed` if everything was explored (or simulated) without an error; `incomplete` if so, but
   * some properties were not checked.
   */
  readonly result: Outcome['kind']
  /** Initial states and successors, counted each time they are found. */
  readonly generated: number
  readonly distinct: number
  /** The largest number of states in a shortest behaviour. */
  readonly depth: number
  /** States found but not expanded. */
  readonly queue: number
  /** The number of simulated behaviours; simulation only. */
  readonly behaviours?: number
  readonly seconds: number
  /** The bound that was reached. */
  readonly bound?: BoundName
  /** The invariant, property, assumption or postcondition that is false. */
  readonly name?: string
  readonly at?: Place
  /** The false conjunct, and the values of its parts, in TLA+. */
  readonly conjunct?: string
  readonly conjunctAt?: Place
  readonly values?: Readonly<Record<string, string>>
  readonly error?: ErrorResult
  /** The counterexample, from an initial state on. */
  readonly behaviour?: readonly StepResult[]
  /** Names of properties that were not checked, as they are or have a part that is temporal. */
  readonly unchecked: readonly string[]
  /** Fairness conditions of the specification, which safety does not depend on. */
  readonly fairness: readonly string[]
  /** Actions that were not enabled in any state. */
  readonly neverEnabled: readonly { readonly name: string; readonly at: Place }[]
  /**
   * For each part of the next-state relation, how often it was taken and gave a new state, and in
   * how many states it was enabled.
   */
  readonly coverage?: readonly {
    readonly action: string
    readonly at: Place
    readonly taken: number
    readonly found: number
    readonly enabled: number
  }[]
}

/** @param hasCoverage whether to include the counts of all actions */
export function checkResult(
  machine: Machine,
  outcome: Outcome,
  coverage: Coverage,
  seconds: number,
  hasCoverage: boolean,
): CheckResult {
  const { generated, distinct, diameter, queue, traces } = machine.surroundings.progress
  return {
    result: outcome.kind,
    generated,
    distinct,
    depth: diameter,
    queue,
    ...(traces > 0 ? { behaviours: traces } : {}),
    seconds: roundedSeconds(seconds),
    ...outcomeFields(machine, outcome),
    unchecked: uncheckedNames(machine),
    fairness: machine.fairness,
    neverEnabled: coverage.neverEnabled().map(({ name, at }) => ({ name, at: placeFields(at) })),
    ...(hasCoverage ? { coverage: coverageFields(coverage) } : {}),
  }
}

/** Of the configuration's properties, those that are not or not completely checked. */
export function uncheckedNames({ unchecked }: Machine): readonly string[] {
  return [...new Set(unchecked.map(({ name }) => name))]
}

/** To a millisecond. */
export function roundedSeconds(seconds: number): number {
  return Math.round(seconds * 1000) / 1000
}

function outcomeFields(machine: Machine, outcome: Outcome): Partial<CheckResult> {
  switch (outcome.kind) {
    case 'passed':
    case 'incomplete':
    case 'interrupted':
    case 'no initial state':
      return {}
    case 'bound':
      return { bound: outcome.bound }
    case 'deadlock':
      return { behaviour: behaviourFields(machine, outcome.behaviour) }
    case 'error':
      return { error: errorFields(outcome.error), behaviour: behaviourFields(machine, outcome.behaviour) }
    case 'assumption':
    case 'postcondition':
    case 'invariant':
    case 'property': {
      const { formula, refusal } = outcome
      return {
        name: formula.name,
        at: placeFields(formula.at),
        ...(refusal === undefined
          ? {}
          : {
              conjunct: refusal.conjunct,
              conjunctAt: placeFields(refusal.at),
              values: Object.fromEntries(refusal.values),
            }),
        ...('behaviour' in outcome ? { behaviour: behaviourFields(machine, outcome.behaviour) } : {}),
      }
    }
  }
}

function behaviourFields({ variables }: Machine, behaviour: Behaviour): readonly StepResult[] {
  return behaviour.map(({ state, part, parameters, alias }) => ({
    action: part === undefined ? null : part.name,
    ...(part === undefined ? {} : { call: actionCall(part, parameters), at: placeFields(part.at) }),
    ...(parameters.length === 0 ? {} : { parameters: parameters.map((value) => toPlain(value)) }),
    state: Object.fromEntries(variables.map((name, variable) => [name, toPlain(state[variable]!)])),
    ...(alias === undefined ? {} : { alias: toPlain(alias) }),
  }))
}

export function errorFields(error: Error): ErrorResult {
  if (!(error instanceof TlaError)) return { kind: 'call', message: error.message }
  const { kind, message, at, frames } = error
  return {
    kind,
    message,
    ...(at === undefined ? {} : { at: placeFields(at) }),
    ...(frames.length === 0 ? {} : { frames: frames.map(({ what, at }) => ({ what, at: placeFields(at) })) }),
  }
}

function placeFields({ source, line, column, endLine, endColumn }: Span): Place {
  return { file: source.path, line, column, endLine, endColumn }
}

function coverageFields(coverage: Coverage): CheckResult['coverage'] {
  return coverage.parts().map(({ part, enabled, taken, found }) => ({
    action: part.name,
    at: placeFields(part.at),
    taken,
    found,
    enabled,
  }))
}
