/**
 * Intercepts the ways to read the time: `Date`, `Intl`, `Temporal.Now`, `process.hrtime`,
 * `process.uptime`; performance.ts has `performance` and events. Invariant: under the world equal
 * executions read equal times.
 */

import buffer from 'node:buffer'
import { internalBinding } from '../../loader/internals.ts'
import type { Interceptor } from '../loop/interceptor.ts'
import { type Activity, define, replaceWhileActive } from '../realm/replace.ts'

export interface ClockHost extends Activity {
  /** Reads the virtual time in microseconds since the execution began, which advances it. */
  readUs(): number
  /** The virtual time, without advancing it. */
  nowUs(): number
  /** Reads the wall clock, in whole microseconds since the epoch, which advances it. */
  wallUs(): number
  /** What the wall clock shows, or showed, at a virtual time: milliseconds since the epoch, with fractions. */
  wallMsAt(us: number): number
}

/**
 * `performance.now()`, `process.uptime()` and `process.hrtime()` at the start of an execution, in
 * microseconds.
 */
export const UPTIME_US = 100_000

/** Reads the wall clock in whole milliseconds, as `Date` does. */
export function wallMsOf(host: Pick<ClockHost, 'wallUs'>): number {
  return Math.floor(host.wallUs() / 1000)
}

export const clock: Interceptor<ClockHost> = {
  name: 'clock',
  builtins: {
    globals: { controlled: 'Date Intl' },
  },
  install: interceptClock,
}

function interceptClock(host: ClockHost): void {
  const wallMs = () => wallMsOf(host)
  const uptimeUs = () => UPTIME_US + host.readUs()
  interceptDate(host, globalThis, wallMs)
  interceptIntl(host, Intl, wallMs)
  interceptTemporal(host)
  interceptFile(host, wallMs)
  interceptProcessClock(host, uptimeUs)
}

/** Intercepts the globals of another context (`node:vm`). */
export function interceptClockOf(host: ClockHost, realm: typeof globalThis): void {
  const wallMs = () => wallMsOf(host)
  interceptDate(host, realm, wallMs)
  interceptIntl(host, realm.Intl, wallMs)
}

/**
 * `Date` stays callable without `new`, keeps its prototype, and differs only where it means "now".
 */
function interceptDate(host: ClockHost, realm: typeof globalThis, wallMs: () => number): void {
  const RealDate = realm.Date
  function VirtualDate(this: unknown, ...args: unknown[]): unknown {
    if (new.target === undefined) return host.active() ? new RealDate(wallMs()).toString() : RealDate()
    const now = args.length === 0 && host.active() ? [wallMs()] : args
    return Reflect.construct(RealDate, now, new.target === VirtualDate ? RealDate : new.target)
  }
  Object.defineProperty(VirtualDate, 'name', { value: 'Date', configurable: true })
  Object.defineProperty(VirtualDate, 'length', { value: 7, configurable: true })
  Object.setPrototypeOf(VirtualDate, Object.getPrototypeOf(RealDate))
  VirtualDate.prototype = RealDate.prototype
  Object.defineProperty(VirtualDate, 'prototype', { writable: false })
  const statics = {
    now: () => (host.active() ? wallMs() : RealDate.now()),
    parse: RealDate.parse,
    UTC: RealDate.UTC,
  }
  for (const [name, value] of Object.entries(statics)) define(VirtualDate, name, value)
  define(RealDate.prototype, 'constructor', VirtualDate)
  define(realm, 'Date', VirtualDate)
}

function interceptIntl(host: ClockHost, intl: typeof Intl, wallMs: () => number): void {
  const prototype = intl.DateTimeFormat.prototype
  const format = Object.getOwnPropertyDescriptor(prototype, 'format')!.get!
  const withDefault = (date?: Date | number) => (date === undefined && host.active() ? wallMs() : date)
  const bound = new WeakMap<object, (date?: Date | number) => string>()
  Object.defineProperty(prototype, 'format', {
    configurable: true,
    get(this: Intl.DateTimeFormat) {
      const native = format.call(this) as (date?: Date | number) => string
      let mine = bound.get(this)
      if (mine === undefined) {
        mine = (date) => native(withDefault(date))
        bound.set(this, mine)
      }
      return mine
    },
  })
  const { formatToParts } = prototype
  define(prototype, 'formatToParts', function (this: Intl.DateTimeFormat, date?: Date | number) {
    return formatToParts.call(this, withDefault(date))
  })
}

/** A `File` without a date gets the time of its creation, which Node reads from its own `Date`. */
function interceptFile(host: ClockHost, wallMs: () => number): void {
  const mine = new Proxy(File, {
    construct(target, args, newTarget) {
      const [bits, name, options = {}] = args as [unknown, unknown, { lastModified?: unknown } | undefined]
      if (!host.active() || args.length < 2 || typeof options !== 'object' || options === null)
        return Reflect.construct(target, args, newTarget)
      // A getter is called once.
      const { lastModified } = options
      const value = lastModified === undefined ? wallMs() : lastModified
      const dated = Object.create(options, { lastModified: { value } })
      return Reflect.construct(target, [bits, name, dated], newTarget)
    },
  })
  define(globalThis, 'File', mine)
  define(buffer, 'File', mine)
}

/** `Temporal.Now` (Node 26): every read derives from the instant. */
function interceptTemporal(host: ClockHost): void {
  // biome-ignore lint/suspicious/noExplicitAny: Temporal has no types in the Node versions this is written against
  const temporal = (globalThis as any).Temporal
  if (temporal === undefined) return
  const now = temporal.Now
  const instant = () => temporal.Instant.fromEpochNanoseconds(BigInt(host.wallUs()) * 1000n)
  const zoned = (zone?: unknown) => instant().toZonedDateTimeISO(zone ?? now.timeZoneId())
  const virtual: Record<string, (zone?: unknown) => unknown> = {
    instant,
    zonedDateTimeISO: zoned,
    plainDateTimeISO: (zone) => zoned(zone).toPlainDateTime(),
    plainDateISO: (zone) => zoned(zone).toPlainDate(),
    plainTimeISO: (zone) => zoned(zone).toPlainTime(),
  }
  for (const [name, mine] of Object.entries(virtual)) {
    const real = now[name] as ((zone?: unknown) => unknown) | undefined
    if (real !== undefined) define(now, name, (zone?: unknown) => (host.active() ? mine(zone) : real.call(now, zone)))
  }
}

/** `process.hrtime` fills a buffer that Node's JavaScript reads; `process.uptime` is native. */
function interceptProcessClock(host: ClockHost, uptimeUs: () => number): void {
  const binding = internalBinding('process_methods')
  const buffer = new Uint32Array(binding.hrtimeBuffer.buffer ?? binding.hrtimeBuffer, 0, 3)
  const bigBuffer = new BigUint64Array(buffer.buffer, 0, 1)
  const { hrtime, hrtimeBigInt } = binding
  binding.hrtime = () => {
    if (!host.active()) return hrtime.call(binding)
    const us = uptimeUs()
    const seconds = Math.floor(us / 1e6)
    buffer[0] = Math.floor(seconds / 0x1_0000_0000)
    buffer[1] = seconds >>> 0
    buffer[2] = (us % 1e6) * 1000
  }
  binding.hrtimeBigInt = () => {
    if (!host.active()) return hrtimeBigInt.call(binding)
    bigBuffer[0] = BigInt(uptimeUs()) * 1000n
  }
  replaceWhileActive(host, process, 'uptime', () => uptimeUs() / 1e6)
}
