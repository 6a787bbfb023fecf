/** When an execution counts as hung, by a clock that the test moves. */
import { describe, expect, test } from 'vitest'
import { HangWatch, LOOK_MS } from '../../src/process/hang-watch.ts'

/**
 * Looks at regular intervals; gives the time at which the watch says that the process hangs, if it
 * does in time.
 */
function hungAtMs(watch: HangWatch, sequenceAt: (nowMs: number) => number | undefined, isFilling = false) {
  for (let nowMs = LOOK_MS; nowMs <= 100_000; nowMs += LOOK_MS) {
    if (watch.isHung({ nowMs, sequence: sequenceAt(nowMs), isFilling })) return nowMs
  }
  return undefined
}

describe('an execution hangs', () => {
  test('after its limit, counted from its first look', () => {
    expect(hungAtMs(new HangWatch(1000, 0, undefined), () => 1)).toBe(1500)
  })

  test('never, as long as others follow', () => {
    expect(hungAtMs(new HangWatch(1000, 0, undefined), (nowMs) => nowMs)).toBeUndefined()
  })

  test('later while its process fills its memory', () => {
    expect(hungAtMs(new HangWatch(1000, 0, undefined), () => 1, true)).toBe(3500)
  })
})

test.each([undefined, 7])(
  'starting may take half a minute, and longer executions longer (last before: %s)',
  (before) => {
    expect(hungAtMs(new HangWatch(1000, 0, before), () => before)).toBe(30_250)
    expect(hungAtMs(new HangWatch(40_000, 0, before), () => before)).toBe(40_250)
  },
)

test('time in which nobody looked counts as two looks', () => {
  const watch = new HangWatch(1000, 0, undefined)
  const look = (nowMs: number) => watch.isHung({ nowMs, sequence: 1, isFilling: false })
  expect(look(10)).toBe(false)
  expect(look(60_000)).toBe(false)
  expect(look(120_000)).toBe(false)
  expect(look(180_000)).toBe(true)
})
