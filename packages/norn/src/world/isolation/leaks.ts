/**
 * What a body leaves behind when it has passed and the loop has drained: timers, operations, open files, listeners, and
 * state of the process that it changed. All of it is put back before the next execution; a real process would keep it.
 *
 * What was there when the modules had loaded (listeners, open files, a patched builtin) is their business and no leak;
 * only a timer that keeps the process alive is one whoever set it. Finding out costs nothing to speak of; where each
 * thing came from is known only when explaining, and only then are the objects of the process looked through.
 */
import process from 'node:process'
import type { HeldTimer } from '../intercepted/timers.ts'
import { Origins, type OriginsByLabel } from '../origin.ts'
import type { PoolTask } from '../pool.ts'
import type { Origin } from '../stack.ts'
import { type ObjectValues, objectChanges, objectValues } from './object-changes.ts'

type LeakKind =
  | 'timer'
  | 'operation'
  | 'file'
  | 'listener'
  | 'environment'
  | 'working directory'
  /** A property of a global, of a builtin or of the language. */
  | 'object'

export interface Leak {
  readonly kind: LeakKind
  /** As a person reads it. */
  readonly what: string
  readonly origin: Origin | undefined
}

/** More of one kind than this are not told one by one. */
const MAX_OF_A_KIND = 20

export interface LeftOpen {
  /** What opened it, as the trace has it: `open` or `opendir`. */
  readonly by: string
  readonly path: string
}

/** What is still there when the loop has drained. */
export interface Left {
  /** Undefined where the loop came to rest by itself, so that nothing is under way. */
  readonly running: { readonly timers: readonly HeldTimer[]; readonly tasks: readonly PoolTask[] } | undefined
  readonly open: readonly LeftOpen[]
  /** Where steps were started. */
  readonly origins: OriginsByLabel
}

type Listeners = Record<string, unknown>

export class Leaks {
  /** Where things were done that have no step: by `open PATH`, `listener EVENT`, `environment NAME`. */
  readonly #acts = new Origins()
  readonly #relative: (path: string) => string
  #explain = false
  #loading = true
  /** Events of `process` that were listened to when the modules had loaded, and by how many each. */
  #events: readonly string[] = []
  readonly #listeners: number[] = []
  #openBefore = 0
  /** The first value of what was changed since the modules have loaded. */
  #environment = new Map<string, string | undefined>()
  #directory: string | undefined
  #objects: ObjectValues | undefined

  /** @param relative a path as it is told */
  constructor(relative: (path: string) => string) {
    this.#relative = relative
  }

  reset(explain: boolean): void {
    this.#explain = explain
    this.#loading = true
    this.#acts.reset(explain)
    this.#directory = undefined
    this.#objects = undefined
    if (this.#environment.size > 0) this.#environment = new Map()
  }

  /** The modules have loaded; the body is next. */
  loaded(open: number): void {
    this.#loading = false
    this.#openBefore = open
    const listeners = listenersOfProcess()
    this.#events = Object.keys(listeners)
    for (let at = 0; at < this.#events.length; at++) this.#listeners[at] = countOf(listeners[this.#events[at]!])
    if (this.#explain) this.#objects = objectValues()
  }

  /** An operation begins, which may be one that opens something. */
  opened(by: string, path: string): void {
    if (this.#explain && by.startsWith('open')) this.#acts.capture(`${by} ${path}`)
  }

  listened(event: string): void {
    if (this.#explain) this.#acts.capture(`listener ${event}`)
  }

  /** An environment variable is about to change. */
  changing(name: string, before: string | undefined): void {
    if (this.#loading) return
    if (!this.#environment.has(name)) this.#environment.set(name, before)
    this.#acts.capture(`environment ${name}`)
  }

  /** The working directory is about to change. */
  leaving(directory: string): void {
    if (this.#loading) return
    this.#directory ??= directory
    this.#acts.capture('working directory')
  }

  found({ running, open, origins }: Left): Leak[] {
    const leaks: Leak[] = []
    const acts = this.#explain ? this.#acts.take() : undefined
    const tell = (kind: LeakKind, what: string, origin?: Origin) => leaks.push({ kind, what, origin })
    for (const { what, label } of (running?.timers ?? []).slice(0, MAX_OF_A_KIND)) {
      tell('timer', `${what} that is still set`, origins.get(label))
    }
    for (const { operation, step } of (running?.tasks ?? []).slice(0, MAX_OF_A_KIND)) {
      const { kind, resource } = operation
      tell('operation', `${kind} ${this.#relative(resource)}, still under way`, origins.get(step.label))
    }
    for (const { by, path } of open.slice(this.#openBefore, this.#openBefore + MAX_OF_A_KIND)) {
      tell('file', `${this.#relative(path)}, still open`, acts?.get(`${by} ${path}`))
    }
    const listeners = listenersOfProcess()
    const events = Object.keys(listeners)
    for (let at = 0; at < events.length; at++) {
      const event = events[at]!
      // Mostly nothing has changed, so that it stands where it stood.
      const before = this.#events[at] === event ? at : this.#events.indexOf(event)
      const more = countOf(listeners[event]) - (this.#listeners[before] ?? 0)
      if (more > 0) tell('listener', `a listener of '${event}' on process`, acts?.get(`listener ${event}`))
    }
    for (const [name, before] of this.#environment) {
      if (process.env[name] !== before)
        tell('environment', `environment variable ${name}`, acts?.get(`environment ${name}`))
    }
    if (this.#directory !== undefined && this.#directory !== process.cwd()) {
      tell('working directory', `working directory ${this.#relative(process.cwd())}`, acts?.get('working directory'))
    }
    if (this.#objects !== undefined) for (const name of objectChanges(this.#objects)) tell('object', name)
    return leaks
  }
}

const NO_LISTENERS: Listeners = Object.freeze({})

function listenersOfProcess(): Listeners {
  const { _events: events } = process as unknown as { _events: Listeners | undefined }
  return events ?? NO_LISTENERS
}

function countOf(list: unknown): number {
  return Array.isArray(list) ? list.length : 1
}
