/**
 * Tells operations on several independent objects from operations on one.
 *
 * Jepsen writes an operation on one of several objects with a pair as its value, `[key value]`:
 * `:f :read, :value [3 nil]`. A pair may also be a plain value. So the first call that can only be
 * one of them decides for the whole history: a read, which has a value besides its key only if it
 * has none, or a compare-and-set. Events before it wait.
 */
import type { HistoryEvent } from '../history/event.ts'
import { HistoryError } from '../history/history-error.ts'

export class KeyedEvents {
  /** Undefined until an event decides. */
  #areKeyed: boolean | undefined
  #waiting: HistoryEvent[] = []
  readonly #onEvent: (event: HistoryEvent) => void

  /** @param onEvent gets the events with their keys, in the same order */
  constructor(onEvent: (event: HistoryEvent) => void) {
    this.#onEvent = onEvent
  }

  /** @throws HistoryError if the event returns no pair where the others are pairs */
  add(event: HistoryEvent): void {
    if (this.#areKeyed === undefined) {
      this.#waiting.push(event)
      const areKeyed = areKeyedBy(event)
      if (areKeyed !== undefined) this.#decide(areKeyed)
    } else this.#onEvent(this.#areKeyed ? keyed(event) : event)
  }

  /** Passes on what waits. */
  end(): void {
    // All calls are pairs, and none is a read.
    this.#decide(this.#waiting.some(({ type }) => type === 'invoke'))
  }

  #decide(areKeyed: boolean): void {
    this.#areKeyed = areKeyed
    for (const event of this.#waiting) this.#onEvent(areKeyed ? keyed(event) : event)
    this.#waiting = []
  }
}

/** What an event says of its history; undefined if nothing. */
function areKeyedBy({ type, f, key, value }: HistoryEvent): boolean | undefined {
  if (key !== undefined) return false
  if (type !== 'invoke') return undefined
  // The key of an object is not an array; the first part of a transaction is.
  if (!isPair(value) || Array.isArray(value[0])) return false
  if (f === 'cas') return isPair(value[1])
  return value[1] === null ? true : undefined
}

function keyed(event: HistoryEvent): HistoryEvent {
  const { type, process, f, value, line } = event
  if (isPair(value)) return { type, process, f, key: value[0], value: value[1], line }
  // A reason may stand in the place of the value.
  if (type === 'info' || type === 'fail') return event
  const shown = (JSON.stringify(value) ?? 'nothing').slice(0, 60)
  throw new HistoryError(`${f} has the value ${shown}: expected [key value], as other calls of this history have`, line)
}

function isPair(value: unknown): value is readonly [unknown, unknown] {
  return Array.isArray(value) && value.length === 2
}
