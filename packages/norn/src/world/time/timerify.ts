/**
 * Intercepts `timerify`: calls take virtual time. Follows lib/internal/perf/timerify.js, whose clock is
 * captured; Node's own entries and its queue of them stay.
 */
import perf, { type PerformanceEntry, type RecordableHistogram } from 'node:perf_hooks'
import { requireInternal } from '../../loader/internals.ts'
import type { Interceptor } from '../loop/interceptor.ts'
import { define } from '../realm/replace.ts'
import { type ClockHost, UPTIME_US } from './clock.ts'

type Timerify = typeof perf.timerify

interface Entries {
  createPerformanceNodeEntry(name: string, type: string, start: number, duration: number, detail: unknown): Entry
}

type Entry = PerformanceEntry & Record<number, unknown>

type Timed = Function & { finally?: unknown }

export const timedFunctions: Interceptor<ClockHost> = {
  name: 'timerify',
  builtins: { perf_hooks: { controlled: 'timerify' } },
  install(host) {
    const real = perf.timerify
    const virtual = timerify(host, real)
    const either: Timerify = (fn, options = {}) => (host.active() ? virtual : real)(fn, options)
    Object.defineProperty(either, 'name', Object.getOwnPropertyDescriptor(real, 'name')!)
    for (const each of [perf, Object.getPrototypeOf(performance)]) define(each, 'timerify', either)
  },
}

function timerify(host: ClockHost, check: Timerify): Timerify {
  const { createPerformanceNodeEntry } = requireInternal<Entries>('internal/perf/performance_entry')
  const { enqueue } = requireInternal<{ enqueue(entry: Entry): void }>('internal/perf/observe')
  const now = () => (UPTIME_US + host.readUs()) / 1000
  const timed = (fn: Timed, histogram: RecordableHistogram | undefined) => {
    const complete = (start: number, args: unknown[]) => {
      const duration = now() - start
      histogram?.record(Math.max(1, Math.ceil(duration * 1e6)))
      const entry = createPerformanceNodeEntry(fn.name, 'function', start, duration, args)
      enqueue(Object.assign(entry, { ...args }))
    }
    return function timerified(this: unknown, ...args: unknown[]): unknown {
      const start = now()
      const result = new.target === undefined ? Reflect.apply(fn, this, args) : Reflect.construct(fn, args, fn)
      if (new.target === undefined && typeof result?.finally === 'function')
        return result.finally(() => complete(start, args))
      complete(start, args)
      return result
    }
  }
  return ((fn: Timed, options: { readonly histogram?: RecordableHistogram } = {}) => {
    // Node checks the arguments, and gives the properties.
    const named = check(fn as never, options) as Function
    const wrapped = timed(fn, options.histogram)
    return Object.defineProperties(wrapped, {
      length: Object.getOwnPropertyDescriptor(named, 'length')!,
      name: Object.getOwnPropertyDescriptor(named, 'name')!,
    })
  }) as Timerify
}
