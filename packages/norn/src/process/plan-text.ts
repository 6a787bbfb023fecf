/**
 * A plan as JSON, for the flight recorder: the plan of each execution is written there before it
 * begins. The numbers in which the plans of a search differ stand apart, so that most of these plans
 * have one of a few texts, which are kept. Recorded choices are encoded as in every other file.
 *
 * Invariant: `readPlan` of what was written is the plan. The types refuse a field that is added to a
 * plan but not here.
 */
import type { ChoicePlan, Estimates, ExecutionName, Observing, Plan, StepWeights } from '../contract/plan.ts'
import { choicesText, decodeChoices, encodeChoices } from '../tape/codec.ts'

type Searched = Extract<ChoicePlan, { from: 'strategy' | 'mutation' }>

/** Exactly these fields are written by hand: one too few or too many does not compile. */
type Written<Type, Names extends keyof Type> = [Exclude<keyof Type, Names>] extends [never] ? Type : never

/** How many numbers stand apart: of the name, then of the estimates. One that is not there is NaN. */
export const PLAN_NUMBERS = 6

/** @param numbers takes those that stand apart, at its start */
export function planText(plan: Plan, numbers: Float64Array): string {
  const { input, choices } = plan
  if (input.from === 'tape' && (choices.from === 'strategy' || choices.from === 'mutation'))
    return searchedText(plan, choices, numbers)
  if (!('choices' in choices)) return JSON.stringify(plan)
  return JSON.stringify({ ...plan, choices: { ...choices, choices: encodeChoices(choices.choices) } })
}

function searchedText(
  { detailed, observe }: Written<Plan, 'input' | 'choices' | 'detailed' | 'observe'>,
  plan: Written<Searched, 'from' | 'strategy' | 'name' | 'estimates' | 'weights'>,
  numbers: Float64Array,
): string {
  setNumbers(numbers, plan.name, plan.estimates)
  const { unweighted, start } = textsOf(plan.from, plan.strategy, detailed, observe)
  if (plan.from === 'strategy' && plan.weights === undefined) return unweighted
  const weighted = plan.weights === undefined ? '' : `,"weights":${weightsText(plan.weights)}`
  const recorded = plan.from === 'mutation' ? `,"choices":${choicesText(plan.choices)}` : ''
  return `${start}${weighted}${recorded}}}`
}

function setNumbers(
  numbers: Float64Array,
  { length, seed }: Written<ExecutionName, 'length' | 'seed'>,
  { points, chains, durationUs, faultPoints }: Written<Estimates, 'points' | 'chains' | 'durationUs' | 'faultPoints'>,
): void {
  numbers[0] = length
  numbers[1] = seed
  numbers[2] = points
  numbers[3] = chains
  numbers[4] = durationUs
  numbers[5] = faultPoints ?? Number.NaN
}

interface Texts {
  /** Up to where weights and choices follow. */
  readonly start: string
  /** The whole text where none do: one string, so that it is compared by its address. */
  readonly unweighted: string
}

/** By strategy; then by where the choices come from, and by what is observed. */
const TEXTS = new Map<string, Texts[]>()

function textsOf(
  from: Searched['from'],
  strategy: string,
  detailed: boolean | undefined,
  observe: Written<Observing, 'counters' | 'order' | 'comparisons' | 'model'> | undefined,
): Texts {
  let at = from === 'mutation' ? 1 : 0
  if (detailed !== undefined) at += detailed ? 2 : 4
  if (observe !== undefined) {
    const { counters, order, comparisons, model } = observe
    at += 8 + (counters ? 16 : 0) + (order ? 32 : 0) + (comparisons ? 64 : 0) + (model ? 128 : 0)
  }
  let texts = TEXTS.get(strategy)
  if (texts === undefined) TEXTS.set(strategy, (texts = []))
  return (texts[at] ??= newTexts(
    JSON.stringify({ input: { from: 'tape' }, detailed, observe, choices: { from, strategy } }),
  ))
}

function newTexts(unweighted: string): Texts {
  return { unweighted, start: unweighted.slice(0, -'}}'.length) }
}

/** By factors: many plans have the same table. */
const TABLES = new WeakMap<readonly number[], string>()

function weightsText({ classes, factors, hold }: Written<StepWeights, 'classes' | 'factors' | 'hold'>): string {
  let table = TABLES.get(factors)
  if (table === undefined)
    TABLES.set(factors, (table = `"classes":${JSON.stringify(classes)},"factors":${JSON.stringify(factors)}`))
  return `{${table}${hold === undefined ? '' : `,"hold":${JSON.stringify(hold)}`}}`
}

/**
 * The plan that was written by `planText`, from its text and its numbers; throws for a text that is
 * not whole, and for choices that are not in the stored form.
 */
export function readPlan(text: string, numbers: Float64Array): Plan {
  const plan = JSON.parse(text) as Plan
  const choices =
    'choices' in plan.choices ? { ...plan.choices, choices: decodeChoices(plan.choices.choices) } : plan.choices
  if ((choices.from !== 'strategy' && choices.from !== 'mutation') || 'name' in choices) return { ...plan, choices }
  const [length, seed, points, chains, durationUs, faultPoints] = numbers as unknown as number[]
  const estimates = { points, chains, durationUs, ...(Number.isNaN(faultPoints) ? {} : { faultPoints }) }
  return { ...plan, choices: { ...(choices as Searched), name: { length, seed }, estimates } as Searched }
}
