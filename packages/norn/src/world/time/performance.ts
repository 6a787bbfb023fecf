/**
 * Intercepts `performance` and the time stamps of events, at the public functions: Node's
 * JavaScript captured the native clock.
 */

import {
  createHistogram,
  type MarkOptions,
  type MeasureOptions,
  type Performance,
  performance,
  type RecordableHistogram,
} from 'node:perf_hooks'
import type { Interceptor } from '../loop/interceptor.ts'
import type { LoopTimes } from '../loop/loop-times.ts'
import { define } from '../realm/replace.ts'
import { type ClockHost, UPTIME_US } from './clock.ts'

export interface PerformanceHost extends ClockHost {
  readonly loopTimes: LoopTimes
}

export const performanceTimes: Interceptor<PerformanceHost> = {
  name: 'performance',
  builtins: {
    perf_hooks: {
      controlled:
        'Performance PerformanceEntry PerformanceMark PerformanceMeasure PerformanceObserverEntryList ' +
        'PerformanceResourceTiming createHistogram createSlidingWindowHistogram importHistogram',
      uncontrolled: 'PerformanceObserver',
      note: 'An observer may observe marks, measures, fetches (`resource`) and timed functions, and garbage collections, of which it sees none; any other type is uncontrolled.',
    },
    globals: { controlled: 'performance Event.timeStamp' },
  },
  install: (host) => ({ leave: interceptPerformance(host) }),
}

/**
 * Returns a function that clears the marks and measures of an execution, and its fetches: a full
 * buffer of these sets an immediate.
 */
function interceptPerformance(host: PerformanceHost): () => void {
  const uptimeMs = () => (UPTIME_US + host.readUs()) / 1000
  let marked = false
  const prototype = Object.getPrototypeOf(performance) as Performance
  const { now, mark, measure, markResourceTiming } = prototype as Performance & { markResourceTiming: Function }
  define(prototype, 'now', function (this: Performance) {
    return host.active() ? uptimeMs() : now.call(this)
  })
  define(prototype, 'mark', function (this: Performance, name: string, options?: MarkOptions) {
    marked = true
    const startTime = host.active() ? (options?.startTime ?? uptimeMs()) : options?.startTime
    return mark.call(this, name, startTime === undefined ? options : { ...options, startTime })
  })
  define(prototype, 'measure', function (this: Performance, name: string, from?: unknown, to?: string) {
    if (!host.active()) return Reflect.apply(measure, this, [name, from, to])
    marked = true
    const end = { end: to ?? uptimeMs() }
    const options = typeof from === 'object' ? { ...end, ...from } : { start: from as string, ...end }
    if ('duration' in options && 'start' in options) delete (options as { end?: unknown }).end
    return measure.call(this, name, options as MeasureOptions)
  })
  define(prototype, 'markResourceTiming', function (this: Performance, ...args: unknown[]) {
    marked = true
    return Reflect.apply(markResourceTiming, this, args)
  })
  const origin = Object.getOwnPropertyDescriptor(prototype, 'timeOrigin')
  if (origin?.get !== undefined) {
    const real = origin.get
    Object.defineProperty(prototype, 'timeOrigin', {
      ...origin,
      get(this: Performance) {
        return host.active() ? host.wallMsAt(0) - UPTIME_US / 1000 : real.call(this)
      },
    })
  }
  interceptNodeTiming(host, uptimeMs)
  interceptDeltas(host)
  interceptEvents(host)
  return () => {
    if (!marked) return
    marked = false
    performance.clearMarks()
    performance.clearMeasures()
    performance.clearResourceTimings()
  }
}

/** When the parts of Node were ready, in milliseconds: the start of the process says nothing about the program. */
const NODE_TIMES: Readonly<Record<string, number>> = {
  nodeStart: 5,
  v8Start: 10,
  environment: 20,
  bootstrapComplete: 40,
}

function interceptNodeTiming(host: PerformanceHost, uptimeMs: () => number): void {
  const { loopTimes } = host
  const uptimeAt = (us: number | undefined) => (us === undefined ? -1 : (UPTIME_US + us) / 1000)
  const times: Readonly<Record<string, () => number>> = {
    duration: uptimeMs,
    loopStart: () => uptimeAt(loopTimes.startUs),
    loopExit: () => uptimeAt(loopTimes.endUs),
    idleTime: () => loopTimes.idleUs / 1000,
  }
  const { nodeTiming } = performance
  for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(nodeTiming))) {
    if (descriptor.get === undefined || descriptor.configurable !== true) continue
    const real = descriptor.get
    const virtual = times[name] ?? (() => NODE_TIMES[name] ?? 0)
    const get = () => (host.active() ? virtual() : real.call(nodeTiming))
    Object.defineProperty(nodeTiming, name, { ...descriptor, get })
  }
}

/** A histogram records the nanoseconds since its last record; the first call records nothing. */
function interceptDeltas(host: ClockHost): void {
  const last = new WeakMap<RecordableHistogram, number>()
  const prototype = Object.getPrototypeOf(createHistogram()) as RecordableHistogram
  const { recordDelta } = prototype
  define(prototype, 'recordDelta', function (this: RecordableHistogram) {
    if (!host.active()) return recordDelta.call(this)
    const nowUs = host.readUs()
    const before = last.get(this)
    last.set(this, nowUs)
    if (before !== undefined) this.record(Math.max(1, Math.round((nowUs - before) * 1000)))
  })
}

function interceptEvents(host: ClockHost): void {
  // Node keeps the creation time private; the first read stands for it.
  const stamps = new WeakMap<Event, number>()
  const timeStamp = Object.getOwnPropertyDescriptor(Event.prototype, 'timeStamp')!
  Object.defineProperty(Event.prototype, 'timeStamp', {
    ...timeStamp,
    get(this: Event) {
      const real = timeStamp.get!.call(this) as number
      if (!host.active()) return real
      if (!stamps.has(this)) stamps.set(this, (UPTIME_US + host.nowUs()) / 1000)
      return stamps.get(this)
    },
  })
}
