/**
 * A plan as JSON, for the flight recorder: every execution is written there before it begins, and `JSON.stringify` would
 * take a tenth of the time of a small one. Those that a search makes by the thousand are written by hand here, 2.4 times
 * as fast; the rare ones (a replay, a saved input) as ever.
 *
 * Invariants: read with `revivePlan`, the text is the plan. Bigints are texts that end in `n`, under names that hold nothing else
 * of that form. A field that is added to a plan has to be added here: the types ask for it.
 */
import type { ChoicePlan, Observing, Plan } from '../contract/execution.ts'
import type { Estimates } from '../schedule/strategy.ts'
import type { Choice } from '../tape/choice.ts'
import { LANES } from '../tape/lane.ts'
import type { Choices } from '../tape/replay.ts'

export function planText(plan: Plan): string {
  const { input, choices } = plan
  if (input.from === 'tape' && (choices.from === 'strategy' || choices.from === 'mutation'))
    return searchedText(plan, choices)
  // A replacer makes it five times slower.
  return 'choices' in choices && hasBigints(choices.choices)
    ? JSON.stringify(plan, bigintsAsText)
    : JSON.stringify(plan)
}

type Searched = Extract<ChoicePlan, { from: 'strategy' | 'mutation' }>

/** The fields that are written by hand; what is missing here, or too much, does not compile. */
type Written<Type, Names extends keyof Type> = [Exclude<keyof Type, Names>] extends [never] ? Type : never

function searchedText(plan: Written<Plan, 'input' | 'choices' | 'detailed' | 'observe'>, choices: Searched): string {
  const { detailed, observe } = plan
  const rest =
    (detailed === undefined ? '' : `,"detailed":${detailed}`) +
    (observe === undefined ? '' : `,"observe":${observingText(observe)}`)
  return `{"input":{"from":"tape"},"choices":${choicesText(choices)}${rest}}`
}

function choicesText(plan: Written<Searched, 'from' | 'strategy' | 'name' | 'estimates'>): string {
  const { from, strategy, name, estimates } = plan
  const recorded = plan.from === 'mutation' ? `"choices":${recordText(plan.choices)},` : ''
  const named = `"name":{"length":${name.length},"seed":${name.seed}}`
  return `{"from":"${from}",${recorded}"strategy":${quoted(strategy)},${named},"estimates":${estimatesText(estimates)}}`
}

function recordText({ input, schedule, fault, length }: Written<Choices, 'input' | 'schedule' | 'fault' | 'length'>) {
  return `{"input":${laneText(input)},"schedule":${laneText(schedule)},"fault":${laneText(fault)},"length":${length}}`
}

function laneText(choices: readonly Choice[]): string {
  let text = ''
  for (let i = 0; i < choices.length; i++) text += `${i === 0 ? '' : ','}${choiceText(choices[i]!)}`
  return `[${text}]`
}

function choiceText(choice: Written<Choice, 'label' | 'min' | 'max' | 'value' | 'alias'>): string {
  const { label, min, max, value, alias } = choice
  const named = alias === undefined ? '' : `,"alias":${quoted(alias)}`
  const numbers = typeof min === 'bigint' ? `"${min}n","max":"${max}n","value":"${value}n"` : undefined
  return `{"label":${quoted(label)},"min":${numbers ?? `${min},"max":${max},"value":${value}`}${named}}`
}

function estimatesText(estimates: Written<Estimates, 'points' | 'chains' | 'durationUs' | 'faultPoints'>): string {
  const { points, chains, durationUs, faultPoints } = estimates
  const faults = faultPoints === undefined ? '' : `,"faultPoints":${faultPoints}`
  return `{"points":${points},"chains":${chains},"durationUs":${durationUs}${faults}}`
}

function observingText({ counters, order, comparisons }: Written<Observing, 'counters' | 'order' | 'comparisons'>) {
  return `{"counters":${counters},"order":${order},"comparisons":${comparisons}}`
}

const NEEDS_NO_ESCAPE = /^[ !#-[\]-~]*$/

function quoted(text: string): string {
  return NEEDS_NO_ESCAPE.test(text) ? `"${text}"` : JSON.stringify(text)
}

function hasBigints(choices: Choices): boolean {
  for (const lane of LANES) for (const { min } of choices[lane]) if (typeof min === 'bigint') return true
  return false
}

function bigintsAsText(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value
}

/** The numbers of a choice. A saved draw has a `value` too, in a form that never looks like this. */
const NUMBERS = new Set(['min', 'max', 'value'])
const BIGINT = /^-?\d+n$/

/** For `JSON.parse`: makes bigints again of those that were written as texts. */
export function revivePlan(key: string, value: unknown): unknown {
  return typeof value === 'string' && NUMBERS.has(key) && BIGINT.test(value) ? BigInt(value.slice(0, -1)) : value
}
