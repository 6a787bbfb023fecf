/**
 * Intercepts `PerformanceObserver`. Marks, measures, fetches and timed
 * functions have times of the world, and Node
 * reports them in an immediate (lib/internal/perf/observe.js). Other entries have times that Node
 * reads from the real clock. Garbage collections are never reported.
 */

import type { PerformanceObserver as Observer } from 'node:perf_hooks'
import { requireInternal } from '../../loader/internals.ts'
import type { Interceptor } from '../loop/interceptor.ts'
import { type Control, define } from '../realm/replace.ts'

const VIRTUAL: ReadonlySet<unknown> = new Set(['mark', 'measure', 'resource', 'function'])

type Options = { readonly entryTypes?: unknown; readonly type?: unknown } | undefined

export const performanceObserver: Interceptor<Control> = {
  name: 'PerformanceObserver',
  install: (host) => ({ leave: interceptPerformanceObserver(host) }),
}

/** Returns a function that ends the observations of an execution. */
function interceptPerformanceObserver(host: Control): () => void {
  const { PerformanceObserver } = globalThis as unknown as {
    PerformanceObserver: typeof Observer & { readonly supportedEntryTypes: readonly unknown[] }
  }
  const { observe } = PerformanceObserver.prototype
  const report = pendingReport()
  const observers = new Set<Observer>()
  define(PerformanceObserver.prototype, 'observe', function (this: Observer, options: Options) {
    if (!host.active()) return Reflect.apply(observe, this, [options])
    const given = options?.entryTypes ?? [options?.type]
    if (!Array.isArray(given)) return Reflect.apply(observe, this, [options])
    const types = given.filter((type) => type !== 'gc')
    if (types.length === 0 && given.length > 0) return
    const { supportedEntryTypes } = PerformanceObserver
    if (types.some((type) => supportedEntryTypes.includes(type) && !VIRTUAL.has(type))) {
      host.refuse('PerformanceObserver observe')
    }
    observers.add(this)
    const seen = options?.entryTypes === undefined ? options : { ...options, entryTypes: types }
    return Reflect.apply(observe, this, [seen])
  })
  return () => {
    if (observers.size === 0) return
    for (const observer of observers) observer.disconnect()
    observers.clear()
    // The immediate is lost with the execution, and Node would set no other one.
    report()
  }
}

/** Node's callback of the immediate that reports to observers: it reports to all that wait. */
function pendingReport(): () => void {
  const { immediateQueue } = requireInternal<{ immediateQueue: { tail: { _onImmediate(): void } } }>('internal/timers')
  const observer = new PerformanceObserver(() => {})
  observer.observe({ type: 'mark', buffered: true })
  observer.disconnect()
  return immediateQueue.tail._onImmediate
}
