/**
 * The recording of an execution: its trace, what it printed, and where its steps were started.
 *
 * Invariants: a path in the trace is relative to the project or to the folder for temporary files, so that the trace is
 * the same on every machine; all of it is bounded. While the modules load nothing goes into the trace.
 */
import { tmpdir } from 'node:os'
import { sep } from 'node:path'
import type { Moment } from '../contract/observation.ts'
import { EventLog, type StepName } from './event-log.ts'
import { Origins } from './origin.ts'
import type { TaskOrder } from './task-order.ts'
import type { TraceEvent } from './trace.ts'

/** Events that a trace may hold: a program that does more in its steps makes no progress. */
export const MAX_EVENTS = 1_000_000

/** How much output of the program is kept, in characters. */
const MAX_OUTPUT = 64 * 1024

/**
 * How much a program may print in all, in characters: one that prints more makes no progress. A call counts as at least
 * so many, because calls are what takes the time.
 */
export const MAX_PRINTED = 16 * 1024 * 1024
const MIN_CALL = 64

/** What is told of an event: the time and the form of its path are the recording's. What is left out is 0, or empty. */
export type EventDetails = Pick<TraceEvent, 'event' | 'kind'> &
  Partial<Pick<TraceEvent, 'resource' | 'delayUs' | 'outcome'>> & {
    /** The step that ran, or that the operation belongs to. */
    readonly step: StepName
    /** When it could have come, had nothing else run then; when it came, unless set. */
    readonly dueUs?: number
  }

export class Recording {
  readonly origins = new Origins()
  /** While the modules load. */
  paused = false
  /** Folders that paths are relative to, what stands for them, and for what is inside. */
  readonly #bases: readonly (readonly [folder: string, name: string, inside: string])[]
  readonly #nowUs: () => number
  #log = new EventLog()
  /** Where the events of the step under way begin. */
  #stepStart = 0
  #output = ''
  #printed = 0

  /** @param nowUs the virtual time, in microseconds since the execution began */
  constructor(root: string, nowUs: () => number) {
    this.#nowUs = nowUs
    this.#bases = [
      [root, '.', ''],
      [tmpdir(), '$TMP', '$TMP/'],
    ]
  }

  /** The trace so far, worked out when it is first asked for; what is recorded after a reset is none of it. */
  get trace(): () => readonly TraceEvent[] {
    const log = this.#log
    let trace: readonly TraceEvent[] | undefined
    return () => (trace ??= log.trace((path) => this.relative(path)))
  }

  /** The order of the tasks so far; like the trace, it is worked out when it is asked for. */
  get order(): () => TaskOrder {
    const log = this.#log
    return () => log.order()
  }

  /** When things came so far; worked out when it is asked for. */
  get timeline(): () => readonly Moment[] {
    const log = this.#log
    return () => log.timeline()
  }

  get output(): string {
    return this.#output
  }

  get full(): boolean {
    return this.#log.length >= MAX_EVENTS
  }

  reset(explain: boolean): void {
    this.origins.reset(explain)
    this.#log = new EventLog()
    this.#stepStart = 0
    this.#output = ''
    this.#printed = 0
  }

  beginStep(): void {
    this.#stepStart = this.#log.length
  }

  /** Forgets what the last step did, but not that it began. */
  dropStep(): void {
    this.#log.truncate(this.#stepStart + 1)
  }

  add({ event, step, kind, resource = '', delayUs = 0, outcome = '', dueUs }: EventDetails): void {
    if (this.paused) return
    const atUs = this.#nowUs()
    this.#log.push({ event, kind, resource, atUs, delayUs, outcome }, step, dueUs ?? atUs)
  }

  /** A step was started here: its origin, if origins are asked for. */
  setStep(step: { readonly label: string }): void {
    if (this.origins.on) this.origins.capture(step.label)
  }

  /** Whether more was printed than a program prints that gets anywhere. */
  get printedTooMuch(): boolean {
    return this.#printed > MAX_PRINTED
  }

  print(text: string): void {
    this.#printed += Math.max(MIN_CALL, text.length)
    if (this.#output.length < MAX_OUTPUT) this.#output += text.slice(0, MAX_OUTPUT - this.#output.length)
  }

  /** A path as it may stand in a trace: relative to the root, or to the folder for temporary files. */
  relative(path: string): string {
    if (!path.startsWith(sep)) return path
    for (const [folder, name, inside] of this.#bases) {
      if (path === folder) return name
      if (path.startsWith(folder + sep)) return inside + path.slice(folder.length + 1)
    }
    return path
  }
}
