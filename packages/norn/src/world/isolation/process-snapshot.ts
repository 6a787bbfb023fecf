/**
 * Restores the process after an execution: environment, listeners, lists, exit code, and the
 * properties of shared objects (functions that graceful-fs replaces, polyfills).
 *
 * The first four are restored after every execution. Comparing some three thousand properties costs
 * more than a small execution, so execution/cleanliness.ts decides how often that happens.
 */
import buffer from 'node:buffer'
import { EventEmitter } from 'node:events'
import process from 'node:process'
import { requireInternal } from '../../loader/internals.ts'
import {
  type AnyObject,
  type Changes,
  changesOf,
  comparison,
  describe,
  isRestored,
  restoreProperties,
  takeChanges,
} from './object-snapshot.ts'
import { BUILTINS, DISPATCHERS, essentialObjects, languageObjects, optionObjects } from './shared-objects.ts'

/** Properties of `process` that are restored separately, or never. */
const PROCESS_SKIPPED = new Set(['env', '_events', '_eventsCount', 'stdin', 'stdout', 'stderr', 'exitCode'])

/** Exports of builtins that each thread has its own values of. */
export const OF_THREAD = ['isMainThread', 'threadId', 'threadName', 'parentPort', 'workerData'] as const

const SKIPPED: Readonly<Record<string, ReadonlySet<string>>> = { worker_threads: new Set(OF_THREAD) }

/** The process at the time of the snapshot. */
export interface ProcessSnapshot {
  /** Restores environment, listeners, lists and exit code. */
  restore(): void
  /**
   * Restores the properties of shared objects, the language's first; returns whether any had
   * changed.
   */
  restoreObjects(): boolean
  /** Whether restored objects are as in the snapshot. */
  isRestored(): boolean
  /** Takes the globals that there are now for those of the snapshot. */
  renewGlobals(): void
  /** A number that grows when the changes of shared objects are others than at the last call. */
  changesSeen(): number
  /** The changes of shared objects, which stay. */
  changesOfObjects(): readonly Changes[]
  /** Takes the changes of shared objects, which are then as in the snapshot. */
  takeObjects(): readonly Changes[]
  /** The listeners of a clean process, by event. */
  listeners(): Record<string, unknown>
  /** Whether an object that norn needs has changed: compares only a few. */
  lacksEssentials(): boolean
}

/** @param changing called before an environment variable changes */
export function snapshotProcess(changing: (name: string, before: string | undefined) => void): ProcessSnapshot {
  const environment = watchEnvironment(changing)
  const emitter = process as unknown as { _events: AnyObject; _eventsCount: number; _exiting: boolean }
  const listeners = new Map(Object.entries(emitter._events).map(([event, list]) => [event, copyList(list)]))
  // Each execution begins without dispatchers anyway.
  const globals = () => describe(globalThis as unknown as AnyObject, new Set(DISPATCHERS))
  const objects = [
    ...languageObjects().map((object) => describe(object as AnyObject)),
    ...BUILTINS.map((name) => describe(requireInternal<AnyObject>(`node:${name}`), SKIPPED[name])),
    ...optionObjects().map(([object, skipped]) => describe(object as AnyObject, skipped)),
    globals(),
    describe(process as unknown as AnyObject, PROCESS_SKIPPED),
  ]
  const sameEssentials = comparison(essentialObjects() as AnyObject[])
  const lists = [process.argv, process.execArgv].map((list) => [list, [...list]] as const)
  const behindAccessors = valuesBehindAccessors()
  const { defaultMaxListeners, captureRejections } = EventEmitter
  const { INSPECT_MAX_BYTES } = buffer
  let seen: unknown[] = []
  let seenTimes = 0

  return {
    restore() {
      environment.restore()
      restoreListeners(emitter, listeners)
      for (let at = 0; at < lists.length; at++) {
        const [list, before] = lists[at]!
        if (!same(before, list)) list.splice(0, list.length, ...before)
      }
      if (EventEmitter.defaultMaxListeners !== defaultMaxListeners)
        EventEmitter.defaultMaxListeners = defaultMaxListeners
      if (EventEmitter.captureRejections !== captureRejections) EventEmitter.captureRejections = captureRejections
      if (buffer.INSPECT_MAX_BYTES !== INSPECT_MAX_BYTES) buffer.INSPECT_MAX_BYTES = INSPECT_MAX_BYTES
      // Setting it validates the value and calls into C++.
      if (process.exitCode !== undefined) process.exitCode = undefined
      if (emitter._exiting) emitter._exiting = false
      for (let at = 0; at < behindAccessors.length; at++) behindAccessors[at]!()
    },
    isRestored: () => objects.every(isRestored),
    renewGlobals() {
      objects[objects.findIndex(({ object }) => object === globalThis)] = globals()
    },
    changesSeen() {
      const now = objects.flatMap((each) =>
        (changesOf(each)?.properties ?? []).flatMap(([key, now]) => [each, key, now?.value, now?.get, now?.set]),
      )
      if (!same(seen, now)) [seen, seenTimes] = [now, seenTimes + 1]
      return seenTimes
    },
    changesOfObjects: () => objects.map(changesOf).filter((changes) => changes !== undefined),
    takeObjects: () => objects.map(takeChanges).filter((changes) => changes !== undefined),
    listeners: () =>
      Object.assign(
        Object.create(null),
        Object.fromEntries([...listeners].map(([event, list]) => [event, copyList(list)])),
      ),
    lacksEssentials: () => !sameEssentials(),
    restoreObjects() {
      let changed = false
      for (let i = 0; i < objects.length; i++) if (restoreProperties(objects[i]!)) changed = true
      return changed
    },
  }
}

/**
 * Restores globals that Node keeps behind an accessor, which stays when a program assigns to it: one function each.
 */
function valuesBehindAccessors(): (() => void)[] {
  return ['process', 'Buffer', 'performance'].flatMap((name) => {
    const { get, set } = Object.getOwnPropertyDescriptor(globalThis, name) ?? {}
    if (get === undefined || set === undefined) return []
    const value: unknown = Reflect.apply(get, globalThis, [])
    const { apply } = Reflect
    return () => {
      if (apply(get, globalThis, []) !== value) apply(set, globalThis, [value])
    }
  })
}

function copyList(list: unknown): unknown {
  return Array.isArray(list) ? [...list] : list
}

/** Watches the environment, because listing it asks the operating system for every variable. */
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
      if (name in target) touch(target, name)
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

/** Removes listeners through the emitter, so that Node releases the signals. */
function restoreListeners(emitter: { _events: AnyObject }, listeners: Map<string, unknown>): void {
  const events = Object.keys(emitter._events)
  let asBefore = 0
  for (let at = 0; at < events.length; at++) {
    const event = events[at]!
    const before = listeners.get(event)
    if (same(before, emitter._events[event])) {
      if (before !== undefined) asBefore++
      continue
    }
    process.removeAllListeners(event)
    listenAgain(event, before)
  }
  if (asBefore === listeners.size) return
  for (const [event, before] of listeners) if (emitter._events[event] === undefined) listenAgain(event, before)
}

function listenAgain(event: string, before: unknown): void {
  const list = before === undefined ? [] : Array.isArray(before) ? before : [before]
  for (const listener of list) process.on(event, listener as () => void)
}

function same(before: unknown, now: unknown): boolean {
  if (Array.isArray(before) && Array.isArray(now)) {
    if (before.length !== now.length) return false
    for (let i = 0; i < before.length; i++) if (before[i] !== now[i]) return false
    return true
  }
  return before === now
}
