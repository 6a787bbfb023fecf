/**
 * The nearest passing execution of a failure: the one change of a choice that makes it pass, and
 * among those that do, the one that parts from the failure last. Where the two part is what decides.
 *
 * First a delay or a fault is lowered or dropped. If none of that passes, a choice of the input is
 * changed, or a delay added. How many are tried depends on the length of the trace.
 */

import { type Choice, clamp, isSimplest, LANES, type Lane, simplestValue } from '../../contract/choice.ts'
import { type Choices, UNBOUNDED } from '../../contract/choices.ts'
import type { Attempting, Explained, PassingExecution } from '../../contract/explanation.ts'
import type { InputPlan, Plan } from '../../contract/plan.ts'
import { partingOf, stepsOf } from '../../world/trace/trace-difference.ts'

/** Executions that are tried at most in each way, and events of all their traces together. */
const MAX_TRIED = 24
const MAX_EVENTS = 200_000

/** @param failing a failure; without a trace there is no such execution */
export async function nearestPassing(
  attempting: Attempting,
  input: InputPlan,
  failing: Explained,
): Promise<PassingExecution | undefined> {
  if (failing.result.choices === undefined || !failing.explanation?.trace.length) return undefined
  return (await new Attempts(failing, input, attempting).nearest())?.execution
}

interface Change {
  readonly lane: Lane
  readonly index: number
  readonly value: number | bigint
}

interface Passing {
  readonly change: Change
  readonly execution: PassingExecution
  /** The step at which it parts from the failure, and how many of its steps differ. */
  readonly parting: number
  readonly differing: number
}

class Attempts {
  readonly #failing: Explained
  readonly #input: InputPlan
  readonly #attempting: Attempting
  readonly #choices: Choices
  #left: number

  constructor(failing: Explained, input: InputPlan, attempting: Attempting) {
    this.#failing = failing
    this.#input = input
    this.#attempting = attempting
    this.#choices = { ...failing.result.choices!, length: UNBOUNDED }
    this.#left = Math.floor(MAX_EVENTS / stepsOf(failing.explanation!).length)
  }

  async nearest(): Promise<Passing | undefined> {
    const { input, schedule } = this.#choices
    const departing = LANES.filter((lane) => lane !== 'input').flatMap((lane) => lowered(this.#choices[lane], lane))
    const eased = await this.#nearestOf(departing, this.#input)
    if (eased !== undefined) return eased
    const others = (await this.#makesInput()) ? await this.#nearestOf(changed(input), { from: 'tape' }) : undefined
    const later = await this.#delayed(schedule)
    return nearer(others, later)
  }

  /** Whether the arbitraries still make the input from its choices. */
  async #makesInput(): Promise<boolean> {
    if (this.#choices.input.length === 0) return false
    const same = await this.#explain({ input: { from: 'tape' }, choices: { from: 'record', choices: this.#choices } })
    return same !== undefined && same.result.traceHash === this.#failing.result.traceHash
  }

  /** The last delay of 0 that makes the execution pass if it is longer, by the least that does. */
  async #delayed(schedule: readonly Choice[]): Promise<Passing | undefined> {
    // A late effect makes for a late callback; messages have no effect apart from it.
    const sent = this.#failing.explanation!.messaging?.passed
    const isDelay = ({ subject }: Choice) =>
      subject?.point === 'effect' ||
      subject?.point === 'timer' ||
      (subject?.point === 'callback' && sent?.has(subject.step) === true)
    const delays = [...schedule.entries()].filter(([, choice]) => isDelay(choice) && isSimplest(choice))
    for (const [index, { max }] of delays.reverse().slice(0, MAX_TRIED)) {
      const delay = (value: number) => ({ lane: 'schedule', index, value }) as const
      const longest = await this.#passing(delay(Number(max)), this.#input)
      if (longest === undefined) continue
      let [failing, passes] = [0, Number(max)]
      while (passes - failing > 1) {
        const between = Math.floor((failing + passes) / 2)
        if (await this.#passes(this.#changed(delay(between), this.#input))) passes = between
        else failing = between
      }
      return (await this.#passing(delay(passes), this.#input)) ?? longest
    }
    return undefined
  }

  async #nearestOf(changes: readonly Change[], input: InputPlan): Promise<Passing | undefined> {
    let nearest: Passing | undefined
    for (const change of changes.slice(0, MAX_TRIED)) nearest = nearer(nearest, await this.#passing(change, input))
    return nearest
  }

  #changed({ lane, index, value }: Change, input: InputPlan): Plan {
    const changed = this.#choices[lane].with(index, { ...this.#choices[lane][index]!, value })
    return { input, choices: { from: 'record', choices: { ...this.#choices, [lane]: changed } } }
  }

  /** The execution with a change, if it passes by other steps. */
  async #passing(change: Change, input: InputPlan): Promise<Passing | undefined> {
    const { lane, index, value } = change
    const choice = this.#choices[lane][index]!
    const plan = this.#changed(change, input)
    const explained = (await this.#passes(plan)) ? await this.#explain(plan) : undefined
    if (explained === undefined || explained.result.verdict !== 'passed' || explained.result.discarded) return undefined
    const { nearest: _, ...steps } = explained.explanation!
    const difference = partingOf(this.#failing.explanation!, steps)
    if (difference === undefined) return undefined
    const { parting, added, moved } = difference
    const { inputText = '' } = explained.result
    const execution = { change: { lane, choice, value }, inputText, ...steps }
    return { change, execution, parting, differing: added.size + moved.size }
  }

  async #passes(plan: Plan): Promise<boolean> {
    return this.#left-- > 0 && (await this.#attempting.execute(plan))?.verdict === 'passed'
  }

  async #explain(plan: Plan): Promise<Explained | undefined> {
    return this.#left-- > 0 ? this.#attempting.explain(plan) : undefined
  }
}

/** Of two, the one that parts later, then the one with fewer differences, then the first. */
function nearer(one: Passing | undefined, other: Passing | undefined): Passing | undefined {
  if (one === undefined || other === undefined) return one ?? other
  if (one.parting !== other.parting) return one.parting > other.parting ? one : other
  return other.differing < one.differing ? other : one
}

/** Each choice that is not the simplest: one less, then the simplest. */
function lowered(choices: readonly Choice[], lane: Lane): Change[] {
  return choices.flatMap((choice, index) => {
    if (isSimplest(choice)) return []
    const least = simplestValue(choice.min, choice.max)
    const less = moved(choice, -1)
    return [less, ...(less === least ? [] : [least])].map((value) => ({ lane, index, value }))
  })
}

/** Simpler inputs first, then those with one more. */
function changed(input: readonly Choice[]): Change[] {
  const raised = input.flatMap((choice, index): Change[] => {
    const value = moved(choice, 1)
    return value === choice.value ? [] : [{ lane: 'input', index, value }]
  })
  return [...lowered(input, 'input'), ...raised]
}

/** The value of a choice moved away from the simplest one, or towards it, within its bounds. */
function moved({ min, max, value }: Choice, by: 1 | -1): number | bigint {
  const isBelow = value < simplestValue(min, max)
  const to = clamp(BigInt(value) + BigInt(isBelow ? -by : by), BigInt(min), BigInt(max))
  return typeof value === 'bigint' ? to : Number(to)
}
