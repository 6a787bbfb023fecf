/**
 * Intercepts what tells how busy the loop is: `monitorEventLoopDelay` and `eventLoopUtilization`, of the
 * loop of the world. Node's own histogram keeps what is recorded.
 */
import perf, { createHistogram, type EventLoopUtilization } from 'node:perf_hooks'
import { requireInternal } from '../../loader/internals.ts'
import type { Interceptor } from '../loop/interceptor.ts'
import type { LoopTimes } from '../loop/loop-times.ts'
import { type Control, define, replaceWhileActive } from '../realm/replace.ts'

export interface LoopDelayHost extends Control {
  readonly loopTimes: LoopTimes
  nowUs(): number
  /** Reads the virtual time, which advances it. */
  readUs(): number
}

/** A native histogram. */
interface Handle {
  record(ns: number): void
  reset(): void
}

interface Validators {
  validateObject(value: unknown, name: string): void
  validateInteger(value: unknown, name: string, least: number): void
}

interface Options {
  readonly resolution?: number
  readonly samplePerIteration?: boolean
}

/** The least value that a histogram of delays tells apart, in nanoseconds. */
const LEAST_NS = 1000

export const loopDelay: Interceptor<LoopDelayHost> = {
  name: 'delay of the loop',
  builtins: {
    perf_hooks: { controlled: 'monitorEventLoopDelay eventLoopUtilization' },
  },
  install(host) {
    interceptDelay(host)
    replaceWhileActive(host, perf, 'eventLoopUtilization', utilization(host))
    // One function under both names, as in Node 24.
    const prototype = Object.getPrototypeOf(performance)
    if ('eventLoopUtilization' in prototype) define(prototype, 'eventLoopUtilization', perf.eventLoopUtilization)
  },
}

function interceptDelay(host: LoopDelayHost): void {
  const { kHandle } = requireInternal<{ kHandle: symbol }>('internal/histogram')
  const { validateObject, validateInteger } = requireInternal<Validators>('internal/validators')
  const { monitorEventLoopDelay } = perf
  // One for all: each has a real handle, which would outlive an execution.
  const sample = monitorEventLoopDelay()
  define(perf, 'monitorEventLoopDelay', (options: Options = {}) => {
    if (!host.active()) return monitorEventLoopDelay(options)
    validateObject(options, 'options')
    const { samplePerIteration = false, resolution = 10 } = options
    if (samplePerIteration) host.refuse('perf_hooks.monitorEventLoopDelay with samplePerIteration')
    validateInteger(resolution, 'options.resolution', 1)
    const histogram = createHistogram({ lowest: LEAST_NS })
    const own = { ...Object.getOwnPropertyDescriptors(sample), ...Object.getOwnPropertyDescriptors(histogram) }
    const handle = (histogram as unknown as Record<symbol, Handle>)[kHandle]!
    const { reset } = handle
    const monitor = host.loopTimes.monitor(resolution * 1000, (us) => handle.record(us * 1000))
    Object.assign(handle, {
      start: () => monitor.start(host.nowUs()),
      stop: () => monitor.stop(),
      reset() {
        monitor.reset()
        reset.call(handle)
      },
    })
    return Object.create(Object.getPrototypeOf(sample), own)
  })
}

/** Follows lib/internal/perf/event_loop_utilization.js. */
function utilization({ loopTimes, readUs }: LoopDelayHost) {
  const between = (idle: number, active: number): EventLoopUtilization => {
    const all = idle + active
    return { idle, active, utilization: all === 0 ? 0 : active / all }
  }
  return (later?: EventLoopUtilization, earlier?: EventLoopUtilization) => {
    if (loopTimes.startUs === undefined) return between(0, 0)
    if (earlier) return between(later!.idle - earlier.idle, later!.active - earlier.active)
    const idle = loopTimes.idleUs / 1000
    const active = (readUs() - (loopTimes.startUs ?? 0)) / 1000 - idle
    return later ? between(idle - later.idle, active - later.active) : between(idle, active)
  }
}
