/**
 * Puts the process back to how it was before an execution: environment, listeners, globals, the functions that packages
 * like graceful-fs replace on builtin modules, and what polyfills add to the language's own constructors and prototypes.
 *
 * What lies in a few places (environment, listeners, exit code) is put back after every execution. Looking through the
 * some three thousand properties of the objects listed here costs more than a small execution, so whoever runs
 * executions decides how often that is done: see `property/cleanliness.ts`.
 */
import { EventEmitter } from 'node:events'
import process from 'node:process'
import { requireInternal } from '../../loader/internals.ts'
import { comparison, describe, type Holder, restoreProperties } from './object-snapshot.ts'
import { BUILTINS, essentialObjects, languageObjects } from './shared-objects.ts'

/** Properties of `process` that are restored in their own way or must be left alone. */
const PROCESS_SKIPPED = new Set(['env', '_events', '_eventsCount', 'stdin', 'stdout', 'stderr', 'exitCode', 'domain'])

/** The process as it was when the snapshot was taken. */
export interface ProcessSnapshot {
  /** Puts back what lies in a few places. */
  restore(): void
  /** Puts back the properties of objects, the language's own first; whether any had been changed. */
  restoreObjects(): boolean
  /** Whether what every program needs, norn too, is no longer what it was: a quick look at a few objects. */
  lacksEssentials(): boolean
}

/** @param changing told of an environment variable that is about to change */
export function snapshotProcess(changing: (name: string, before: string | undefined) => void): ProcessSnapshot {
  const environment = watchEnvironment(changing)
  const emitter = process as unknown as { _events: Holder; _eventsCount: number; _exiting: boolean }
  const listeners = new Map(Object.entries(emitter._events).map(([event, list]) => [event, copyList(list)]))
  const objects = [
    ...languageObjects().map((object) => describe(object as Holder)),
    ...BUILTINS.map((name) => describe(requireInternal<Holder>(`node:${name}`))),
    describe(globalThis as unknown as Holder),
    describe(process as unknown as Holder, PROCESS_SKIPPED),
  ]
  const sameEssentials = comparison(essentialObjects() as Holder[])
  const lists = [process.argv, process.execArgv].map((list) => [list, [...list]] as const)
  const { defaultMaxListeners, captureRejections } = EventEmitter

  return {
    restore() {
      environment.restore()
      restoreListeners(emitter, listeners)
      for (const [list, before] of lists) if (!same(before, list)) list.splice(0, list.length, ...before)
      if (EventEmitter.defaultMaxListeners !== defaultMaxListeners)
        EventEmitter.defaultMaxListeners = defaultMaxListeners
      if (EventEmitter.captureRejections !== captureRejections) EventEmitter.captureRejections = captureRejections
      process.exitCode = undefined
      emitter._exiting = false
    },
    lacksEssentials: () => !sameEssentials(),
    restoreObjects() {
      let changed = false
      for (let i = 0; i < objects.length; i++) if (restoreProperties(objects[i]!)) changed = true
      return changed
    },
  }
}

function copyList(list: unknown): unknown {
  return Array.isArray(list) ? [...list] : list
}

/**
 * Watches the environment for changes, so that nothing is compared where nothing was changed: listing it asks the
 * operating system for every variable.
 */
function watchEnvironment(changing: (name: string, before: string | undefined) => void): { restore(): void } {
  const real = process.env
  const before = { ...real }
  let changed = false
  const touch = (target: NodeJS.ProcessEnv, name: PropertyKey) => {
    changed = true
    if (typeof name === 'string') changing(name, target[name])
  }
  process.env = new Proxy(real, {
    set(target, name, value) {
      touch(target, name)
      return Reflect.set(target, name, value)
    },
    deleteProperty(target, name) {
      touch(target, name)
      return Reflect.deleteProperty(target, name)
    },
    defineProperty(target, name, descriptor) {
      touch(target, name)
      return Reflect.defineProperty(target, name, descriptor)
    },
  })
  const watched = process.env
  return {
    restore() {
      if (process.env !== watched) process.env = watched
      if (!changed) return
      changed = false
      for (const name of Object.keys(real)) if (!(name in before)) delete real[name]
      for (const [name, value] of Object.entries(before)) if (real[name] !== value) real[name] = value
    },
  }
}

/** Removes listeners through the emitter, so that Node lets go of the signals they listened to. */
function restoreListeners(emitter: { _events: Holder }, listeners: Map<string, unknown>): void {
  for (const event of Object.keys(emitter._events)) {
    const before = listeners.get(event)
    const now = emitter._events[event]
    if (same(before, now)) continue
    process.removeAllListeners(event)
    const list = before === undefined ? [] : Array.isArray(before) ? before : [before]
    for (const listener of list) process.on(event, listener as () => void)
  }
  for (const [event, before] of listeners) {
    if (emitter._events[event] !== undefined) continue
    for (const listener of Array.isArray(before) ? before : [before]) process.on(event, listener as () => void)
  }
}

function same(before: unknown, now: unknown): boolean {
  if (Array.isArray(before) && Array.isArray(now)) {
    if (before.length !== now.length) return false
    for (let i = 0; i < before.length; i++) if (before[i] !== now[i]) return false
    return true
  }
  return before === now
}
