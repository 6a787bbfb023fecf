/**
 * Two executions compared step by step: where they part, and which steps of the first the second
 * lacks or has in another order. Times do not count, so a delay shows as the order that it causes.
 */
import type { Messaging } from '../../contract/messaging.ts'
import type { Note, TraceEvent } from '../../contract/trace.ts'

/** An event of a trace, or what was noted beside it. */
export type TraceStep = TraceEvent | Note

export interface Traced {
  readonly trace: readonly TraceEvent[]
  readonly notes: readonly Note[]
  /** What threads and child processes did, if there were any. */
  readonly messaging?: Messaging | undefined
}

export function isNote(step: TraceStep): step is Note {
  return 'place' in step
}

/** Whether a note tells how a promise was settled. */
export function isSettlement({ event }: Note): boolean {
  return event === 'resolve' || event === 'reject'
}

/** Events and notes in their order. */
export function stepsOf({ trace, notes }: Traced): TraceStep[] {
  const steps: TraceStep[] = []
  let next = 0
  for (let at = 0; at <= trace.length; at++) {
    for (; next < notes.length && notes[next]!.at <= at; next++) steps.push(notes[next]!)
    if (at < trace.length) steps.push(trace[at]!)
  }
  return steps
}

export interface TraceDifference {
  /** Index of the first step at which the two differ, in both. */
  readonly parting: number
  /** Indices of steps that the second execution lacks. */
  readonly added: ReadonlySet<number>
  /** Indices of steps that stand elsewhere in the second. */
  readonly moved: ReadonlySet<number>
}

/** A difference, with what the second execution has where the two part. */
export interface Parting extends TraceDifference {
  readonly instead: TraceStep | undefined
}

/**
 * Like `differenceOf`; but where there are threads or child processes the two part at what decides: a
 * message that arrives, not that a thread is created, nor what Node does to run it. If no such step
 * differs, they part after the last one.
 */
export function partingOf(first: Traced, second: Traced): Parting | undefined {
  const [steps, others] = [stepsOf(first), stepsOf(second)]
  const whole = differenceOf(steps, others)
  if (whole === undefined) return undefined
  if (first.messaging === undefined && second.messaging === undefined)
    return { ...whole, instead: others[whole.parting] }
  const deciding = decidingOf(steps, first.messaging)
  const otherDeciding = decidingOf(others, second.messaging)
  const parting = differenceOf(
    deciding.map((at) => steps[at]!),
    otherDeciding.map((at) => others[at]!),
  )?.parting
  if (parting === undefined) return { ...whole, parting: steps.length, instead: undefined }
  return { ...whole, parting: deciding[parting]!, instead: others[otherDeciding[parting] ?? others.length] }
}

/** Indices of the steps that may decide. */
function decidingOf(steps: readonly TraceStep[], messaging: Messaging | undefined): number[] {
  return [...steps.keys()].filter((at) => {
    const step = steps[at]!
    if (messaging === undefined || isNote(step)) return true
    if (messaging.routine.has(step.label) && step.event !== 'sync') return false
    const passed = messaging.passed.get(step.label)
    const isOfPassed = step.event === 'submit' || step.event === 'effect' || step.event === 'callback'
    return passed === undefined || !isOfPassed || (step.event === 'callback' && passed.what !== 'start')
  })
}

/**
 * Undefined if nothing that happens decides: the two differ at most in how the body ends, or the body
 * of the first throws where the second goes on.
 */
export function differenceOf(first: readonly TraceStep[], second: readonly TraceStep[]): TraceDifference | undefined {
  const [keys, others] = [keysOf(first), keysOf(second)]
  const parting = keys.findIndex((key, at) => key !== others[at])
  const [here, there] = [first[parting], second[parting]]
  if (here === undefined) return undefined
  // A body that waits for ever is told by what the other still had to come.
  if (here.event === 'settled' && (there?.event === 'settled' || here.kind !== 'idle')) return undefined
  const places = new Map(others.map((key, at) => [key, at]))
  const added = new Set<number>()
  const common: { readonly at: number; readonly place: number }[] = []
  for (const [at, key] of keys.entries()) {
    const place = places.get(key)
    if (place === undefined) added.add(at)
    else common.push({ at, place })
  }
  const kept = new Set(increasing(common.map(({ place }) => place)))
  const moved = new Set(common.filter((_, index) => !kept.has(index)).map(({ at }) => at))
  return { parting, added, moved }
}

/** A name for each step; of steps with equal names each has its ordinal. */
function keysOf(steps: readonly TraceStep[]): string[] {
  const counts = new Map<string, number>()
  return steps.map((step) => {
    const { event, label } = step
    const what = isNote(step) ? step.subject : `${step.kind} ${step.resource} ${step.outcome}`
    const key = `${event} ${label} ${what}`
    const count = counts.get(key) ?? 0
    counts.set(key, count + 1)
    return `${key} ${count}`
  })
}

/** The indices of a longest increasing subsequence of distinct numbers. */
function increasing(numbers: readonly number[]): number[] {
  /** At each length, the index of the smallest number that ends such a subsequence. */
  const ends: number[] = []
  const before: number[] = []
  for (const [index, number] of numbers.entries()) {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (numbers[ends[middle]!]! < number) low = middle + 1
      else high = middle
    }
    before[index] = low === 0 ? -1 : ends[low - 1]!
    ends[low] = index
  }
  const longest: number[] = []
  for (let index = ends.at(-1) ?? -1; index >= 0; index = before[index]!) longest.push(index)
  return longest.reverse()
}
