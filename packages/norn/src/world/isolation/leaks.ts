/**
 * What a passing body leaves behind when the loop has drained: timers, operations, open files and
 * sockets, child processes, listeners, and changed state of the process. Norn restores all of it; a
 * real process would keep it.
 *
 * State from loading the modules is no leak, except timers that keep the process alive. Leaks are
 * found in every execution; their origins, and changed objects, only when explaining.
 */
import process from 'node:process'
import type { LeftOpen } from '../loop/interceptor.ts'
import type { PoolTask } from '../loop/pool.ts'
import { RealMap } from '../realm/language.ts'
import type { Origin } from '../realm/stack.ts'
import type { HeldTimer } from '../time/timers.ts'
import { Origins, type OriginsByLabel } from '../trace/origin.ts'
import { type ObjectValues, objectChanges, objectValues } from './object-changes.ts'

/** Operations that open a file or a directory, or watch one. */
const OPENING = new Set(['open', 'opendir', 'watch', 'watchFile'])

type LeakKind =
  | 'timer'
  | 'operation'
  | 'file'
  | 'socket'
  | 'child process'
  | 'listener'
  | 'environment'
  | 'working directory'
  /** A property of a shared object. */
  | 'object'

export interface Leak {
  readonly kind: LeakKind
  /** For people. */
  readonly what: string
  readonly origin: Origin | undefined
}

/** Only Node itself listens for it: a primary of a cluster. */
const OF_NODE = 'internalMessage'

/** The maximum number of leaks of one kind that are reported. */
const MAX_OF_A_KIND = 20
const MAX_OPEN = 2 * MAX_OF_A_KIND

const SOCKETS: Readonly<Record<NonNullable<LeftOpen['socket']>, (at: string) => string>> = {
  server: (at: string) => `a server at ${at}, still listening`,
  connection: (at: string) => `a connection with ${at}, still open`,
  datagrams: (at: string) => `a UDP socket at ${at}, still open`,
}

/** What remains when the loop has drained. */
export interface Left {
  /** Undefined if the loop came to rest by itself, so that nothing is in progress. */
  readonly running: { readonly timers: readonly HeldTimer[]; readonly tasks: readonly PoolTask[] } | undefined
  readonly open: readonly LeftOpen[]
  /** The origins of steps. */
  readonly origins: OriginsByLabel
}

type Listeners = Record<string, unknown>

const NOTHING_OPEN: readonly object[] = []
const NO_EVENTS: readonly string[] = []

export class Leaks {
  /** The origins of acts that are not steps: `call N`, `listener N`, `environment NAME`. */
  readonly #acts = new Origins()
  readonly #relative: (path: string) => string
  #explain = false
  #loading = true
  /** Events of `process` with listeners when the modules had loaded, and the number of each. */
  #events: readonly string[] = []
  readonly #listeners: number[] = []
  #openBefore: readonly object[] = []
  /** Numbers calls and listeners. */
  #acted = 0
  /** The call that opens next. */
  #opening = ''
  /** The act behind each open file, open directory and listener. */
  #actsOf: Map<unknown, string> = new RealMap()
  /** Values from before the first change by the body. */
  #environment = new Map<string, string | undefined>()
  #directory: string | undefined
  #objects: ObjectValues | undefined

  /** @param relative maps a path to the form that reports show */
  constructor(relative: (path: string) => string) {
    this.#relative = relative
  }

  reset(explain: boolean): void {
    this.#explain = explain
    this.#loading = true
    this.#acts.reset(explain)
    if (this.#actsOf.size > 0) this.#actsOf = new RealMap()
    this.#directory = undefined
    this.#objects = undefined
    if (this.#environment.size > 0) this.#environment = new Map()
  }

  /** Called between loading the modules and the body. */
  loaded(open: readonly LeftOpen[]): void {
    this.#loading = false
    this.#openBefore = open.length === 0 ? NOTHING_OPEN : open.map(({ opened }) => opened)
    const listeners = listenersOfProcess()
    if (!this.#listenersStand(listeners)) {
      this.#events = Object.keys(listeners)
      for (let at = 0; at < this.#events.length; at++) this.#listeners[at] = countOf(listeners[this.#events[at]!])
    }
    if (this.#explain) this.#objects = objectValues()
  }

  /** An operation is called; returns the call, if it may open something. */
  called(operation: string): string | undefined {
    if (!this.#explain || !OPENING.has(operation)) return undefined
    const call = `call ${this.#acted++}`
    this.#acts.capture(call)
    this.#opening = call
    return call
  }

  /** A call takes effect: what opens next is its. */
  effective(call: string): void {
    this.#opening = call
  }

  /** A file or a directory opens. */
  opened(opened: object): void {
    if (this.#explain) this.#actsOf.set(opened, this.#opening)
  }

  /** A child process is born within the call. */
  bears(child: object): void {
    this.#captured('child', child)
  }

  /** A socket opens within the call. */
  connects(socket: object): void {
    this.#captured('socket', socket)
  }

  listened(listener: unknown): void {
    this.#captured('listener', listener)
  }

  #captured(kind: string, thing: unknown): void {
    if (!this.#explain) return
    const act = `${kind} ${this.#acted++}`
    this.#acts.capture(act)
    this.#actsOf.set(thing, act)
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
    if (running !== undefined) {
      for (const { what, label } of running.timers.slice(0, MAX_OF_A_KIND)) {
        tell('timer', `${what} that is still set`, origins.get(label))
      }
      for (const { operation, step } of running.tasks.slice(0, MAX_OF_A_KIND)) {
        const { kind, resource } = operation
        tell('operation', `${kind} ${this.#relative(resource)}, still under way`, origins.get(step.label))
      }
    }
    for (const { path, opened, isWatched, socket, isProcess } of this.#openedSince(open)) {
      const at = this.#relative(path)
      const file = `${at}, still ${isWatched ? 'watched' : 'open'}`
      const origin = acts?.get(this.#actsOf.get(opened) ?? '')
      if (isProcess) tell('child process', `child process '${path}', still running`, origin)
      else if (socket === undefined) tell('file', file, origin)
      else tell('socket', SOCKETS[socket](at), origin)
    }
    const listeners = listenersOfProcess()
    const events = this.#listenersStand(listeners) ? NO_EVENTS : Object.keys(listeners)
    for (let at = 0; at < events.length; at++) {
      const event = events[at]!
      const before = this.#events[at] === event ? at : this.#events.indexOf(event)
      const more = countOf(listeners[event]) - (this.#listeners[before] ?? 0)
      if (more > 0 && event !== OF_NODE)
        tell('listener', `a listener of '${event}' on process`, acts?.get(this.#listenerOf(listeners[event])))
    }
    if (this.#environment.size > 0) {
      for (const [name, before] of this.#environment) {
        if (process.env[name] !== before)
          tell('environment', `environment variable ${name}`, acts?.get(`environment ${name}`))
      }
    }
    if (this.#directory !== undefined && this.#directory !== process.cwd()) {
      tell('working directory', `working directory ${this.#relative(process.cwd())}`, acts?.get('working directory'))
    }
    if (this.#objects !== undefined) for (const name of objectChanges(this.#objects)) tell('object', name)
    return leaks
  }

  /** Whether each event has as many listeners as it had: usually so, and listing the events takes longer. */
  #listenersStand(listeners: Listeners): boolean {
    const { _eventsCount: count } = process as unknown as { _eventsCount: number }
    if (count !== this.#events.length) return false
    for (let at = 0; at < this.#events.length; at++)
      if (countOf(listeners[this.#events[at]!]) !== this.#listeners[at]) return false
    return true
  }

  /** What was opened since the modules had loaded; usually nothing is open. */
  #openedSince(open: readonly LeftOpen[]): readonly LeftOpen[] {
    if (open.length === 0) return open
    const before = new Set(this.#openBefore)
    return open.filter(({ opened }) => !before.has(opened)).slice(0, MAX_OPEN)
  }

  /** The act behind the first listener that the body added. */
  #listenerOf(listeners: unknown): string {
    for (const listener of [listeners].flat() as { readonly listener?: unknown }[]) {
      // `once` wraps the listener.
      const act = this.#actsOf.get(listener.listener ?? listener)
      if (act !== undefined) return act
    }
    return ''
  }
}

const NO_LISTENERS: Listeners = Object.freeze({})

function listenersOfProcess(): Listeners {
  const { _events: events } = process as unknown as { _events: Listeners | undefined }
  return events ?? NO_LISTENERS
}

function countOf(list: unknown): number {
  if (list === undefined) return 0
  return Array.isArray(list) ? list.length : 1
}
