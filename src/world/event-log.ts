/**
 * The events of an execution as they are noted, in columns: an object for each would outlive several collections of
 * garbage, only to be thrown away with an execution that passes.
 */
import type { Moment } from '../explore/observation.ts'
import { type TaskOrder, TaskOrderBuilder } from './task-order.ts'
import type { TraceEvent } from './trace.ts'

/** A step's name, in its parts: it is written out when somebody looks. */
export interface StepName {
  readonly chain: string
  readonly index: number
}

export class EventLog {
  readonly #events: TraceEvent['event'][] = []
  readonly #chains: string[] = []
  readonly #indexes: number[] = []
  readonly #kinds: string[] = []
  readonly #resources: string[] = []
  readonly #times: number[] = []
  readonly #dueTimes: number[] = []
  readonly #lateness: number[] = []
  readonly #outcomes: string[] = []

  get length(): number {
    return this.#events.length
  }

  /** Drops the events from `length` on. */
  truncate(length: number): void {
    const columns = [this.#events, this.#chains, this.#indexes, this.#kinds, this.#resources, this.#times]
    for (const column of [...columns, this.#dueTimes, this.#lateness, this.#outcomes])
      column.length = Math.min(column.length, length)
  }

  /** @param dueUs when it could have come, had nothing else run then */
  push(event: Omit<TraceEvent, 'label'>, step: StepName, dueUs: number): void {
    this.#events.push(event.event)
    this.#chains.push(step.chain)
    this.#indexes.push(step.index)
    this.#kinds.push(event.kind)
    this.#resources.push(event.resource)
    this.#times.push(event.atUs)
    this.#dueTimes.push(dueUs)
    this.#lateness.push(event.lateUs)
    this.#outcomes.push(event.outcome)
  }

  order(): TaskOrder {
    const builder = new TaskOrderBuilder()
    for (const [at, event] of this.#events.entries()) {
      const [chain, index] = [this.#chains[at]!, this.#indexes[at]!]
      builder.add({ event, chain, index, kind: this.#kinds[at]!, resource: this.#resources[at]! })
    }
    return builder.get()
  }

  timeline(): Moment[] {
    const moments: Moment[] = []
    for (const [at, event] of this.#events.entries()) {
      if (event !== 'effect' && event !== 'callback' && event !== 'timer') continue
      const label = `${this.#chains[at]}:${this.#indexes[at]}`
      moments.push({ label, point: event, atUs: this.#times[at]!, dueUs: this.#dueTimes[at]! })
    }
    return moments
  }

  /** @param relative the form of a path that traces show */
  trace(relative: (path: string) => string): TraceEvent[] {
    return this.#events.map((event, at) => ({
      event,
      label: `${this.#chains[at]}:${this.#indexes[at]}`,
      kind: this.#kinds[at]!,
      resource: relative(this.#resources[at]!),
      atUs: this.#times[at]!,
      lateUs: this.#lateness[at]!,
      outcome: this.#outcomes[at]!,
    }))
  }
}
