/** A step of an execution in words: `unlink work.lock → EBUSY`, `timer of 50 ms fires`. */
import { type Frame, isOwn } from '../../contract/execution.ts'
import type { StartingFrame } from '../../contract/explanation.ts'
import type { FileChange } from '../../contract/file-change.ts'
import type { Messaging, Passed } from '../../contract/messaging.ts'
import { cut } from '../../contract/text.ts'
import type { Note, TraceEvent } from '../../contract/trace.ts'
import type { Traffic, Transfer } from '../../contract/traffic.ts'
import type { ClockDeparture } from '../../contract/wall-clock.ts'
import { placeOfRead } from '../../world/clock-reads.ts'
import { causeOf } from '../../world/trace/causal-order.ts'
import { isNote, isSettlement, type Traced, type TraceStep } from '../../world/trace/trace-difference.ts'
import { phaseText } from '../clock.ts'
import { faultText } from '../fault.ts'
import { printableLine } from '../printable.ts'
import { shortNames } from './isolate-names.ts'

/** The kind of the operation that closes a message port. */
export const CLOSING = 'close port'

const MAX_RESOURCE = 26
const MAX_FILE = 32
const MAX_PASSED = 60
const MAX_PLACE = 40
const MAX_NOUN = 40

export interface Placed extends Traced {
  /** Where operations were started, by the label of their step; of notes by their place. */
  readonly origins: ReadonlyMap<string, StartingFrame>
  readonly traffic?: Traffic | undefined
  readonly messaging?: Messaging | undefined
  readonly fileChanges?: readonly FileChange[]
}

const ENDS: Readonly<Record<string, string>> = {
  fulfilled: 'the body is done',
  rejected: 'the body fails',
  idle: 'nothing is left to run, and the body has not settled',
  stopped: 'the execution ends here',
  steps: 'the body has not settled within its limit of steps',
}

const CLOCK: Readonly<Record<ClockDeparture, (outcome: string) => string>> = {
  start: (instant) => `the clock starts at ${instant}`,
  phase: phaseText,
  pauses: (time) => `code takes ${time} here`,
  corrections: (time) => `the clock is set back by ${time}`,
}

/** Words for the steps of one execution. */
export class StepTexts {
  /** Durations of timers, by label. */
  readonly #durations = new Map<string, number>()
  readonly #origins: Placed['origins']
  /** Messages that are received within the step of another one, by its label. */
  readonly #received = new Map<string, string>()
  /** Of each line, those of promises apart, the depths at which its callers differ. */
  readonly #telling: ReadonlyMap<string, ReadonlySet<number>>
  /** What the origins of promises are: where they were made, or settled. */
  readonly #roles = new Map<string, string>()
  readonly #transfers: ReadonlyMap<string, Transfer>
  readonly #messaging: Messaging | undefined

  constructor({ notes, origins, traffic, messaging }: Placed) {
    this.#origins = origins
    this.#messaging = messaging
    this.#transfers = new Map(traffic?.transfers.map((transfer) => [transfer.label, transfer]))
    for (const { place, subject } of notes.filter(isSettlement)) this.#roles.set(place, 'settled').set(subject, 'made')
    const together = Map.groupBy(origins, ([name, origin]) => this.#lineOf(name, origin))
    this.#telling = new Map(
      [...together].map(([line, each]) => [line, depthsThatDiffer(each.map(([, { callers }]) => callers ?? []))]),
    )
    for (const { event, label, subject, ms } of notes) {
      // Each run of an interval has a name of its own, by which only the end of the interval is noted.
      if (ms !== undefined && (event === 'set' || !this.#durations.has(subject))) this.#durations.set(subject, ms)
      if (event === 'receive' && !this.#received.has(label)) this.#received.set(label, subject)
    }
  }

  of(step: TraceStep): string {
    if (isNote(step)) {
      if (step.event === 'abort') return 'aborts a signal'
      if (isSettlement(step)) return this.#settles(step)
      if (step.event === 'note') return printableLine(`note ${step.subject}`)
      if (step.event === 'target') return printableLine(`target ${step.subject}: ${step.value}`)
      if (step.event === 'terminate') return `terminates ${this.#isolate(Number(step.subject))}`
      if (step.event === 'receive') return this.#passedText(step.subject, false) ?? 'receives a message'
      if (step.event === 'set') return `sets a ${this.#timer(step.subject)}`
      return `${step.event}${step.event === 'refresh' ? 'es' : 's'} ${this.#set(step.subject)}`
    }
    const { event, kind, outcome } = step
    const transfer = this.#transferOf(step)
    if (transfer !== undefined) return transferText(transfer, event !== 'callback')
    const passed = isOfOperation(event) ? this.#passedText(step.label, event !== 'callback') : undefined
    if (passed !== undefined) return passed
    if (kind === CLOSING && event === 'effect') return 'closes its port'
    const severed = event === 'fault' ? this.#transfers.get(step.label) : undefined
    // A client that is refused as it connects has said nothing.
    if (severed !== undefined) return printableLine(['injected', outcome, severed.text].filter(Boolean).join(': '))
    switch (event) {
      case 'start':
        return 'the event loop starts'
      case 'submit':
        return `${nameOf(step)} is submitted`
      case 'callback':
        return `${nameOf(step)} calls back`
      case 'half':
        return `${nameOf(step)} is half done`
      case 'fault':
        return faultText(nameOf(step), { operation: kind, fault: outcome })
      case 'timer':
        return `${this.#timer(step.label)} fires`
      case 'immediate':
        return 'immediate runs'
      case 'stall':
        return 'the program is stalled'
      case 'clock':
        return CLOCK[kind as ClockDeparture](outcome)
      case 'settled':
        return ENDS[kind] ?? `the body ends: ${kind}`
      default:
        return outcome === '' || outcome === 'ok' ? nameOf(step) : `${nameOf(step)} → ${outcome}`
    }
  }

  /** Where the operation of the step was started; empty if unknown. */
  sourceOf(step: TraceStep): string {
    if (step.event === 'settled') return ''
    if (step.event === 'clock') return this.ownPlaceOf(placeOfRead(step.atUs))
    if (this.#transferOf(step) !== undefined) return this.ownPlaceOf(step.label)
    const subject = step.event === 'receive' ? step.subject : step.label
    if (this.#messaging?.passed.get(subject)?.what === 'exit' && isOfOperation(step.event)) return ''
    if (step.event === 'receive') return this.ownPlaceOf(step.subject)
    return this.placeOf(isNote(step) ? step.place : step.label)
  }

  /** A step as a noun: `the 6 s timer`, `unlink work.lock`, `the arrival of 'GET /'`. */
  nounOf(step: TraceEvent): string {
    const transfer = this.#transferOf(step)
    if (transfer !== undefined) return transferNoun(transfer, step.event !== 'callback')
    const passage = isOfOperation(step.event) ? this.passageOf(this.#arrivingWith(step)) : undefined
    if (passage !== undefined)
      return step.event === 'callback' ? `the arrival of ${passage}` : `the sending of ${passage}`
    switch (step.event) {
      case 'timer':
        return `the ${this.#timer(step.label)}`
      case 'immediate':
        return 'the immediate'
      case 'callback':
        return `the callback of ${nameOf(step)}`
      default:
        return nameOf(step)
    }
  }

  /** The message that names a step: its own; where an isolate ends, the one that it left behind. */
  #arrivingWith({ event, label }: TraceEvent): string {
    const received = event === 'callback' ? this.#received.get(label) : undefined
    const own = this.#messaging?.passed.get(label)
    return received !== undefined && (own === undefined || own.what === 'exit') ? received : label
  }

  /** The place of a step, and in the user's own code the one that led to it: `store.js:12 ← app.ts:7`. */
  fullPlaceOf({ label }: Pick<TraceEvent, 'label'>): string {
    const origin = this.#origins.get(label)
    if (origin === undefined) return ''
    const own = [origin, ...(origin.callers ?? [])].find(isOwn)
    const place = ({ file, line }: Frame) => `${withinPackage(file)}:${line}`
    return own === undefined || own === origin ? place(origin) : `${place(origin)} ← ${place(own)}`
  }

  /** The place of the nearest step that led to this one, and has a place; empty if there is none. */
  placeBefore({ label, chain }: TraceEvent): string {
    for (let cause = causeOf(label, chain); cause !== undefined; cause = causeOf(cause.label, cause.chain)) {
      const place = this.fullPlaceOf(cause)
      if (place !== '') return place
    }
    return ''
  }

  /** What is sent to another isolate, or by a port within one. */
  #passedText(label: string, isSending: boolean): string | undefined {
    const passed = this.#messaging?.passed.get(label)
    if (passed === undefined) return undefined
    if (this.#messaging!.isolates.length > 1) return printableLine(passedText(passed, isSending))
    return printableLine(isSending ? `sends ${passed.text}` : `message ${passed.text}`)
  }

  /** What passes between isolates, with both of them; undefined of other steps. */
  passageOf(label: string): string | undefined {
    const passed = this.#messaging?.passed.get(label)
    if (passed === undefined || this.#messaging!.isolates.length < 2) return undefined
    const { from, to = this.#messaging!.runners.get(label) ?? this.#messaging!.makers.get(label) ?? 0, what } = passed
    const text = printableLine(cut(passedText(passed, false), MAX_PASSED))
    if (what === 'start') return `the start of ${this.#isolate(to)}`
    if (what === 'exit') return `the exit of ${this.#isolate(from)}`
    return from === to ? text : `${text} from ${this.#isolate(from)} to ${this.#isolate(to)}`
  }

  #isolate(index: number): string {
    return shortNames(this.#messaging!)[index]!
  }

  #transferOf(step: TraceStep): Transfer | undefined {
    return isOfOperation(step.event) ? this.#transfers.get(step.label) : undefined
  }

  /** The place in the user's own code that led to a call, if there is one. */
  ownPlaceOf(name: string): string {
    const origin = this.#origins.get(name)
    const own = [...(origin === undefined ? [] : [origin]), ...(origin?.callers ?? [])].find(isOwn)
    return own === undefined ? this.placeOf(name) : `${shortFile(own.file)}:${own.line}`
  }

  /** @param name the label of a step, or the place of a note */
  placeOf(name: string): string {
    const origin = this.#origins.get(name)
    if (origin === undefined) return ''
    const place = `${shortFile(origin.file)}:${origin.line}`
    const caller = this.#callerOf(name, origin)
    if (caller === undefined) return place
    const called = caller.file === origin.file ? `${place} ← ${caller.line}` : `${placeIn(origin)} ← ${placeIn(caller)}`
    return called.length > MAX_PLACE ? place : called
  }

  /** Of a line that is called from several places: the innermost caller that tells them apart. */
  #callerOf(name: string, origin: StartingFrame): Frame | undefined {
    const telling = this.#telling.get(this.#lineOf(name, origin))!
    return origin.callers?.find((caller, depth) => telling.has(depth) && lineOf(caller) !== lineOf(origin))
  }

  #timer(label: string): string {
    const ms = this.#durations.get(label)
    return ms === undefined ? 'timer' : `${durationText(ms)} timer`
  }

  #lineOf(name: string, origin: Frame): string {
    return `${this.#roles.get(name) ?? ''} ${lineOf(origin)}`
  }

  #settles({ event, subject, value }: Note): string {
    const place = this.#setOrMadeAt(subject)
    return `${event}s a promise${place}${value === undefined ? '' : ` with ${printableLine(value)}`}`
  }

  #setOrMadeAt(name: string): string {
    const origin = this.#origins.get(name)
    return origin === undefined ? '' : ` of ${placeIn(this.#callerOf(name, origin) ?? origin)}`
  }

  /** A timer with the place where it was set. */
  #set(label: string): string {
    const place = this.#setOrMadeAt(label)
    return this.#durations.has(label) ? `the ${this.#timer(label)}${place}` : `the immediate${place}`
  }
}

function depthsThatDiffer(stacks: readonly (readonly Frame[])[]): ReadonlySet<number> {
  const known: string[] = []
  const depths = new Set<number>()
  for (const stack of stacks) {
    for (const [depth, caller] of stack.entries()) {
      known[depth] ??= lineOf(caller)
      if (known[depth] !== lineOf(caller)) depths.add(depth)
    }
  }
  return depths
}

/** Whether an event is one of an operation, rather than of the step that runs. */
export function isOfOperation(event: TraceStep['event']): boolean {
  return event === 'submit' || event === 'effect' || event === 'callback'
}

/** @param isSending whether it leaves, rather than arrives */
export function transferText({ what, to, text }: Transfer, isSending: boolean): string {
  const is = (leaves: string, arrives: string) => (isSending ? leaves : arrives)
  switch (what) {
    case 'bytes':
      return printableLine(isSending ? `sends ${text}` : text)
    case 'connection':
      return to === 'server' ? is('asks to connect', 'connects') : is('asks to connect', 'is connected')
    case 'end':
      return is('ends the connection', 'the other end is closed')
    case 'reset':
      return is('resets the connection', 'the connection is reset')
  }
}

function transferNoun({ what, text }: Transfer, isSending: boolean): string {
  const of = {
    bytes: cut(text, MAX_NOUN),
    connection: 'the connection',
    end: 'the end of the connection',
    reset: 'the reset',
  }
  return printableLine(`the ${isSending ? 'sending' : 'arrival'} of ${of[what]}`)
}

function passedText({ what, text }: Passed, isSending: boolean): string {
  switch (what) {
    case 'message':
      return isSending ? `sends ${text}` : text
    case 'output':
      return `prints ${text}`
    case 'error':
      return `fails with ${text}`
    case 'start':
      return `${isSending ? 'is to start' : 'starts'}${text === '' ? '' : `, ${text}`}`
    case 'exit':
      return text
  }
}

const placeIn = ({ file, line }: Frame) => `${briefFile(file)}:${line}`
const lineOf = ({ file, line }: Frame) => `${file}:${line}`

export function nameOf({ kind, resource }: Pick<TraceEvent, 'kind' | 'resource'>): string {
  return [kind, shorten(resource)].filter((part) => part !== '').join(' ')
}

export function resourceText({ resource }: Pick<TraceEvent, 'resource'>): string {
  return printableLine(shorten(resource))
}

function durationText(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${ms / 1000} s`
}

/** A file without its folders; but `pool/index.js`, for of `index.js` there are many. */
export function briefFile(file: string): string {
  const [, brief] = /([^/]+\/index\.\w+|[^/]*)$/.exec(file)!
  return brief!
}

/** A file of a package is named by the package; any other as it is, or by its last parts. */
function shortFile(file: string): string {
  const short = withinPackage(file)
  if (short.length <= MAX_FILE) return short
  const cut = short.indexOf('/', short.length - MAX_FILE)
  return `…${cut < 0 ? short.slice(1 - MAX_FILE) : short.slice(cut)}`
}

function withinPackage(file: string): string {
  const at = file.lastIndexOf('node_modules/')
  return at < 0 ? file : file.slice(at + 'node_modules/'.length)
}

/** The last two parts of a path tell enough; of long ones the beginning and the end. */
function shorten(path: string): string {
  const short = path.split('/').slice(-2).join('/')
  if (short.length <= MAX_RESOURCE) return short
  const half = Math.floor(MAX_RESOURCE / 2)
  return `${short.slice(0, half)}…${short.slice(1 - half)}`
}
