/**
 * An executor without Node: a program is a function of the choices it draws, and fails by throwing.
 *
 *     const executor = new FakeExecutor((tape) => {
 *       if (tape.draw('input', 'x', 0, 100) >= 42) throw new Error('too large')
 *     })
 *
 * Schedule points are the program's draws in the lane of schedules. A `Void` thrown voids the
 * execution. What the program shows to those who guide the search it says itself, by its third
 * argument.
 */
import { inspect } from 'node:util'
import type { Choice } from '../../src/contract/choice.ts'
import { type Choices, UNBOUNDED } from '../../src/contract/choices.ts'
import type { ExecutionResult, Executor, RepeatedResult } from '../../src/contract/execution.ts'
import type { Moment, Numbering, Observation } from '../../src/contract/observation.ts'
import type { Observing, Plan } from '../../src/contract/plan.ts'
import { subjectOf } from '../../src/contract/subject.ts'
import { strategyOf } from '../../src/schedule/portfolio.ts'
import { chance, mix } from '../../src/tape/chance.ts'
import { inputSeed } from '../../src/tape/name.ts'
import { replaySource } from '../../src/tape/replay.ts'
import { type ChoiceSource, Tape } from '../../src/tape/tape.ts'
import { drawAgain } from '../tape/draw-again.ts'
import { type Compared, observationOf } from './observation.ts'

export class Void extends Error {}

export type FakeProgram = (tape: Tape, plan: Plan, show: Show) => void

/** What instrumentation and the world would see. */
export interface Show {
  /** A branch was taken. */
  branch(counter: number): void
  /** A task ran. */
  task(number: number): void
  compare(...compared: Compared): void
  note(label: string): void
  target(value: number, label: string): void
  /** Files were loaded. */
  numbering(numbering: Numbering): void
}

const COUNTERS = 64

export class FakeExecutor implements Executor {
  readonly #program: FakeProgram
  /** Everything that was executed, in order. */
  readonly plans: Plan[] = []
  readonly results: ExecutionResult[] = []

  constructor(program: FakeProgram) {
    this.#program = program
  }

  async execute(plan: Plan): Promise<ExecutionResult> {
    this.plans.push(plan)
    const { source, length } = sourceOf(plan)
    const tape = new Tape(source, length)
    const { show, shown } = showing()
    if (plan.observe?.comparisons) tape.keepProducts()
    let thrown: unknown
    try {
      this.#program(tape, plan, show)
    } catch (error) {
      thrown = error
    }
    const observation = plan.observe === undefined ? {} : { observation: shown(tape, plan.observe) }
    const result = { ...resultOf(tape, thrown, plan.detailed ?? false), ...observation }
    this.results.push(result)
    return result
  }

  /** What a fake does is its choices: two runs differ where those, or the verdicts, do. */
  async executeTwice(plan: Plan): Promise<RepeatedResult> {
    const detailed = { ...plan, detailed: true }
    const [first, second] = [await this.execute(detailed), await this.execute(detailed)]
    const [one, other] = [first, second].map(({ verdict, choices }) => inspect({ verdict, choices }, { depth: 9 }))
    if (one === other) return { result: first }
    return { result: first, divergence: { step: 1, first: { text: one! }, second: { text: other! } } }
  }
}

function showing(): { show: Show; shown(tape: Tape, observing: Observing): Observation } {
  const counters = new Uint8Array(COUNTERS)
  const order: number[] = []
  const compared: Compared[] = []
  const notes = new Map<string, number>()
  const targets = new Map<string, number>()
  let numbering: Numbering | undefined
  const show: Show = {
    branch: (counter) => {
      counters[counter]!++
    },
    task: (number) => order.push(number),
    compare: (...each) => compared.push(each),
    note: (label) => notes.set(label, (notes.get(label) ?? 0) + 1),
    target: (value, label) => targets.set(label, Math.max(value, targets.get(label) ?? Number.NEGATIVE_INFINITY)),
    numbering: (given) => {
      numbering = given
    },
  }
  const shown = (tape: Tape, observing: Observing): Observation => ({
    numbering,
    ...observationOf({
      counters: observing.counters ? [counters] : [],
      order: observing.order ? order : [],
      happensBefore: observing.order ? order.reduce((hash, task) => mix(hash ^ mix(task)), 0) : 0,
      ...(observing.comparisons ? { compared, products: tape.products } : {}),
      notes,
      targets,
      moments: tape.record().schedule.flatMap((choice, at) => momentOf(choice, at * 50 + Number(choice.value))),
      record: tape.record(),
    }),
  })
  return { show, shown }
}

/** Each operation takes effect 50 us after the one before, and its latency later. */
function momentOf({ subject }: Choice, atUs: number): Moment[] {
  if (subject?.point !== 'effect') return []
  const { step, chain, point } = subject
  return [{ step, chain, point, atUs, dueUs: atUs }]
}

function sourceOf({ choices }: Plan): { source: ChoiceSource; length: number } {
  if (choices.from === 'record') return { source: replaySource(choices.choices).source, length: choices.choices.length }
  if (choices.from === 'bytes') throw new Error('a campaign plans no bytes')
  const { seed, length } = choices.name
  const inputs = chance(1, inputSeed(seed))
  const schedules = chance(2, seed)
  const scheduler = strategyOf(choices).begin(schedules, choices.estimates)
  const source: ChoiceSource = ({ lane, label, min, max, index }) => {
    if (lane === 'input') return inputs.bigint(BigInt(min), BigInt(max))
    return scheduler({ kind: 'effect', chain: label, maxUs: Number(max), nowUs: index, alone: false })
  }
  if (choices.from === 'mutation') {
    const kept = replaySource(choices.choices).source
    return { source: (asked) => kept(asked) ?? source(asked), length: choices.choices.length }
  }
  return { source, length }
}

function resultOf(tape: Tape, thrown: unknown, detailed: boolean): ExecutionResult {
  const choices = tape.record()
  const counts = { inputChoices: choices.input.length, points: choices.schedule.length, chains: 2, durationUs: 1000 }
  if (thrown === undefined) return { verdict: 'passed', ...counts, ...(detailed ? { choices } : {}) }
  const { name, message } = thrown as Error
  const report = { stack: '', frames: [] }
  const traceHash = JSON.stringify(choices, (_, value) => (typeof value === 'bigint' ? `${value}n` : value))
  if (thrown instanceof Void)
    return {
      verdict: 'void',
      voided: { reason: { kind: 'uncontrolled operation', operation: message }, ...report },
      choices,
      ...counts,
    }
  return {
    verdict: 'failed',
    failure: { kind: 'error', errorName: name, message, ...report },
    choices,
    traceHash,
    ...counts,
  }
}

export function replayOf(choices: Partial<Choices>): Plan {
  const empty = { input: [], schedule: [], fault: [], length: UNBOUNDED }
  return { input: { from: 'tape' }, choices: { from: 'record', choices: { ...empty, ...choices } } }
}

export function choice(label: string, value: number, max = 20_000, kind: Choice['kind'] = 'latency'): Choice {
  const subject = kind === 'latency' || kind === 'fault' ? subjectOf(kind, label) : undefined
  return { kind, label, min: 0, max, value, ...(subject === undefined ? {} : { subject }) }
}

/** An array as fast-check draws it: its length, then its elements. */
export function drawArray(tape: Tape, max: number, maxLength = 50): number[] {
  const length = tape.draw('input', 'length', 0, maxLength)
  return Array.from({ length }, () => drawAgain(tape, 'input', 'element', 0, max))
}
