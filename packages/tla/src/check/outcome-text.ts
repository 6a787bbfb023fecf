/** The outcome of a check as text, without colours. */
import { excerpt, place } from '../error/error.ts'
import type { Formula, Machine, Refusal } from '../evaluate/machine.ts'
import { type Behaviour, enter } from './behaviour.ts'
import { actionName, behaviourText } from './behaviour-text.ts'
import type { BoundName, Outcome } from './outcome.ts'
import { uncheckedNames } from './result.ts'

export interface OutcomeText {
  /** One line, without a status mark. */
  readonly headline: string
  /** The lines after it; callers indent them by two. */
  readonly details: readonly string[]
  /** The printed behaviour; undefined without one. */
  readonly behaviour: string | undefined
}

const WHAT_TO_DO: Readonly<Record<BoundName, string>> = {
  depth: 'no shorter behaviour has an error; raise --depth to explore longer ones',
  states: 'raise --states, or reduce the state space: smaller constants, a CONSTRAINT, SYMMETRY',
  time: 'raise --time, or reduce the state space: smaller constants, a CONSTRAINT, SYMMETRY',
  memory: 'raise --memory, or reduce the state space: smaller constants, a CONSTRAINT, SYMMETRY',
  exit: 'the specification ended the check by TLCSet("exit", TRUE)',
}

const BOUND_TITLES: Readonly<Record<BoundName, string>> = {
  depth: 'depth bound reached',
  states: 'state bound reached',
  time: 'time limit reached',
  memory: 'memory limit reached',
  exit: 'ended by the specification',
}

/** Undefined for a check that passed: the caller prints its counts. */
export function outcomeText(outcome: Outcome, machine: Machine): OutcomeText | undefined {
  switch (outcome.kind) {
    case 'passed':
      return undefined
    case 'invariant':
    case 'property': {
      const { kind, formula, refusal, behaviour } = outcome
      const last = kind === 'invariant' ? 'in the last of these states' : 'in the last of these steps'
      return {
        headline: `the ${kind} ${formula.name} is false ${behaviour.length === 1 ? 'in an initial state' : last}`,
        details: whyFalse(formula, refusal),
        behaviour: behaviourText(behaviour, machine.variables),
      }
    }
    case 'deadlock':
      return {
        headline: 'deadlock: the last of these states has no successor',
        details: [
          ...whyDisabled(machine, outcome.behaviour),
          'if termination is intended, set CHECK_DEADLOCK FALSE in the configuration or pass --no-deadlock',
        ],
        behaviour: behaviourText(outcome.behaviour, machine.variables),
      }
    case 'assumption':
      return {
        headline: `${outcome.formula.name === '' ? 'an assumption' : `the assumption ${outcome.formula.name}`} is false`,
        details: whyFalse(outcome.formula, outcome.refusal),
        behaviour: undefined,
      }
    case 'postcondition':
      return {
        headline: `the postcondition ${outcome.formula.name} is false`,
        details: whyFalse(outcome.formula, outcome.refusal),
        behaviour: undefined,
      }
    case 'error': {
      const [headline = '', ...details] = outcome.error.describe().split('\n')
      return {
        headline,
        details,
        behaviour: outcome.behaviour.length === 0 ? undefined : behaviourText(outcome.behaviour, machine.variables),
      }
    }
    case 'bound':
      return {
        headline: `${BOUND_TITLES[outcome.bound]}: not everything was explored`,
        details: [WHAT_TO_DO[outcome.bound]],
        behaviour: undefined,
      }
    case 'incomplete':
      return {
        headline: `not checked: ${uncheckedNames(machine).join(', ')}; result: incomplete`,
        details: [
          ...machine.unchecked.flatMap(({ at }) => [`${place(at)}: this is temporal`, ...excerpt(at)]),
          'no error in everything else; check temporal formulas with TLC, or remove them from PROPERTY',
        ],
        behaviour: undefined,
      }
    case 'interrupted':
      return { headline: 'interrupted: not everything was explored', details: [], behaviour: undefined }
    case 'no initial state':
      return {
        headline: 'no state satisfies the initial predicate: nothing was checked',
        details: ['look for a conjunct that is always false, or an empty set'],
        behaviour: undefined,
      }
  }
}

/** The false conjunct with its location and values; the whole formula if it is unknown. */
function whyFalse(formula: Formula, refusal: Refusal | undefined): readonly string[] {
  if (refusal === undefined) return [`${place(formula.at)}: this is false`, ...excerpt(formula.at)]
  const width = Math.max(...refusal.values.map(([text]) => text.length), 0)
  return [
    `${place(refusal.at)}: this is false`,
    ...excerpt(refusal.at),
    ...refusal.values.map(([text, value]) => `  ${text.padEnd(width)} = ${value}`),
  ]
}

/** Why each action is disabled in the last state. */
function whyDisabled(machine: Machine, behaviour: Behaviour): readonly string[] {
  const { parts } = machine
  const names = [...new Set(parts.map(({ name }) => name))]
  const told = names.slice(0, MAX_ACTIONS).map((name) => {
    const part = parts.find((each) => each.name === name)!
    if (part.parameters.length > 0) return `${actionName(part)} is not enabled for any ${part.parameters.join(', ')}`
    enter(machine, behaviour.at(-1)!.state)
    const refusal = machine.action(name)?.explain([])
    if (refusal === undefined) return `${name} is not enabled`
    const values = refusal.values.map(([text, value]) => `${text} = ${value}`)
    const where = [place(refusal.at), ...values].join(', ')
    return `${name} is not enabled: ${refusal.conjunct} is false (${where})`
  })
  return names.length > MAX_ACTIONS ? [...told, `… (${names.length - MAX_ACTIONS} more actions)`] : told
}

const MAX_ACTIONS = 12
