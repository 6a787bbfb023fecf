// p-memoize: concurrent calls share one execution; a call after pMemoizeClear() never returns what
// is older.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { fc, fuzz } from 'norn'
import pMemoize, { pMemoizeClear } from 'p-memoize'
import { pause, slowStore } from './pause.ts'

const operation = fc.record({ gap: fc.integer({ min: 0, max: 3 }), kind: fc.constantFrom('call', 'clear', 'change') })

fuzz(
  'p-memoize: a call after a clear sees the change before it',
  { operations: fc.array(operation, { maxLength: 6 }) },
  async ({ operations }) => {
    let version = 0
    const read = pMemoize(async (_key: string) => {
      const seen = version
      await pause(2)
      return seen
    })
    let least = 0
    const pending: Promise<unknown>[] = []
    for (const { gap, kind } of operations) {
      if (gap > 0) await sleep(gap)
      if (kind === 'change') version++
      else if (kind === 'clear') {
        pMemoizeClear(read)
        least = version
      } else {
        const bound = least
        pending.push(read('key').then((seen) => assert.ok(seen >= bound, `${seen} is older than ${bound}`)))
      }
    }
    await Promise.all(pending)
    assert.ok((await read('key')) >= least)
  },
)

fuzz(
  'p-memoize: one execution with a slow cache',
  { gaps: fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 4 }) },
  async ({ gaps }) => {
    let executions = 0
    const cache = slowStore()
    const read = pMemoize(
      async (_key: string) => {
        executions++
        await pause(2)
        return 1
      },
      { cache: cache as never },
    )
    const values = await Promise.all(gaps.map((gap) => pause(gap).then(() => read('key'))))
    assert.ok(values.every((value) => value === 1))
    assert.ok(executions <= 1)
  },
)
