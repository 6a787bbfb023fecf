/** How one waits for news: none is missed, and none counts twice. */
import { expect, test } from 'vitest'
import { Bell } from '../../src/fleet/bell.ts'

const NEVER = new AbortController().signal
const LONG_MS = 2 ** 31 - 1

test('a bell wakes one who waits', async () => {
  const bell = new Bell()
  const waited = bell.wait(LONG_MS, NEVER)
  bell.ring()
  await waited
})

test('rung while nobody waits, it lets the next wait pass, however often it was rung, and no other', async () => {
  const bell = new Bell()
  bell.ring()
  bell.ring()
  await bell.wait(LONG_MS, NEVER)
  let isOver = false
  const second = bell.wait(LONG_MS, NEVER).then(() => {
    isOver = true
  })
  await new Promise((resolve) => setImmediate(resolve))
  expect(isOver).toBe(false)
  bell.ring()
  await second
})

test('a wait ends by its signal, and is as long as it was to be without any', async () => {
  const bell = new Bell()
  const ended = new AbortController()
  const waited = bell.wait(LONG_MS, ended.signal)
  ended.abort()
  await waited
  await bell.wait(1, NEVER)
})
