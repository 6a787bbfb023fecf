/** What a picture shows, as plain data: computed here, drawn in the browser (browser/). */
import type { Operation, Outcome } from '../history/operation.ts'
import type { IsolationResult } from '../isolation/check.ts'
import { showKey } from '../isolation/words.ts'
import type { LinearizabilityResult } from '../linearizability/result.ts'
import { canonical } from '../models/canonical.ts'
import { cut, type Words } from './operation-words.ts'

export type CheckedResult = LinearizabilityResult | IsolationResult

export interface PictureData {
  /** The processes: a line each. */
  readonly lanes: readonly string[]
  readonly operations: readonly PictureOperation[]
  readonly keys: readonly string[]
  /** What to look at: the window that cannot be ordered, or each anomaly's transactions. */
  readonly findings: readonly (readonly number[])[]
  /** What the findings are called: an anomaly may be allowed. */
  readonly found: 'what is wrong' | 'what was found'
  /** Places on the axis. */
  readonly end: number
}

/** Times are places on the axis: the times of the history in order, so that nothing is too short to see. */
interface PictureOperation {
  readonly lane: number
  readonly call: number
  readonly return: number
  readonly text: string
  /** Absent if `ok`. */
  readonly outcome?: Exclude<Outcome, 'ok'>
  readonly line?: number
  /** Indices of the keys that it is about. */
  readonly keys?: readonly number[]
  /** Which order that was found it is in, and its place in that, from 1. */
  readonly order?: number
  readonly place?: number
}

export interface PictureInput {
  readonly result: CheckedResult
  readonly operations: readonly Operation[]
  readonly words: Words
  /** Indices of the operations to show, ascending. */
  readonly shown: readonly number[]
}

/** Operations that a page has at most. */
const MAX_OPERATIONS = 20_000
/** Characters of all operations, about; of one, at least and at most. */
const MAX_CHARACTERS = 4_000_000
const MAX_TEXT = { least: 200, most: 4000 } as const

/** Operations that cannot be ordered, or that make an anomaly; the first is looked at first. */
export function findingsOf(result: CheckedResult): readonly (readonly number[])[] {
  if ('anomalies' in result) return result.anomalies.map(({ transactions }) => transactions)
  return result.verdict === 'illegal' ? [result.window.operations] : []
}

/** All operations if a page can have them, or else those around the first finding, and of the others. */
export function shownOperations(count: number, findings: readonly (readonly number[])[]): readonly number[] {
  if (count <= MAX_OPERATIONS) return Array.from({ length: count }, (_, index) => index)
  const last = findings[0]?.at(-1) ?? 0
  const from = Math.max(0, Math.min(count, last + MAX_OPERATIONS / 2) - MAX_OPERATIONS)
  const shown = new Set(Array.from({ length: MAX_OPERATIONS }, (_, index) => from + index))
  for (const index of findings.flatMap((finding) => finding.slice(-MAX_OPERATIONS))) shown.add(index)
  return [...shown].sort((a, b) => a - b)
}

export function pictureData({ result, operations, words, shown }: PictureInput): PictureData {
  const times = new Set<number>()
  for (const index of shown) for (const time of [operations[index]!.call, operations[index]!.return]) times.add(time)
  times.delete(Number.POSITIVE_INFINITY)
  const places = new Map([...times].sort((a, b) => a - b).map((time, place) => [time, place]))
  const lanes = new Numbering<number | string>()
  const keys = new Numbering<string>()
  const inOrder = placesInOrders(result)
  const most = Math.max(MAX_TEXT.least, Math.min(MAX_TEXT.most, Math.floor(MAX_CHARACTERS / shown.length)))
  const names = new Map(shown.map((index, at) => [index, at]))
  return {
    operations: shown.map((index): PictureOperation => {
      const operation = operations[index]!
      const { outcome, line } = operation
      const own = words.keysOf(operation).map((key) => keys.of(cut(keyText(key), MAX_TEXT.least)))
      return {
        lane: lanes.of(operation.process),
        call: places.get(operation.call)!,
        return: places.get(operation.return) ?? places.size,
        text: cut(words.describe(operation), most),
        ...(outcome !== 'ok' && { outcome }),
        ...(line !== undefined && { line }),
        ...(own.length > 0 && { keys: own }),
        ...inOrder.get(index),
      }
    }),
    lanes: lanes.all.map(String),
    keys: keys.all,
    findings: findingsOf(result).map((finding) => finding.flatMap((index) => names.get(index) ?? [])),
    found: result.verdict === 'illegal' ? 'what is wrong' : 'what was found',
    end: places.size,
  }
}

/** The orders that were found: all of a legal history, the longest one of an illegal history. */
function placesInOrders(
  result: CheckedResult,
): ReadonlyMap<number, { readonly order: number; readonly place: number }> {
  const places = new Map<number, { order: number; place: number }>()
  if ('anomalies' in result || result.verdict === 'unknown') return places
  const orders = result.verdict === 'ok' ? result.linearizations : result.longest.slice(0, 1)
  for (const [order, indices] of orders.entries())
    for (const [at, index] of indices.entries()) places.set(index, { order, place: at + 1 })
  return places
}

function keyText(key: unknown): string {
  return typeof key === 'object' && key !== null ? canonical(key) : showKey(key)
}

/** Numbers values from 0 in the order in which they come. */
class Numbering<Value> {
  readonly #numbers = new Map<Value, number>()

  of(value: Value): number {
    const number = this.#numbers.get(value) ?? this.#numbers.size
    this.#numbers.set(value, number)
    return number
  }

  get all(): Value[] {
    return [...this.#numbers.keys()]
  }
}
