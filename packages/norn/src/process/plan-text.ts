/**
 * A plan as JSON, for the flight recorder: the plan of each execution is written there before it
 * begins. The plans that a search makes by the thousand are written by hand, 2.5 times as fast as
 * `JSON.stringify`; recorded choices are encoded as in every other file.
 *
 * Invariant: `readPlan` of the parsed text is the plan. The types refuse a field that is added to a
 * plan but not here.
 */
import type { ChoicePlan, Estimates, Observing, Plan, StepWeights } from '../contract/plan.ts'
import { choicesText, decodeChoices, encodeChoices } from '../tape/codec.ts'

type Searched = Extract<ChoicePlan, { from: 'strategy' | 'mutation' }>

/** Exactly these fields are written by hand: one too few or too many does not compile. */
type Written<Type, Names extends keyof Type> = [Exclude<keyof Type, Names>] extends [never] ? Type : never

export function planText(plan: Plan): string {
  const { input, choices } = plan
  if (input.from === 'tape' && (choices.from === 'strategy' || choices.from === 'mutation'))
    return searchedText(plan, choices)
  if (!('choices' in choices)) return JSON.stringify(plan)
  return JSON.stringify({ ...plan, choices: { ...choices, choices: encodeChoices(choices.choices) } })
}

function searchedText(plan: Written<Plan, 'input' | 'choices' | 'detailed' | 'observe'>, choices: Searched): string {
  const { detailed, observe } = plan
  const rest =
    (detailed === undefined ? '' : `,"detailed":${detailed}`) +
    (observe === undefined ? '' : `,"observe":${observingText(observe)}`)
  return `{"input":{"from":"tape"},"choices":${searchedChoicesText(choices)}${rest}}`
}

function searchedChoicesText(plan: Written<Searched, 'from' | 'strategy' | 'name' | 'estimates' | 'weights'>): string {
  const { from, strategy, name, estimates, weights } = plan
  const weighted = weights === undefined ? '' : `,"weights":${weightsText(weights)}`
  const recorded = plan.from === 'mutation' ? `"choices":${choicesText(plan.choices)},` : ''
  const named = `"strategy":${JSON.stringify(strategy)},"name":{"length":${name.length},"seed":${name.seed}}`
  return `{"from":"${from}",${recorded}${named},"estimates":${estimatesText(estimates)}${weighted}}`
}

function estimatesText(estimates: Written<Estimates, 'points' | 'chains' | 'durationUs' | 'faultPoints'>): string {
  const { points, chains, durationUs, faultPoints } = estimates
  const faults = faultPoints === undefined ? '' : `,"faultPoints":${faultPoints}`
  return `{"points":${points},"chains":${chains},"durationUs":${durationUs}${faults}}`
}

/** By factors: many plans have the same table. */
const TABLES = new WeakMap<readonly number[], string>()

function weightsText({ classes, factors, hold }: Written<StepWeights, 'classes' | 'factors' | 'hold'>): string {
  let table = TABLES.get(factors)
  if (table === undefined)
    TABLES.set(factors, (table = `"classes":${JSON.stringify(classes)},"factors":${JSON.stringify(factors)}`))
  return `{${table}${hold === undefined ? '' : `,"hold":${JSON.stringify(hold)}`}}`
}

function observingText(observing: Written<Observing, 'counters' | 'order' | 'comparisons' | 'model'>) {
  const { counters, order, comparisons, model } = observing
  return `{"counters":${counters},"order":${order},"comparisons":${comparisons},"model":${model}}`
}

/**
 * The plan that was written by `planText`, from its parsed JSON; throws for choices that are not in
 * the stored form.
 */
export function readPlan(parsed: Plan): Plan {
  const { choices } = parsed
  if (!('choices' in choices)) return parsed
  return { ...parsed, choices: { ...choices, choices: decodeChoices(choices.choices) } }
}
