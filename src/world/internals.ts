/**
 * Node's own internals, reached through `--expose-internals`: the seams that the world owns.
 *
 * Only this file knows how they are got; the others name what they need with the types below. Facts about them were
 * read in Node's sources (lib/internal/timers.js, lib/internal/process/*.js) for versions 22 to 26.
 */
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** A binding is a plain object of native functions and classes; what lies in it differs between versions. */
// biome-ignore lint/suspicious/noExplicitAny: native bindings are untyped by nature
export type Binding = Record<string, any>

export class InternalsHidden extends Error {
  constructor(cause: unknown) {
    super('the controlled world needs Node to be started with --expose-internals', { cause })
    this.name = 'InternalsHidden'
  }
}

/** Whether this process was started with `--expose-internals`. */
export function internalsExposed(): boolean {
  return process.execArgv.includes('--expose-internals')
}

export function requireInternal<Exports = Binding>(id: string): Exports {
  try {
    return require(id) as Exports
  } catch (error) {
    throw new InternalsHidden(error)
  }
}

export function internalBinding(name: string): Binding {
  const { internalBinding: get } = requireInternal('internal/test/binding')
  return get(name) as Binding
}

/** A linked list of timers of one duration (lib/internal/timers.js). */
export interface TimersList {
  expiry: number
  _idlePrev: unknown
}

export interface InternalTimers {
  readonly Timeout: { prototype: object }
  readonly Immediate: { prototype: object }
  readonly immediateQueue: { head: unknown; tail: unknown }
  readonly timerListQueue: { peek(): TimersList | undefined; shift(): TimersList; insert(list: TimersList): void }
  readonly timerListMap: Record<string, TimersList>
  getTimerCallbacks(runNextTicks: () => void): {
    processImmediate(): void
    processTimers(nowMs: number): number
  }
}
