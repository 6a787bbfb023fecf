/**
 * The shrinker: makes a failing execution as small as it gets, so that its choices are its explanation.
 *
 * A candidate is accepted if it still fails in the same way (see identity.ts) and is simpler; what is kept is what the
 * execution really drew, so the current best is always a record that replays. Simpler is the order of `compare`: fewer
 * schedule and fault choices that are not natural, then fewer input choices, then smaller values (by rank), then an
 * earlier end of the tape. Every accepted candidate is strictly simpler, so shrinking ends; each pass is deterministic,
 * and a round in which no pass made progress means done.
 *
 * The order of passes is the design's: shorter lengths by binary search first, then non-zero choices, then values. The
 * passes follow Hypothesis (delete, zero, minimise, reorder); the searches for few late
 * operations that explain all, and for a simpler failure of the same kind, are ours.
 */
import { NO_ESTIMATES } from '../schedule/strategy.ts'
import { chance } from '../tape/chance.ts'
import { type Choice, isNatural, naturalValue, rank } from '../tape/choice.ts'
import type { Lane } from '../tape/lane.ts'
import { SCHEDULES_PER_INPUT } from '../tape/name.ts'
import { type Choices, essential } from '../tape/replay.ts'
import { UNBOUNDED } from '../tape/tape.ts'
import type { ExecutionResult, Executor, InputPlan } from './execution.ts'
import { identity } from './identity.ts'

export interface ShrinkSummary {
  readonly executions: number
  readonly improvements: number
  /** Whether the end was reached, or a bound. */
  readonly complete: boolean
}

export interface ShrinkOutcome {
  readonly result: ExecutionResult
  readonly summary: ShrinkSummary
}

/** Bounds on one shrinking, after Hypothesis's. */
const MAX_EXECUTIONS = 4000
const MAX_ROUNDS = 20
/** Of these, executions kept for starting over; how often that is done, and what one may cost. */
const RESERVED_EXECUTIONS = 1500
const MAX_ATTEMPTS = 400
const MAX_RESTARTS = 4
const RESTART_EXECUTIONS = 500
/** After how many choices the tapes run out among which a simpler failure is looked for. */
const SHORT_TAPES = [16, 32, 64, 128]
/** How many operations are tried as the only late one, how late (as a share of the bound), and how many pairs. */
const MAX_SINGLE_TRIES = 300
const LATENESS_SHARES = [1, 0.25, 0.05]
const MAX_PAIR_TRIES = 300
/** Values of a fault that are tried alone: the errors of an operation stand first. */
const MAX_FAULT_VALUES = 4
/** How far apart two values may stand that change places. */
const SORT_REACH = 8

type Shrunk = ExecutionResult & { readonly choices: Choices }

export async function shrink(
  executor: Executor,
  input: InputPlan,
  failing: ExecutionResult,
  expired: () => boolean = () => false,
): Promise<ShrinkOutcome> {
  const search = new Search(executor, input, failing as Shrunk, expired, MAX_EXECUTIONS - RESERVED_EXECUTIONS)
  let complete = await converge(search, input)
  if (input.from === 'tape' && search.late > 1) complete = await startOver(search, executor, input, expired, complete)
  return {
    result: search.best,
    summary: { executions: search.executions, improvements: search.improvements, complete },
  }
}

/** Runs the passes until none makes progress; false if a bound ended it. */
async function converge(search: Search, input: InputPlan): Promise<boolean> {
  for (let round = 0; round < MAX_ROUNDS && !search.exhausted; round++) {
    const before = search.improvements
    await shortenTape(search)
    await zeroSchedule(search)
    await explainByFew(search)
    if (input.from === 'tape') {
      await deleteInput(search)
      await lowerValues(search, 'input')
    }
    await lowerValues(search, 'schedule')
    await lowerValues(search, 'fault')
    if (input.from === 'tape') await sortInput(search)
    if (search.improvements === before) return !search.exhausted
  }
  return false
}

/**
 * Where several things still have to be late, the failure that was found may be a roundabout one: an input that gets by
 * with fewer cannot be reached from it step by step. So the same failure is looked for anew, among short tapes, and what
 * is found is shrunk from there; the simplest of all is kept.
 */
async function startOver(
  search: Search,
  executor: Executor,
  input: InputPlan,
  expired: () => boolean,
  complete: boolean,
): Promise<boolean> {
  const sought = identity(search.best.failure!)
  let begun = 0
  for (let attempt = 0; attempt < MAX_ATTEMPTS && begun < MAX_RESTARTS && search.late > 1 && !expired(); attempt++) {
    if (search.executions >= MAX_EXECUTIONS) return false
    const length = SHORT_TAPES[attempt % SHORT_TAPES.length]!
    const name = { length, seed: attempt * SCHEDULES_PER_INPUT + 1 }
    const choices = { from: 'strategy', strategy: 'random', name, estimates: NO_ESTIMATES } as const
    const result = await executor.execute({ input, choices })
    search.executions++
    if (result.verdict !== 'failed' || identity(result.failure!) !== sought) continue
    begun++
    const limit = Math.min(RESTART_EXECUTIONS, MAX_EXECUTIONS - search.executions)
    const other = new Search(executor, input, result as Shrunk, expired, limit)
    const otherComplete = await converge(other, input)
    search.executions += other.executions
    if (compare(other.best.choices, search.best.choices) >= 0) continue
    search.best = other.best
    search.improvements += other.improvements
    complete = otherComplete
  }
  return complete
}

/** The state of one shrinking: the best so far, and what it may still cost. */
class Search {
  best: Shrunk
  executions = 0
  improvements = 0
  readonly #executor: Executor
  readonly #input: InputPlan
  readonly #identity: string
  readonly #expired: () => boolean
  readonly #tried = new Set<string>()

  readonly #limit: number

  /** @param limit executions that it may cost */
  constructor(executor: Executor, input: InputPlan, failing: Shrunk, expired: () => boolean, limit: number) {
    this.#limit = limit
    this.#executor = executor
    this.#input = input
    this.#expired = expired
    this.#identity = identity(failing.failure!)
    this.best = failing
  }

  get exhausted(): boolean {
    return this.executions >= this.#limit || this.#expired()
  }

  /** What of the best departs from natural. */
  get choices(): Choices {
    return essential(this.best.choices)
  }

  /** How many choices of the schedule and of faults are not natural. */
  get late(): number {
    return this.choices.schedule.length + this.choices.fault.length
  }

  /** What the natural execution of the best input draws: its schedule points, and its calls that could meet a fault. */
  async naturalPoints(): Promise<Pick<Choices, 'schedule' | 'fault'>> {
    this.executions++
    const choices: Choices = { ...this.choices, length: UNBOUNDED, schedule: [], fault: [] }
    const plan = { input: this.#input, choices: { from: 'record', choices }, detailed: true } as const
    const { choices: drawn } = await this.#executor.execute(plan)
    return drawn ?? { schedule: [], fault: [] }
  }

  /** Runs a candidate; keeps it if it fails in the same way and is simpler. */
  async accepts(candidate: Choices): Promise<boolean> {
    if (this.exhausted) return false
    const key = fingerprint(candidate)
    if (this.#tried.has(key)) return false
    this.#tried.add(key)
    this.executions++
    const result = await this.#executor.execute({
      input: this.#input,
      choices: { from: 'record', choices: candidate },
    })
    if (result.verdict !== 'failed' || identity(result.failure!) !== this.#identity) return false
    if (compare(result.choices!, this.best.choices) >= 0) return false
    this.best = result as Shrunk
    this.improvements++
    return true
  }
}

/** 64 bits that stand for a candidate: its text would be long, and thousands are remembered. */
function fingerprint(candidate: Choices): string {
  const text = JSON.stringify(candidate, (_, value) => (typeof value === 'bigint' ? `${value}n` : value))
  let [a, b] = [0x811c9dc5, 0x9e3779b9]
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    a = Math.imul(a ^ code, 0x01000193)
    b = Math.imul(b ^ code, 0x85ebca6b)
    b ^= b >>> 15
  }
  return `${a}:${b}`
}

/** Negative if `a` is simpler than `b`: first by faults, as a failure that needs none is nearer to everyday life. */
export function compare(a: Choices, b: Choices): number {
  const departures = (choices: readonly Choice[]) => choices.filter((choice) => !isNatural(choice)).length
  const sumOfRanks = (c: Choices) => [...c.schedule, ...c.fault].reduce((sum, x) => sum + rankOf(x), 0n)
  const order =
    departures(a.fault) - departures(b.fault) ||
    departures(a.schedule) - departures(b.schedule) ||
    a.input.length - b.input.length
  if (order !== 0) return order
  for (let i = 0; i < a.input.length; i++) {
    const difference = rankOf(a.input[i]!) - rankOf(b.input[i]!)
    if (difference !== 0n) return difference < 0n ? -1 : 1
  }
  const latenessOrder = sumOfRanks(a) - sumOfRanks(b)
  if (latenessOrder !== 0n) return latenessOrder < 0n ? -1 : 1
  return a.length - b.length
}

function rankOf(choice: Choice): bigint {
  return rank(choice.min, choice.max, choice.value)
}

/** Pass: lets the tape run out as early as possible, by binary search. */
async function shortenTape(search: Search): Promise<void> {
  const { input, schedule, fault } = search.best.choices
  let high = Math.min(search.best.choices.length, input.length + schedule.length + fault.length)
  let low = -1
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    const fails = await search.accepts({ ...search.choices, length: middle })
    if (fails) high = middle
    else low = middle
  }
}

/** Pass: makes schedule and fault choices natural, all at once, then in halves, then one by one (delta debugging). */
async function zeroSchedule(search: Search): Promise<void> {
  for (const lane of ['schedule', 'fault'] as const) {
    for (let size = search.choices[lane].length; size >= 1; size = Math.floor(size / 2)) {
      for (let start = 0; start < search.choices[lane].length; ) {
        const current = search.choices
        const kept = current[lane].filter((_, index) => index < start || index >= start + size)
        if (!(await search.accepts({ ...current, [lane]: kept }))) start += size
      }
    }
  }
}

/**
 * Pass: looks for one or two operations that, being late alone, fail in the same way, without a fault if there is a way,
 * or else for one fault alone. The operations are those of the
 * natural execution of the same input: what else was late may have led the recorded one along another path, with other
 * labels, from which no single step leads back.
 */
async function explainByFew(search: Search): Promise<void> {
  const { fault } = search.choices
  if (search.late <= 1 && fault.length === 0) return
  const natural = await search.naturalPoints()
  const points = natural.schedule
  const tries = (schedule: readonly Choice[], faults: readonly Choice[]) =>
    search.accepts({ ...search.choices, length: UNBOUNDED, schedule, fault: faults })
  if (fault.length > 0) {
    if (await tries([], [])) return
    for (const share of search.late > 1 ? LATENESS_SHARES : [1]) {
      for (const point of points.slice(0, MAX_SINGLE_TRIES)) if (await tries([lateBy(point, share)], [])) return
    }
    if (search.late <= 1) return
    for (const point of natural.fault.slice(0, MAX_SINGLE_TRIES)) {
      for (let value = 1; value <= Math.min(MAX_FAULT_VALUES, Number(point.max)); value++) {
        if (await tries([], [{ ...point, value }])) return
      }
    }
  }
  for (const share of LATENESS_SHARES) {
    for (const point of points.slice(0, MAX_SINGLE_TRIES)) if (await tries([lateBy(point, share)], fault)) return
  }
  if (search.late <= 2 || points.length < 2) return
  const draws = chance(0x66657721)
  for (let count = 0; count < MAX_PAIR_TRIES; count++) {
    const [first, second] = [draws, draws].map((d) =>
      lateBy(points[d.integer(0, points.length - 1)]!, LATENESS_SHARES[d.integer(0, LATENESS_SHARES.length - 1)]!),
    )
    if (first!.label === second!.label) continue
    if (await tries([first!, second!], [])) return
    if (fault.length > 0 && (await tries([first!], [fault[draws.integer(0, fault.length - 1)]!]))) return
  }
}

function lateBy(point: Choice, share: number): Choice {
  return { ...point, value: Math.ceil(Number(point.max) * share) }
}

/** Pass: deletes runs of input choices, lowering an earlier choice that may be their count. */
async function deleteInput(search: Search): Promise<void> {
  for (let size = Math.min(8, search.choices.input.length); size >= 1; size--) {
    for (let start = search.choices.input.length - size; start >= 0; start--) {
      const current = search.choices
      if (start + size > current.input.length) continue
      const rest = current.input.filter((_, index) => index < start || index >= start + size)
      if (await search.accepts({ ...current, input: rest })) continue
      for (let counter = start - 1; counter >= 0 && counter >= start - 24; counter--) {
        const lowered = rest.map((choice, index) => (index === counter ? closer(choice, 1) : choice))
        if (isNatural(rest[counter]!)) continue
        if (await search.accepts({ ...current, input: lowered })) break
      }
    }
  }
}

/** A choice whose value is nearer to natural by a step. */
function closer(choice: Choice, step: number): Choice {
  const natural = naturalValue(choice.min, choice.max)
  if (typeof choice.value === 'bigint') {
    return { ...choice, value: choice.value + BigInt(choice.value > natural ? -step : step) }
  }
  return { ...choice, value: choice.value + (choice.value > natural ? -step : step) }
}

/** Pass: brings each value as near to natural as it goes, by binary search on the distance. */
async function lowerValues(search: Search, lane: Lane): Promise<void> {
  for (let index = 0; index < search.choices[lane].length; index++) {
    const choice = search.choices[lane][index]!
    if (isNatural(choice)) continue
    const natural = BigInt(naturalValue(choice.min, choice.max))
    const toValue = (value: bigint) => (typeof choice.value === 'bigint' ? value : Number(value))
    const at = (value: bigint) => replaceAt(search.choices, lane, choice.label, index, toValue(value))
    if (await search.accepts(at(natural))) continue
    // A negative number may do as well as its positive twin.
    const mirrored = 2n * natural - BigInt(choice.value)
    if (BigInt(choice.value) < natural && mirrored <= BigInt(choice.max)) await search.accepts(at(mirrored))
    let bad = 0n
    const sign = valueAt(search.choices, lane, choice.label, index, natural) < natural ? -1n : 1n
    let good = sign * (valueAt(search.choices, lane, choice.label, index, natural) - natural)
    while (good - bad > 1n) {
      const middle = (good + bad) / 2n
      if (await search.accepts(at(natural + sign * middle))) good = middle
      else bad = middle
    }
  }
}

/** Pass: puts smaller values before larger ones of the same range, so that equal failures look equal. */
async function sortInput(search: Search): Promise<void> {
  for (let first = 0; first < search.choices.input.length; first++) {
    for (let second = first + 1; second <= first + SORT_REACH; second++) {
      const { input } = search.choices
      const [a, b] = [input[first], input[second]]
      if (a === undefined || b === undefined) break
      if (a.min !== b.min || a.max !== b.max || rankOf(a) <= rankOf(b)) continue
      const swapped = input.map((choice) =>
        choice === a ? { ...a, value: b.value } : choice === b ? { ...b, value: a.value } : choice,
      )
      await search.accepts({ ...search.choices, input: swapped })
    }
  }
}

/** The input keeps positions, the other lanes labels. */
function matches(lane: Lane, label: string, index: number): (choice: Choice, at: number) => boolean {
  return (choice, at) => (lane === 'input' ? at === index : choice.label === label)
}

function replaceAt(choices: Choices, lane: Lane, label: string, index: number, value: number | bigint): Choices {
  const isIt = matches(lane, label, index)
  return { ...choices, [lane]: choices[lane].map((choice, at) => (isIt(choice, at) ? { ...choice, value } : choice)) }
}

function valueAt(choices: Choices, lane: Lane, label: string, index: number, otherwise: bigint): bigint {
  const found = choices[lane].find(matches(lane, label, index))
  return found === undefined ? otherwise : BigInt(found.value)
}
