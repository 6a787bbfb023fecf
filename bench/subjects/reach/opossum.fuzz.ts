// opossum: the caller retries after a timeout, though the first payment still goes on.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import CircuitBreaker from 'opossum'
import { pause, planted } from './planted.ts'

planted('opossum: an order is paid once', async ({ isFixed }) => {
  const payments: string[] = []
  const pay = async (order: string) => {
    await pause()
    if (!isFixed || !payments.includes(order)) payments.push(order)
    await pause()
  }
  const breaker = new CircuitBreaker(pay, { timeout: 10, volumeThreshold: 10 })
  await breaker.fire('order 1').catch(() => breaker.fire('order 1').catch(() => {}))
  await sleep(200)
  breaker.shutdown()
  assert.deepEqual(payments, ['order 1'])
})
