import { afterEach, describe, expect, it } from 'vitest'
import { timeFunctions } from '../../src/frameworks/fake-timers.ts'

const refuse = (what: string): never => {
  throw new Error(`refused: ${what}`)
}

// biome-ignore lint/suspicious/noExplicitAny: called as tests call them, without types
type Functions = Record<string, (...args: any[]) => any>

const vi = timeFunctions('vi', ['nextTick', 'queueMicrotask'], refuse) as Functions
const jest = timeFunctions('jest', [], refuse) as Functions

afterEach(() => {
  vi.useRealTimers!()
  jest.useRealTimers!()
})

describe.each([
  ['vi', vi],
  ['jest', jest],
])('the fake timers of %s', (name, functions) => {
  const { useFakeTimers, useRealTimers, advanceTimersByTime, runAllTimers, getTimerCount } = functions as Functions

  it('fire when the test says so, and move Date', () => {
    useFakeTimers!({ now: 1000 })
    const log: number[] = []
    setTimeout(() => log.push(Date.now()), 50)
    setInterval(() => log.push(Date.now()), 20)
    expect(getTimerCount!()).toBe(2)
    advanceTimersByTime!(50)
    expect(log).toEqual([1020, 1040, 1050])
  })

  it('step from one moment to the next', () => {
    useFakeTimers!()
    const log: string[] = []
    for (const [each, ms] of [
      ['a', 10],
      ['b', 10],
      ['c', 30],
    ] as const)
      setTimeout(() => log.push(each), ms)
    functions.advanceTimersToNextTimer!()
    expect(log).toEqual(['a', 'b'])
    runAllTimers!()
    expect(log).toEqual(['a', 'b', 'c'])
  })

  it('let promises run in between', async () => {
    useFakeTimers!()
    const log: string[] = []
    setTimeout(() => void Promise.resolve().then(() => log.push('promised')), 5)
    await functions.advanceTimersByTimeAsync!(5)
    expect(log).toEqual(['promised'])
  })

  it('are real again afterwards', () => {
    const { setTimeout: before, Date: date } = globalThis
    useFakeTimers!()
    expect([functions.isFakeTimers!(), setTimeout === before]).toEqual([true, false])
    useRealTimers!()
    expect([functions.isFakeTimers!(), setTimeout === before, Date === date]).toEqual([false, true, true])
  })

  it('have a system time that the test sets, with or without fake timers', () => {
    functions.setSystemTime!(5000)
    expect([Date.now(), functions.isFakeTimers!()]).toEqual([5000, false])
    useFakeTimers!()
    functions.setSystemTime!('2020-01-01T00:00:00Z')
    expect(new Date().getFullYear()).toBe(2020)
    expect(functions.getRealSystemTime!()).toBeGreaterThan(Date.now())
  })

  it('cannot be advanced while they are real', () => {
    expect(() => advanceTimersByTime!(1)).toThrow(`the timers are not mocked: call ${name}.useFakeTimers() first`)
  })

  it('leave node:timers as it is, as the runners do', async () => {
    const timers = await import('node:timers')
    const before = timers.default.setTimeout
    useFakeTimers!()
    expect(timers.default.setTimeout).toBe(before)
  })
})

it('the legacy fake timers of jest are refused', () => {
  expect(() => jest.useFakeTimers!({ legacyFakeTimers: true })).toThrow('refused: jest.useFakeTimers with legacy')
  expect(() => jest.useFakeTimers!('legacy')).toThrow('refused: jest.useFakeTimers with legacy')
})

it('each fakes what its runner fakes by default', () => {
  const { nextTick } = process
  vi.useFakeTimers!()
  expect(process.nextTick).toBe(nextTick)
  vi.useRealTimers!()
  jest.useFakeTimers!({ doNotFake: ['performance'] })
  expect(process.nextTick).not.toBe(nextTick)
})
