/**
 * The order of steps that decides a failure, found by trying executions around it: of the same input, or of one
 * near it where that fails under the default schedule. What passes must not do so only because a delay hides
 * what is wrong: so the input passes by default, or inputs near it show the same order without a delay, or
 * two tasks pass in either order.
 */
import { type Choice, isSimplest } from '../../contract/choice.ts'
import { type Choices, UNBOUNDED } from '../../contract/choices.ts'
import type { ExecutionResult } from '../../contract/execution.ts'
import type { Attempting, DecidingOrder, DecidingStep, Explained, Sample } from '../../contract/explanation.ts'
import { fingerprint } from '../../contract/fingerprint.ts'
import type { InputPlan, Plan } from '../../contract/plan.ts'
import { type Chance, chance } from '../../tape/chance.ts'
import { causeOf, follows } from '../../world/trace/causal-order.ts'
import { type Deciding, decidingOrders, type Edge, type Surroundings } from '../../world/trace/deciding-order.ts'

/** Executions around a failure, and around two that part late. */
const MAX_AROUND = 32
/** Pairs of executions, one that fails and one that passes, that are brought together; and steps of each. */
const MAX_EDGES = 4
const MAX_HALVED = 17
/** How much of what follows from two steps is delayed, one after the other, and by how much. */
const MAX_FOLLOWING = 8
const SHORT_US = 1_000
/** Inputs near that of the failure; those whose failures are looked for, and the steps that are delayed for that. */
const MAX_NEAR = 18
const MAX_INPUTS = 3
const MAX_DELAYED = 24
/** Events of all their traces together. */
const MAX_EVENTS = 200_000
/** Executions of each order, for it to be told. */
const MIN_SEEN = 5
/** Steps before and after the one where two executions part, whose delays are changed then. */
const [BEFORE, AFTER] = [4, 24]

const POINTS: ReadonlySet<string | undefined> = new Set(['effect', 'callback', 'timer'])

/** @param failing a failure; without a trace there is no such order */
export async function decidingOrder(
  attempting: Attempting,
  input: InputPlan,
  failing: Explained,
): Promise<{ readonly deciding?: DecidingOrder | undefined; readonly around: readonly Sample[] }> {
  const { result, explanation } = failing
  const { choices, failure } = result
  if (choices === undefined || failure === undefined || !explanation?.trace.length) return { around: [] }
  const around = new Around(attempting, failing)
  return { deciding: await around.order(input), around: around.ofSameInput }
}

interface Tried extends Sample {
  readonly result: ExecutionResult
  readonly plan: Plan
  readonly choices: Choices
}

class Around {
  readonly #attempting: Attempting
  readonly #choices: Choices
  readonly #fingerprint: string
  readonly #traceHash: string | undefined
  readonly #inputText: string
  readonly ofSameInput: Sample[] = []
  readonly #chance: Chance = chance(0)
  #eventsLeft = MAX_EVENTS

  constructor(attempting: Attempting, { result }: Explained) {
    this.#attempting = attempting
    this.#choices = result.choices!
    this.#fingerprint = fingerprint(result.failure!)
    this.#traceHash = result.traceHash
    this.#inputText = result.inputText ?? ''
  }

  async order(input: InputPlan): Promise<DecidingOrder | undefined> {
    const failing = await this.#try(input, this.#choices)
    if (failing?.ended !== 'failed' || delaysOf(failing.choices).length === 0) return undefined
    const undelayed = await this.#try(input, { ...this.#choices, schedule: [] })
    if (undelayed === undefined) return undefined
    if (undelayed.ended === 'passed') return this.#decided(input, [failing, undelayed])
    const near = await this.#undelayedNear()
    for (const passing of near.filter(({ ended }) => ended === 'passed').slice(0, MAX_INPUTS)) {
      const order = await this.#ofInput(passing, undelayed)
      if (order !== undefined) return order
    }
    const [found, ...tried] = await this.#oneDelayed(input, failing, 'passed')
    return found && this.#decided(input, [failing, ...tried, found], near)
  }

  /** Inputs near that of the failure, under the default schedule. */
  async #undelayedNear(): Promise<Tried[]> {
    const again = await this.#try({ from: 'tape' }, this.#choices)
    if (again?.result.traceHash !== this.#traceHash) return []
    const near: Tried[] = []
    for (const choices of inputsNear(this.#choices).slice(0, MAX_NEAR)) {
      const found = await this.#try({ from: 'tape' }, choices)
      if (found !== undefined) near.push(found)
    }
    return near
  }

  /** Of an input that passes under the default schedule, if a delay makes it fail in the same way. */
  async #ofInput(passing: Tried, failing: Tried): Promise<DecidingOrder | undefined> {
    const input: InputPlan = { from: 'tape' }
    const [found, ...tried] = await this.#oneDelayed(input, passing, 'failed', partingOf(passing, failing))
    const order = found && (await this.#decided(input, [found, ...tried, passing]))
    return order && { ...order, inputText: this.#changed(found!.result.inputText ?? '') }
  }

  /**
   * Delays one step after the other until it ends as wanted: that execution, and those before it.
   *
   * @param around the place of the steps that are delayed first; default: the last one
   */
  async #oneDelayed(
    input: InputPlan,
    { choices, traced: { trace } }: Tried,
    wanted: Sample['ended'],
    around?: number,
  ): Promise<Tried[]> {
    const tried: Tried[] = []
    const places = new Map([...trace.entries()].reverse().map(([place, { label }]) => [label, place]))
    const distance = (index: number) => Math.abs((places.get(choices.schedule[index]!.subject!.step) ?? 0) - around!)
    const delays = delaysOf(choices).reverse()
    if (around !== undefined) delays.sort((one, other) => distance(one) - distance(other))
    for (const part of [1, 8]) {
      for (const index of delays.slice(0, MAX_DELAYED)) {
        const choice = choices.schedule[index]!
        const schedule = choices.schedule.with(index, { ...choice, value: Math.floor(Number(choice.max) / part) })
        const found = await this.#try(input, { ...choices, schedule })
        if (found === undefined) continue
        if (found.ended === wanted) return [found, ...tried]
        tried.push(found)
      }
    }
    return []
  }

  /** What an input has where the failing one has something else. */
  #changed(inputText: string): string {
    const before = new Set(this.#inputText.split('\n'))
    const lines = inputText.split('\n').filter((line) => !before.has(line))
    return lines.length === 1 ? lines[0]!.trim() : inputText.replaceAll(/\s+/g, ' ')
  }

  /** The order that decides all executions around these; otherwise around two of them that part late. */
  async #decided(input: InputPlan, tried: readonly Tried[], near?: readonly Tried[]) {
    const all = await this.#around(input, { tried, edges: [], near })
    const order = await this.#orderOf(input, all)
    if (order !== undefined) return order
    const two = lastParting(all.tried)
    if (two === undefined) return undefined
    const late = { tried: [tried[0]!, ...two.pair], edges: [], near }
    return this.#orderOf(input, await this.#around(input, late, two.labels))
  }

  /** Tries more executions, which differ from others in some delays. */
  async #around(
    input: InputPlan,
    some: Surroundings<Tried>,
    labels?: ReadonlySet<string>,
  ): Promise<Surroundings<Tried>> {
    const [tried, edges] = [[...some.tried], [...some.edges]]
    const maxEdges = edges.length + MAX_EDGES
    for (let n = 0; n < MAX_AROUND; n++) {
      const from = tried.filter(({ ended }) => ended === (n % 2 === 0 ? 'failed' : 'passed'))
      const near = some.tried.findLast((each) => from.includes(each)) ?? from[0]
      if (near === undefined) break
      const base = n % 4 < 2 ? near : from[this.#chance.integer(0, from.length - 1)]!
      const found = await this.#try(input, this.#delayed(base.choices, n % 3 === 0 ? 3 : 1, labels))
      if (found === undefined) continue
      tried.push(found)
      if (edges.length < maxEdges && areOpposite(base, found)) edges.push(await this.#edge(input, base, found, tried))
    }
    return { ...some, tried, edges }
  }

  /** Between two executions, two that differ by as little as can be. All that are tried are added. */
  async #edge(input: InputPlan, one: Tried, other: Tried, tried: Tried[]): Promise<Edge> {
    let [fail, pass] = one.ended === 'failed' ? [one, other] : [other, one]
    for (let n = 0; n < MAX_HALVED; n++) {
      const choices = between(fail.choices, pass.choices)
      const found = choices && (await this.#try(input, choices))
      if (found === undefined || found.ended === 'otherwise') break
      tried.push(found)
      if (found.ended === 'failed') fail = found
      else pass = found
    }
    return { fail: tried.indexOf(fail), pass: tried.indexOf(pass) }
  }

  #delayed(choices: Choices, most: number, labels?: ReadonlySet<string>): Choices {
    const delays = delaysOf(choices, labels)
    let { schedule } = choices
    for (let left = this.#chance.integer(1, most); left > 0 && delays.length > 0; left--) {
      const index = delays[this.#chance.integer(0, delays.length - 1)]!
      const choice = schedule[index]!
      schedule = schedule.with(index, { ...choice, value: this.#delay(choice) })
    }
    return { ...choices, schedule }
  }

  /** None, or one on a logarithmic scale. */
  #delay(choice: Choice): number {
    if (!isSimplest(choice) && this.#chance.coin(0.3)) return 0
    const max = Number(choice.max)
    return Math.min(max, Math.floor(10 * (max / 10) ** this.#chance.unit()))
  }

  async #try(input: InputPlan, choices: Choices): Promise<Tried | undefined> {
    if (this.#eventsLeft <= 0) return undefined
    const record = { ...choices, length: UNBOUNDED }
    const plan = { input, choices: { from: 'record', choices: record }, detailed: true } as const
    const run = await this.#attempting.steps(plan)
    if (run?.explanation === undefined || run.result.choices === undefined || run.result.discarded) return undefined
    const { verdict, failure, voided } = run.result
    if (voided !== undefined) return undefined
    this.#eventsLeft -= run.explanation.trace.length
    const isSame = failure !== undefined && fingerprint(failure) === this.#fingerprint
    const ended = verdict === 'passed' ? 'passed' : isSame ? 'failed' : 'otherwise'
    if (run.result.inputText === this.#inputText) this.ofSameInput.push({ traced: run.explanation, ended })
    return { traced: run.explanation, ended, result: run.result, plan, choices: run.result.choices }
  }

  /** Undefined if none decides, or several do. */
  async #orderOf(input: InputPlan, some: Surroundings<Tried>): Promise<DecidingOrder | undefined> {
    const labels = new Set(decidingOrders(some).flatMap((order) => labelsAfter(order, some.tried)))
    if (labels.size === 0) return undefined
    // What follows from the steps may be what decides: then its delays tell the two apart.
    const all = await this.#withEachDelayed(input, some, labels)
    const countOf = (is: Sample['ended']) => all.tried.filter(({ ended }) => ended === is).length
    const [failed, passed] = [countOf('failed'), countOf('passed')]
    if (failed < MIN_SEEN || passed < MIN_SEEN) return undefined
    const orders = decidingOrders(all)
    const [order] = orders
    if (order === undefined || orders.some((each) => !isSame(each, order))) return undefined
    const [first, second] = [await this.#placed(all.tried, order.first), await this.#placed(all.tried, order.second)]
    const after = order.after && (await this.#placed(all.tried, order.after))
    if (first === undefined || second === undefined || (order.after !== undefined && after === undefined))
      return undefined
    return { first, second, failed, passed, ...(after === undefined ? {} : { after }) }
  }

  /** Delays each of some steps alone, in two executions that differ by as little as can be. */
  async #withEachDelayed(input: InputPlan, some: Surroundings<Tried>, labels: ReadonlySet<string>) {
    const [tried, edges] = [[...some.tried], [...some.edges]]
    for (const base of [some.edges[0]!.fail, some.edges[0]!.pass].map((at) => some.tried[at]!)) {
      for (const index of delaysOf(base.choices, labels)) {
        const choice = base.choices.schedule[index]!
        const value = Math.min(Number(choice.max), Number(choice.value) + SHORT_US)
        const found = await this.#try(input, {
          ...base.choices,
          schedule: base.choices.schedule.with(index, { ...choice, value }),
        })
        if (found === undefined) continue
        tried.push(found)
        if (areOpposite(base, found)) edges.push(await this.#edge(input, base, found, tried))
      }
    }
    return { ...some, tried, edges }
  }

  async #placed(tried: readonly Tried[], steps: Deciding['first']): Promise<DecidingStep[] | undefined> {
    const placed: DecidingStep[] = []
    for (const { step, at } of steps) {
      const execution = (await this.#attempting.explain(tried[at]!.plan))?.explanation
      if (execution === undefined) return undefined
      placed.push({ step, execution })
    }
    return placed
  }
}

/** Whether two orders are of the same operations: one may have the effect, and one the callback. */
function isSame(one: Deciding, other: Deciding): boolean {
  const labels = ({ first, second, after = [] }: Deciding) =>
    [after, first, second].map((steps) => steps.map(({ step }) => step.label).join()).join(' < ')
  return labels(one) === labels(other)
}

/** The labels of steps, and of what follows from them, or from what they follow from: it may come with them. */
function labelsAfter({ first, second, after = [] }: Deciding, tried: readonly Tried[]): string[] {
  return [...after, ...first, ...second].flatMap(({ step, at }) => {
    const { trace } = tried[at]!.traced
    const following = [step, causeOf(step.label, step.chain) ?? step].flatMap((cause) => {
      const labels = trace.filter((each) => follows(each, cause)).map(({ label }) => label)
      return [...new Set(labels)].slice(0, MAX_FOLLOWING)
    })
    return [step.label, ...following]
  })
}

/** The indices of the delays of steps, all or those with these labels. */
function delaysOf({ schedule }: Choices, labels?: ReadonlySet<string>): number[] {
  const isDelay = ({ kind, subject }: Choice) =>
    kind === 'latency' && POINTS.has(subject?.point) && (labels === undefined || labels.has(subject!.step))
  return [...schedule.keys()].filter((index) => isDelay(schedule[index]!))
}

function areOpposite({ ended }: Tried, other: Tried): boolean {
  return (ended === 'failed' && other.ended === 'passed') || (ended === 'passed' && other.ended === 'failed')
}

/** Each latency halfway between two; undefined if none is between. */
function between(one: Choices, other: Choices): Choices | undefined {
  const values = new Map(other.schedule.map(({ label, value }) => [label, Number(value)]))
  let isBetween = false
  const schedule = one.schedule.map((choice) => {
    const value = Number(choice.value)
    const to = values.get(choice.label) ?? value
    if (choice.kind !== 'latency' || Math.abs(to - value) < 2) return choice
    isBetween = true
    return { ...choice, value: Math.floor((value + to) / 2) }
  })
  return isBetween ? { ...one, schedule } : undefined
}

/** The place of the first step in which two executions differ. */
function partingOf(one: Tried, other: Tried): number {
  const nameOf = (each: Tried, at: number) => {
    const { event, label, kind } = each.traced.trace[at] ?? {}
    return `${event} ${label} ${kind}`
  }
  let at = 0
  while (at < one.traced.trace.length && nameOf(one, at) === nameOf(other, at)) at++
  return at
}

/** One that fails and one that passes, which part last, with the labels of the steps around that place. */
function lastParting(all: readonly Tried[]): { pair: readonly [Tried, Tried]; labels: Set<string> } | undefined {
  let best: { fail: Tried; pass: Tried; at: number } | undefined
  for (const fail of all.filter(({ ended }) => ended === 'failed')) {
    for (const pass of all.filter(({ ended }) => ended === 'passed')) {
      const at = partingOf(fail, pass)
      if (best === undefined || at > best.at) best = { fail, pass, at }
    }
  }
  if (best === undefined) return undefined
  const { fail, pass, at } = best
  const near = [fail, pass].flatMap(({ traced }) => traced.trace.slice(Math.max(0, at - BEFORE), at + AFTER))
  return { pair: [fail, pass], labels: new Set(near.map(({ label }) => label)) }
}

/** The choices of inputs near one, under the default schedule: one value is a little larger, or smaller. */
function inputsNear(choices: Choices): Choices[] {
  return [1, 2, 5, -1, -2, -5].flatMap((by) =>
    choices.input.flatMap((choice, index) => {
      const value = typeof choice.value === 'bigint' ? choice.value + BigInt(by) : choice.value + by
      const input = choices.input.with(index, { ...choice, value } as Choice)
      return value > choice.max || value < choice.min ? [] : [{ ...choices, input, schedule: [] }]
    }),
  )
}
