/** The steps of an execution that count for its order, by names that are the same in several executions. */
import type { TraceEvent } from '../../contract/trace.ts'
import { indexOf } from './causal-order.ts'
import type { Traced } from './trace-difference.ts'

const COUNTED: ReadonlySet<TraceEvent['event']> = new Set(['effect', 'callback', 'timer', 'immediate', 'sync'])

/** How steps are named, so that they are the same in several executions. */
export type Naming = (trace: readonly TraceEvent[]) => (step: Pick<TraceEvent, 'label' | 'chain' | 'kind'>) => string

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

/** What Node does to run threads, and that a port is closed, which only follows. */
function isByTheWay({ event, label, kind }: TraceEvent, messaging: Traced['messaging']): boolean {
  return kind === 'close port' || (event !== 'sync' && messaging?.routine.has(label) === true)
}

/** The steps of an execution that count, in their order and by name. */
export class Sequence {
  readonly steps: readonly TraceEvent[]
  readonly keys: readonly string[]
  readonly #submits: readonly TraceEvent[]
  readonly #places = new Map<string, number>()
  /** Of each operation and timer, how many steps were before it was started. */
  readonly #started = new Map<string, number>()

  constructor({ trace, notes, messaging }: Traced, naming: Naming) {
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
      if (!COUNTED.has(step.event) || isByTheWay(step, messaging)) continue
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

  /** The name here of a step that may be of another execution. */
  keyOf({ event, label, kind }: TraceEvent): string | undefined {
    return this.keys[this.steps.findIndex((each) => each.event === event && each.label === label && each.kind === kind)]
  }

  has(key: string): boolean {
    return this.#places.has(key)
  }

  /** What starts an operation: it may tell more of it than its other steps, such as what a message says. */
  startOf({ label, kind }: TraceEvent): TraceEvent | undefined {
    return this.#submits.find((each) => each.label === label && each.kind === kind)
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

/** The namings, the exact one first. */
export const NAMINGS: readonly Naming[] = [byLabel, byKind]
