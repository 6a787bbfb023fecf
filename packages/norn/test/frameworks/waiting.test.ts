/** Waiting of vitest: until it holds, or the time is up. */
import { chai, expect, it } from 'vitest'
import { checkAssertions } from '../../src/frameworks/vitest-state.ts'
import { polling, waitFor } from '../../src/frameworks/waiting.ts'

/** Each look at the clock takes so many milliseconds. */
const clock = (stepMs = 10) => {
  let ms = 0
  return { advance: () => {}, nowMs: () => (ms += stepMs) }
}

it('ends with the first value that neither throws nor is refused', async () => {
  let calls = 0
  const third = () => {
    calls++
    if (calls < 3) throw new Error('not yet')
    return calls
  }
  expect(await waitFor(third, { interval: 1, timeout: 1000 }, clock())).toBe(3)
  expect(
    await waitFor(
      () => ++calls,
      { interval: 1 },
      clock(),
      (value) => value > 5,
    ),
  ).toBe(6)
})

it('throws the last error, or says that the time is up', async () => {
  const fails = () => Promise.reject(new Error('never'))
  await expect(waitFor(fails, { interval: 1, timeout: 50 }, clock())).rejects.toThrow('never')
  await expect(waitFor(() => false, 50, clock(60), Boolean)).rejects.toThrow('the time to wait is up')
})

it('polls the whole chain of a matcher', async () => {
  let n = 0
  const poll = polling((value) => expect(value), chai as never, clock())
  await (
    poll(() => ++n, { interval: 1 }) as unknown as { not: { toBeLessThan(n: number): Promise<void> } }
  ).not.toBeLessThan(3)
  expect(n).toBe(3)
})

it.each([
  [{ assertionCalls: 1, expectedAssertionsNumber: 2 }, /expected 2 assertions/],
  [{ assertionCalls: 0, isExpectingAssertions: true }, /expected any number of assertions/],
])('a test that asserts less than it announced fails: %j', (state, message) => {
  expect(() => checkAssertions({ getState: () => state })).toThrow(message)
})

it('a test that announced nothing may assert nothing', () => {
  expect(() => checkAssertions({ getState: () => ({ assertionCalls: 0 }) })).not.toThrow()
})

it('a poll that nobody awaits does not run, and fails the test', () => {
  let calls = 0
  let check = () => {}
  const poll = polling(
    (value) => expect(value),
    chai as never,
    clock(),
    (atEnd) => {
      check = atEnd
    },
  )
  void (poll(() => ++calls) as { toBe(n: number): unknown }).toBe(1)
  expect(check).toThrow('expect.poll(…).toBe() was not awaited')
  expect(calls).toBe(0)
})
