/**
 * The recording of an execution: its trace, its output, and the origins of its steps.
 *
 * Invariants: paths are relative to the project, the temporary or the home folder, so traces are
 * equal on every machine; everything is bounded. Nothing is recorded while modules load.
 */

import { homedir, tmpdir } from 'node:os'
import { sep } from 'node:path'
import type { FileChange } from '../contract/file-change.ts'
import type { Messaging } from '../contract/messaging.ts'
import type { Moment } from '../contract/observation.ts'
import type { Note, TraceEvent } from '../contract/trace.ts'
import type { Traffic } from '../contract/traffic.ts'
import type { ProgramFiles } from '../loader/program-files.ts'
import { FileContents } from './files/file-contents.ts'
import { MessagingRecord } from './isolates/messaging-record.ts'
import type { Causality } from './loop/causality.ts'
import { TrafficRecord } from './network/traffic.ts'
import { RealMap } from './realm/language.ts'
import { EventLog, type StepName } from './trace/event-log.ts'
import { Origins } from './trace/origin.ts'
import { type Settled, settlementNote } from './trace/settled-promises.ts'
import type { TaskOrder } from './trace/task-order.ts'

/** The maximum number of events in a trace; beyond it the execution fails with no progress. */
export const MAX_EVENTS = 1_000_000

/** The output kept, in characters. */
const MAX_OUTPUT = 64 * 1024

/**
 * The output allowed, in characters; beyond it the execution fails with no progress. A call counts
 * as at least MIN_CALL characters, because calls take the time.
 */
export const MAX_PRINTED = 16 * 1024 * 1024
const MIN_CALL = 64

const NO_NOTES: readonly Note[] = []
const NO_CHANGES: readonly FileChange[] = []

type Base = readonly [folder: string, name: string, inside: string]

/** Empty for a user without one. */
function homeFolder(): string {
  try {
    return homedir()
  } catch {
    return ''
  }
}

/** An event to record; the recording adds the time. Omitted fields are 0 or empty. */
export type EventDetails = Pick<TraceEvent, 'event' | 'kind'> &
  Partial<Pick<TraceEvent, 'resource' | 'delayUs' | 'outcome'>> & {
    /** The step that ran, or the step of the operation. */
    readonly step: StepName
    /**
     * The earliest time it could have run, had nothing else been running; its own time by default.
     */
    readonly dueUs?: number
  }

interface LabelledStep {
  readonly label: string
  readonly chain: string
}

export class Recording {
  readonly origins = new Origins()
  /** True while modules load. */
  paused = false
  /** Base folders from the inside, the name that replaces each, and the prefix for paths below it. */
  readonly #bases: readonly Base[]
  readonly #nowUs: () => number
  #log = new EventLog()
  #notes: Note[] = []
  #traffic: TrafficRecord | undefined
  #messaging: MessagingRecord | undefined
  #contents: FileContents | undefined
  /** The promises of notes that tell of one, by the place of the note. */
  #settled = new RealMap<string, Settled>()
  /** Label of the step in which each error appeared. */
  #appeared = new RealMap<unknown, string>()
  /** The index of the current step's first event. */
  #stepStart = 0
  #output = ''
  #printed = 0
  #notesOn = false

  /** @param nowUs the virtual time, in microseconds since the execution began */
  constructor(root: string, nowUs: () => number) {
    this.#nowUs = nowUs
    const bases: Base[] = [
      [root, '.', ''],
      [tmpdir(), '$TMP', '$TMP/'],
      [homeFolder(), '~', '~/'],
    ]
    this.#bases = bases.sort(([a], [b]) => b.length - a.length)
  }

  /** The trace so far, computed on the first call; a reset does not affect it. */
  get trace(): () => readonly TraceEvent[] {
    const log = this.#log
    let trace: readonly TraceEvent[] | undefined
    return () => (trace ??= log.trace((path) => this.relative(path)))
  }

  /** What was noted beside the trace, of events that were not dropped; for executions that have ended. */
  notes(): readonly Note[] {
    if (this.#notes.length === 0) return NO_NOTES
    const kept = this.#notes.filter(({ at }) => at <= this.#log.length)
    const notes = kept.map((note) =>
      note.event === 'set' && this.origins.isNodes(note.place) ? { ...note, isNodes: true } : note,
    )
    if (this.#settled.size === 0) return notes
    return notes.flatMap((note) => {
      const settled = this.#settled.get(note.place)
      if (settled === undefined) return note
      const told = settlementNote(note, settled)
      if (told === undefined) return []
      this.origins.keep(note.place, settled.stack)
      this.origins.keep(note.subject, settled.creation.stack)
      return told
    })
  }

  /** Takes what goes over connections, if notes are on. */
  get recordTraffic(): TrafficRecord | undefined {
    return this.paused ? undefined : this.#traffic
  }

  /** What went over connections, if there were any; for executions that have ended. */
  get traffic(): Traffic | undefined {
    if (this.#traffic === undefined || this.#traffic.connections.length === 0) return undefined
    const { connections, transfers, routine, causes } = this.#traffic
    return { connections, transfers, routine, causes }
  }

  /** Takes what isolates do, if notes are on. */
  get recordMessaging(): MessagingRecord | undefined {
    return this.#messaging
  }

  /** What isolates did, if there were several or messages; for executions that have ended. */
  get messaging(): Messaging | undefined {
    if (this.#messaging === undefined) return undefined
    const { isolates, makers, runners, passed, routine } = this.#messaging
    return isolates.length < 2 && passed.size === 0 ? undefined : { isolates, makers, runners, passed, routine }
  }

  get followsFiles(): boolean {
    return this.#contents !== undefined
  }

  /** What the events did to files so far; empty unless files are followed. */
  fileChanges(): readonly FileChange[] {
    this.#contents?.take(this.#log.length - 1)
    return this.#contents?.changes ?? NO_CHANGES
  }

  /** The order of tasks so far, computed on call. */
  get order(): () => TaskOrder {
    const log = this.#log
    return () => log.order()
  }

  /** The times of events so far, computed on call. */
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

  /**
   * @param explained given to note what is beside the trace
   * @param files given to tell also which lines started what, and what changed in files
   */
  reset(explained: Causality | undefined, files?: ProgramFiles): void {
    const explain = explained !== undefined
    this.#notesOn = explain
    this.#contents = files && new FileContents(files, (path) => this.relative(path))
    this.origins.reset(explain && files !== undefined)
    this.#traffic = explain ? new TrafficRecord((place) => this.origins.capture(place)) : undefined
    this.#messaging =
      explained &&
      new MessagingRecord({
        causality: explained,
        capture: (place) => this.origins.capture(place),
        noted: (event, subject) => this.note(explained.current, event, subject),
        relative: (text) => this.#bases.reduce((all, [folder, , inside]) => all.replaceAll(folder + sep, inside), text),
      })
    this.#log = new EventLog()
    if (this.#notes.length > 0) this.#notes = []
    if (this.#settled.size > 0) this.#settled = new RealMap()
    if (this.#appeared.size > 0) this.#appeared = new RealMap()
    this.#stepStart = 0
    this.#output = ''
    this.#printed = 0
  }

  beginStep(): void {
    this.#stepStart = this.#log.length
  }

  /** Drops the events of the last step except its first. */
  dropStep(): void {
    this.#log.truncate(this.#stepStart + 1)
  }

  add({ event, step, kind, resource = '', delayUs = 0, outcome = '', dueUs }: EventDetails): void {
    if (this.paused) return
    // An effect is recorded once it has changed files; all other events are before they do.
    const changed = event === 'effect' || event === 'half' ? this.#log.length : this.#log.length - 1
    this.#contents?.take(changed)
    const atUs = this.#nowUs()
    this.#log.push({ event, kind, resource, atUs, delayUs, outcome }, step, dueUs ?? atUs)
  }

  /**
   * Notes what the program does to a timer, an immediate or a signal, if notes are on.
   *
   * @param step the running step
   * @param subject the step as which the timer or immediate runs
   */
  note(step: LabelledStep, event: Note['event'], subject?: Pick<LabelledStep, 'label'>, ms?: number): void {
    const place = this.#add(step, event, subject?.label, ms === undefined ? {} : { ms })
    if (place !== undefined) this.origins.capture(place)
  }

  /** The program calls `note` or `target`, if notes are on. @param value of the target */
  mark(step: LabelledStep, name: string, value?: number): void {
    const event = value === undefined ? 'note' : 'target'
    const place = this.#add(step, event, name, value === undefined ? {} : { value: `${value}` })
    if (place !== undefined) this.origins.capture(place)
  }

  /** Notes that a step settled a promise, if notes are on; the end shows whether a call did. */
  settle(step: LabelledStep, settled: Settled): void {
    const { step: maker, ordinal } = settled.creation
    const place = this.#add(step, 'resolve', `promise ${ordinal} of ${maker.label}`)
    if (place !== undefined) this.#settled.set(place, settled)
  }

  /** Adds a note, if notes are on; returns the name of its place. */
  #add(
    { label, chain }: LabelledStep,
    event: Note['event'],
    subject = '',
    details: Pick<Note, 'ms' | 'value'> = {},
  ): string | undefined {
    if (!this.#notesOn || this.paused || this.#notes.length >= MAX_EVENTS) return undefined
    const place = `note ${this.#notes.length}`
    const when = { at: this.#log.length, atUs: this.#nowUs() }
    this.#notes.push({ event, ...when, label, chain, place, subject, ...details })
    return place
  }

  /** An error appears in a step, if notes are on; the first step counts. */
  appears(error: unknown, { label }: Pick<LabelledStep, 'label'>): void {
    if (this.#notesOn && !this.#appeared.has(error)) this.#appeared.set(error, label)
  }

  /** The label of the step in which an error appeared. */
  whereAppeared(error: unknown): string | undefined {
    return this.#appeared.get(error)
  }

  /** Captures the origin of a step, if notes are on. */
  setStep(step: Pick<LabelledStep, 'label'>, first?: Pick<LabelledStep, 'label'>): void {
    if (!this.origins.on) return
    if (first === undefined) this.origins.capture(step.label)
    else this.origins.repeat(step.label, first.label)
  }

  /** Whether the output exceeds MAX_PRINTED. */
  get printedTooMuch(): boolean {
    return this.#printed > MAX_PRINTED
  }

  print(text: string): void {
    this.#printed += Math.max(MIN_CALL, text.length)
    if (this.#output.length < MAX_OUTPUT) this.#output += text.slice(0, MAX_OUTPUT - this.#output.length)
  }

  /** Maps a path to the form that traces show: relative to the root, the temporary or the home folder. */
  relative(path: string): string {
    if (!path.startsWith(sep)) return path
    for (const [folder, name, inside] of this.#bases) {
      if (path === folder) return name
      if (path.startsWith(folder + sep)) return inside + path.slice(folder.length + 1)
    }
    return path
  }
}
