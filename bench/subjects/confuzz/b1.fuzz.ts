// B1, the first of ConFuzz's own benchmarks
//
// The race: a transaction adds to the total, waits 50 ms for others, and logs the total unless it
// was logged since. What was logged last is noted when the entry is written: by then the total may
// be another one. So a second transaction that adds while the first is being written counts as
// logged, and is not.
//
// Input: the second transaction begins i + 1 ms after the first has waited, i below 50. Zero input: a millisecond
// after. Fails only if writing the entry of the first is delayed by more.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { fc } from 'norn'
import { subject } from './subject.ts'

const WAIT_MS = 50

subject('B1: both transactions are logged', {
  inputs: { i: fc.integer({ min: 0, max: 49 }) },
  example: { i: 10 },
  async body({ i }, { pause }) {
    let total = 0
    let last = 0
    const log: number[] = []
    const transaction = async (amount: number) => {
      total += amount
      await sleep(WAIT_MS)
      if (last === total) return
      const entry = total
      await pause()
      log.push(entry)
      last = total
    }
    const second = async () => {
      await sleep(WAIT_MS + i + 1)
      await transaction(200)
    }
    await Promise.all([transaction(100), second()])
    const sum = log.reduce((sum, entry) => sum + entry, 0)
    assert.ok(sum === 400, `the log adds up to ${sum}: ${log.join(', ')}`)
  },
})
