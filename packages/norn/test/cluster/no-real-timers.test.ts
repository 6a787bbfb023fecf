import { expect, test } from 'vitest'
import { withoutRealTimers } from '../../src/cluster/no-real-timers.ts'

test.each(['setTimeout', 'setInterval', 'setImmediate'] as const)(
  '%s throws meanwhile, and is what it was afterwards',
  (name) => {
    const real = Object.getOwnPropertyDescriptor(globalThis, name)
    const call = () => withoutRealTimers(() => globalThis[name](() => {}, 1))
    expect(call).toThrow(`${name} was called inside a cluster`)
    expect(Object.getOwnPropertyDescriptor(globalThis, name)).toEqual(real)
    expect(withoutRealTimers(() => 7)).toBe(7)
  },
)
