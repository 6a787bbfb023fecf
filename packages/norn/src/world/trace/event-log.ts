/**
 * The events of an execution, in one flat array: an object per event, or an array per field, would
 * survive several garbage collections only to be dropped with a passing execution.
 */

import type { Moment } from '../../contract/observation.ts'
import type { TraceEvent } from '../../contract/trace.ts'
import { NO_ORDER, type TaskOrder, TaskOrderBuilder } from './task-order.ts'

/** A step's label in parts; joined only when read. */
export interface StepName {
  readonly chain: string
  readonly index: number
}

/** The number of fields of an event, in the order below. */
const FIELDS = 9
const [EVENT, CHAIN, INDEX, KIND, RESOURCE, TIME, DUE_TIME, DELAY, OUTCOME] = [0, 1, 2, 3, 4, 5, 6, 7, 8] as const

export class EventLog {
  readonly #fields: (string | number)[] = []
  /** Whether there is any event besides the start and the end of the body. */
  #ordered = false

  get length(): number {
    return this.#fields.length / FIELDS
  }

  /** Drops the events from `length` on. */
  truncate(length: number): void {
    this.#fields.length = Math.min(this.#fields.length, length * FIELDS)
  }

  /** @param dueUs the earliest time it could have run, had nothing else been running */
  push(event: Omit<TraceEvent, 'label' | 'chain'>, step: StepName, dueUs: number): void {
    const { event: what, kind, resource, atUs, delayUs, outcome } = event
    if (what !== 'start' && what !== 'settled') this.#ordered = true
    this.#fields.push(what, step.chain, step.index, kind, resource, atUs, dueUs, delayUs, outcome)
  }

  order(): TaskOrder {
    if (!this.#ordered) return NO_ORDER
    const builder = new TaskOrderBuilder()
    for (let at = 0; at < this.length; at++) {
      builder.add({
        event: this.#event(at),
        chain: this.#text(at, CHAIN),
        index: this.#number(at, INDEX),
        kind: this.#text(at, KIND),
        resource: this.#text(at, RESOURCE),
      })
    }
    return builder.get()
  }

  timeline(): Moment[] {
    const moments: Moment[] = []
    for (let at = 0; at < this.length; at++) {
      const event = this.#event(at)
      if (event !== 'effect' && event !== 'callback' && event !== 'timer') continue
      const [atUs, dueUs] = [this.#number(at, TIME), this.#number(at, DUE_TIME)]
      moments.push({ step: this.#label(at), chain: this.#text(at, CHAIN), point: event, atUs, dueUs })
    }
    return moments
  }

  /** @param relative maps a path to the form that traces show */
  trace(relative: (path: string) => string): TraceEvent[] {
    return Array.from({ length: this.length }, (_, at) => ({
      event: this.#event(at),
      label: this.#label(at),
      chain: this.#text(at, CHAIN),
      kind: this.#text(at, KIND),
      resource: relative(this.#text(at, RESOURCE)),
      atUs: this.#number(at, TIME),
      delayUs: this.#number(at, DELAY),
      outcome: this.#text(at, OUTCOME),
    }))
  }

  #event(at: number): TraceEvent['event'] {
    return this.#fields[at * FIELDS + EVENT] as TraceEvent['event']
  }

  #label(at: number): string {
    return `${this.#text(at, CHAIN)}:${this.#number(at, INDEX)}`
  }

  #text(at: number, field: number): string {
    return this.#fields[at * FIELDS + field] as string
  }

  #number(at: number, field: number): number {
    return this.#fields[at * FIELDS + field] as number
  }
}
