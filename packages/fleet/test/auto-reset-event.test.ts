/** Events: none is missed while nobody waits, and none wakes twice. */
import { expect, test } from 'vitest'
import { AutoResetEvent } from '../src/auto-reset-event.ts'

const NEVER = new AbortController().signal
const LONG_MS = 2 ** 31 - 1

test('an event wakes one who waits', async () => {
  const event = new AutoResetEvent()
  const waited = event.wait(LONG_MS, NEVER)
  event.set()
  await waited
})

test('set while nobody waits, it lets the next wait pass, however often it was set, and no other', async () => {
  const event = new AutoResetEvent()
  event.set()
  event.set()
  await event.wait(LONG_MS, NEVER)
  let isOver = false
  const second = event.wait(LONG_MS, NEVER).then(() => {
    isOver = true
  })
  await new Promise((resolve) => setImmediate(resolve))
  expect(isOver).toBe(false)
  event.set()
  await second
})

test('a wait ends by its signal, and is as long as it was to be without any', async () => {
  const event = new AutoResetEvent()
  const ended = new AbortController()
  const waited = event.wait(LONG_MS, ended.signal)
  ended.abort()
  await waited
  await event.wait(1, NEVER)
})
