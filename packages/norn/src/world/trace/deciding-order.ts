/**
 * Which order of two steps decides, told from many executions of one input: all that have it fail, all that
 * have the other one pass, and two of them part at just these two steps.
 */
import type { TraceEvent } from '../../contract/trace.ts'
import { follows, indexOf } from './causal-order.ts'
import type { Traced } from './trace-difference.ts'

const COUNTED: ReadonlySet<TraceEvent['event']> = new Set(['effect', 'callback', 'timer', 'immediate', 'sync'])

/** An execution, and how it ended: in another way than the failing one counts against what it shows. */
export interface Sample {
  readonly traced: Traced
  readonly ended: 'passed' | 'failed' | 'otherwise'
}

/** How steps are named, so that they are the same in several executions. */
type Naming = (trace: readonly TraceEvent[]) => (step: Pick<TraceEvent, 'label' | 'chain' | 'kind'>) => string

/** By the path of its causes: exact, as long as the same steps come before it in its chain. */
const byLabel: Naming = () => nameOf

const nameOf = ({ label, kind }: Pick<TraceEvent, 'label' | 'kind'>) => `${label} ${kind}`

/** By its kind among the steps of its chain: other steps may come before it. */
const byKind: Naming = (trace) => {
  const names = new Map<string, string>()
  const counts = new Map<string, number>()
  for (const step of trace.toSorted((a, b) => indexOf(a) - indexOf(b))) {
    if (names.has(nameOf(step))) continue
    const of = `${step.chain} ${step.kind}`
    counts.set(of, (counts.get(of) ?? 0) + 1)
    names.set(nameOf(step), `${of} ${counts.get(of)}`)
  }
  return (step) => names.get(nameOf(step)) ?? nameOf(step)
}

/** The steps of an execution that count, in their order and by name. */
class Sequence {
  readonly steps: readonly TraceEvent[]
  readonly keys: readonly string[]
  readonly #submits: readonly TraceEvent[]
  readonly #places = new Map<string, number>()
  /** Of each operation and timer, how many steps were before it was started. */
  readonly #started = new Map<string, number>()

  constructor({ trace, notes }: Traced, naming: Naming) {
    const name = naming(trace)
    const counts = new Map<string, number>()
    const [steps, keys]: [TraceEvent[], string[]] = [[], []]
    const sets = notes.filter(({ event }) => event === 'set')
    const start = (named: string) => {
      if (!this.#started.has(named)) this.#started.set(named, steps.length)
    }
    for (const [at, step] of trace.entries()) {
      for (; (sets[0]?.at ?? trace.length) <= at; sets.shift()) {
        const { subject: label, chain } = sets[0]!
        start(name({ label, chain, kind: 'timer' }))
      }
      if (step.event === 'submit') start(name(step))
      if (!COUNTED.has(step.event)) continue
      const named = `${step.event} ${name(step)}`
      const count = counts.get(named) ?? 0
      counts.set(named, count + 1)
      const key = `${named}|${count}`
      this.#places.set(key, steps.length)
      keys.push(key)
      steps.push(step)
    }
    this.steps = steps
    this.keys = keys
    this.#submits = trace.filter(({ event }) => event === 'submit')
  }

  stepOf(key: string): TraceEvent | undefined {
    return this.steps[this.#places.get(key) ?? -1]
  }

  /** Whether the operation of a step of another execution is started here too. */
  starts({ label, kind, resource }: TraceEvent): boolean {
    return this.#submits.some((each) => each.label === label && each.kind === kind && each.resource === resource)
  }

  /** Whether one runs before the other, which may never run if it was started; undefined if that cannot be told. */
  isBefore(one: string, other: string): boolean | undefined {
    const [at, otherAt] = [this.#places.get(one), this.#places.get(other)]
    if (at !== undefined && otherAt !== undefined) return at < otherAt
    if (at !== undefined && this.#isPending(other, at)) return true
    if (otherAt !== undefined && this.#isPending(one, otherAt)) return false
    return undefined
  }

  #isPending(key: string, place: number): boolean {
    const started = this.#started.get(key.slice(key.indexOf(' ') + 1, key.lastIndexOf('|')))
    return started !== undefined && started <= place
  }
}

/** An execution, how it ended, and its place among the others. */
interface Seen {
  readonly sequence: Sequence
  readonly ended: Sample['ended']
  readonly at: number
}

/** A step, and the index of a sample that has it. */
interface SeenStep {
  readonly step: TraceEvent
  readonly at: number
}

/** In all samples that fail `first` comes before `second`, in all that pass after it. */
export interface DecidingPair {
  readonly first: SeenStep
  readonly second: SeenStep
}

/** Samples by index, one that fails and one that passes, whose delays differ by as little as can be. */
export interface Edge {
  readonly fail: number
  readonly pass: number
}

/** What is known of the executions around a failure. */
export interface Surroundings<Of extends Sample = Sample> {
  readonly tried: readonly Of[]
  readonly edges: readonly Edge[]
  /** Executions of other inputs without a delay, where one is needed that passes so. */
  readonly near?: readonly Of[]
}

/** Every pair of steps that decides, and at which the two of an edge part. */
export function decidingPairs(surroundings: Surroundings): DecidingPair[] {
  for (const naming of [byLabel, byKind]) {
    const pairs = decided(surroundings, naming)
    if (pairs.length > 0) return pairs
  }
  return []
}

function decided({ tried, edges, near }: Surroundings, naming: Naming): DecidingPair[] {
  const seen = ({ traced, ended }: Sample, at: number) => ({ sequence: new Sequence(traced, naming), ended, at })
  const [all, others] = [tried.map(seen), near?.map(seen)]
  const partings = edges.flatMap(({ fail, pass }) => partingOf(all[fail]!, all[pass]!))
  const distinct = new Map(partings.map((parting) => [parting.keys.join(), parting]))
  return [...distinct.values()].flatMap(({ first, second, keys }) => {
    const order = ({ sequence }: Seen) => sequence.isBefore(...keys)
    const isAsExpected = (each: Seen) =>
      each.ended === 'otherwise' ? order(each) !== false : order(each) === (each.ended === 'failed')
    const isKnown = (each: Seen) => order(each) !== undefined
    const fitsNear = (seen: readonly Seen[]) =>
      seen.filter(isKnown).every(isAsExpected) && seen.some((each) => each.ended === 'passed' && isKnown(each))
    const decides = all.every(isAsExpected) && (others === undefined || fitsNear(others))
    if (!decides || isOneChain(first.step, second.step)) return []
    const fails = all.filter(({ ended }) => ended === 'failed')
    return inOne(fails, keys) ?? inTwo(first, second, fails)
  })
}

/** Both steps as the first sample has them that has both: what they access may have other names in others. */
function inOne(fails: readonly Seen[], keys: Parting['keys']): DecidingPair[] | undefined {
  for (const { sequence, at } of fails) {
    const [first, second] = keys.map((key) => sequence.stepOf(key))
    if (first !== undefined && second !== undefined)
      return [{ first: { step: first, at }, second: { step: second, at } }]
  }
  return undefined
}

/** The second never happens where it fails: it is the same there as where it passes if it was started alike. */
function inTwo(first: SeenStep, second: SeenStep, fails: readonly Seen[]): DecidingPair[] {
  const { sequence } = fails.find(({ at }) => at === first.at)!
  return second.step.event === 'timer' || sequence.starts(second.step) ? [{ first, second }] : []
}

interface Parting extends DecidingPair {
  readonly keys: readonly [first: string, second: string]
}

function partingOf(fail: Seen, pass: Seen): Parting[] {
  const [keys, others] = [fail.sequence.keys, pass.sequence.keys]
  const place = keys.findIndex((key, index) => key !== others[index])
  const [one, other] = [keys[place], others[place]]
  if (one === undefined || other === undefined) return []
  const first = { step: fail.sequence.steps[place]!, at: fail.at }
  const second = { step: pass.sequence.steps[place]!, at: pass.at }
  return [{ first, second, keys: [one, other] }]
}

function isOneChain(one: TraceEvent, other: TraceEvent): boolean {
  return follows(one, other) || follows(other, one)
}
