/**
 * The fake timers of vitest and jest (`vi.useFakeTimers`, `jest.useFakeTimers`), which both make by
 * `@sinonjs/fake-timers`.
 *
 * Norn's own time is virtual already. Fake timers stand in front of it: they fire when the test says
 * so, as in the test's runner, and the schedule decides the rest. Follows `FakeTimers` of vitest 4
 * and of jest 30.
 */
import { hostRequire } from '../loader/internals.ts'
import { evaluation } from '../property/property.ts'
import { whenTestEnds } from '../property/suites.ts'

/** A clock of `@sinonjs/fake-timers`. */
interface Clock {
  readonly now: number
  tick(ms: number | string): void
  tickAsync(ms: number | string): Promise<unknown>
  next(): void
  nextAsync(): Promise<unknown>
  runAll(): void
  runAllAsync(): Promise<unknown>
  runToLast(): void
  runToLastAsync(): Promise<unknown>
  runToFrame(): void
  runMicrotasks(): void
  countTimers(): number
  reset(): void
  setSystemTime(now?: Date | number): void
  uninstall(): void
  /** Replaced functions of `node:timers` and of `node:timers/promises`. */
  readonly timersModuleMethods?: readonly Replaced[]
  readonly timersPromisesModuleMethods?: readonly Replaced[]
}

interface Replaced {
  readonly methodName: string
  readonly original: unknown
}

interface Library {
  withGlobal(global: object): { readonly timers: object; install(options: object): Clock }
}

/** Those of the library that vitest hands on. */
interface LibraryOptions {
  readonly loopLimit?: number
  readonly shouldAdvanceTime?: boolean
  readonly advanceTimeDelta?: number
  readonly shouldClearNativeTimers?: boolean
}

/** Options of both: `toFake` and those of the library are of vitest, `doNotFake` and `advanceTimers` of jest. */
interface FakeTimersOptions extends LibraryOptions {
  readonly now?: number | Date
  readonly toFake?: readonly string[]
  readonly toNotFake?: readonly string[]
  readonly doNotFake?: readonly string[]
  readonly advanceTimers?: boolean | number
  readonly timerLimit?: number
  readonly legacyFakeTimers?: boolean
}

/** The functions of `vi` or `jest` that concern time. */
export type TimeFunctions = Readonly<Record<string, (...args: never[]) => unknown>>

/** The runners replace globals only, and React's `act` relies on that. */
const timers = hostRequire('node:timers') as Record<string, unknown>
const promises = hostRequire('node:timers/promises') as Record<string, unknown>

function ofLibrary({
  loopLimit,
  shouldAdvanceTime,
  advanceTimeDelta,
  shouldClearNativeTimers,
}: LibraryOptions): LibraryOptions {
  const given = Object.entries({ loopLimit, shouldAdvanceTime, advanceTimeDelta, shouldClearNativeTimers })
  return Object.fromEntries(given.filter(([, value]) => value !== undefined))
}

/**
 * @param caller `vi` or `jest`, for messages
 * @param kept names that stay real by default
 * @param refuse makes the execution inconclusive
 */
export function timeFunctions(caller: string, kept: readonly string[], refuse: (what: string) => never): TimeFunctions {
  const library = hostRequire('@sinonjs/fake-timers') as Library
  let clock: Clock | undefined
  /** Whether only `Date` is faked: by `setSystemTime` without fake timers. */
  let onlyDate = false
  let seen = evaluation()
  let realDate = Date

  const uninstall = () => {
    current()?.uninstall()
    clock = undefined
  }
  const install = (options: object) => {
    if (current() === undefined) {
      whenTestEnds(uninstall)
      realDate = Date
    } else uninstall()
    clock = library.withGlobal(globalThis).install({ ignoreMissingTimers: true, ...options })
    for (const [module, methods] of [
      [timers, clock.timersModuleMethods],
      [promises, clock.timersPromisesModuleMethods],
    ] as const) {
      for (const { methodName, original } of methods ?? []) module[methodName] = original
    }
  }
  /** The clock of this evaluation; the world has restored the globals of earlier ones. */
  const current = (): Clock | undefined => {
    if (seen !== evaluation()) clock = undefined
    seen = evaluation()
    return clock
  }
  const faking = (): Clock => {
    const found = current()
    if (found !== undefined && !onlyDate) return found
    throw new Error(`the timers are not mocked: call ${caller}.useFakeTimers() first`)
  }
  const useFakeTimers = (given?: FakeTimersOptions | string) => {
    const options = typeof given === 'object' ? given : {}
    if (given === 'legacy' || options.legacyFakeTimers) refuse(`${caller}.useFakeTimers with legacy fake timers`)
    const now = options.now ?? current()?.now ?? Date.now()
    const all = Object.keys(library.withGlobal(globalThis).timers)
    const { toFake, toNotFake, doNotFake = toNotFake ?? kept, advanceTimers } = options
    install({
      ...(caller === 'vi' ? ofLibrary(options) : {}),
      now,
      toFake: toFake ?? all.filter((name) => !doNotFake.includes(name)),
      ...(options.timerLimit === undefined ? {} : { loopLimit: options.timerLimit }),
      ...(advanceTimers ? { shouldAdvanceTime: true } : {}),
      ...(typeof advanceTimers === 'number' ? { advanceTimeDelta: advanceTimers } : {}),
    })
    onlyDate = false
  }
  const step = (clock: Clock): boolean => {
    clock.tick(0) // Fires all timers of the moment.
    return clock.countTimers() > 0
  }
  return {
    useFakeTimers,
    useRealTimers: uninstall,
    isFakeTimers: () => current() !== undefined && !onlyDate,
    setSystemTime(now?: number | string | Date) {
      const time = now === undefined ? new Date() : new Date(now)
      if (current() === undefined) {
        install({ now: time, toFake: ['Date'] })
        onlyDate = true
      } else clock!.setSystemTime(time)
    },
    getMockedSystemTime: () => (current() === undefined ? null : new Date(clock!.now)),
    getRealSystemTime: () => (current() === undefined ? Date : realDate).now(),
    now: () => current()?.now ?? Date.now(),
    advanceTimersByTime: (ms: number) => faking().tick(ms),
    advanceTimersByTimeAsync: async (ms: number) => void (await faking().tickAsync(ms)),
    advanceTimersToNextTimer(steps = 1) {
      const clock = faking()
      let more = true
      for (let left = steps; left > 0 && more; left--) {
        clock.next()
        more = step(clock)
      }
    },
    async advanceTimersToNextTimerAsync(steps = 1) {
      const clock = faking()
      let more = true
      for (let left = steps; left > 0 && more; left--) {
        await clock.nextAsync()
        more = step(clock)
      }
    },
    advanceTimersToNextFrame: () => faking().runToFrame(),
    runAllTimers: () => faking().runAll(),
    runAllTimersAsync: async () => void (await faking().runAllAsync()),
    runOnlyPendingTimers: () => faking().runToLast(),
    runOnlyPendingTimersAsync: async () => void (await faking().runToLastAsync()),
    runAllTicks: () => faking().runMicrotasks(),
    clearAllTimers: () => current()?.reset(),
    getTimerCount: () => faking().countTimers(),
  }
}
