// workerpool 6.4.0 -> 6.4.2 (issues 387, 394, 395): terminate(force, timeout) settles within its timeout, whatever
// the workers do and whenever it is called.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { fc, fuzz } from 'norn'
import workerpool from 'workerpool-buggy'

const script = fileURLToPath(new URL('./work.cjs', import.meta.url))
const call = fc.record({ afterMs: fc.integer({ min: 0, max: 5 }), forMs: fc.constantFrom(0, 1, 10, 60_000) })

fuzz(
  'workerpool: terminate() keeps its timeout',
  { calls: fc.array(call, { maxLength: 3 }), terminateAt: fc.integer({ min: 0, max: 20 }), force: fc.boolean() },
  async ({ calls, terminateAt, force }) => {
    const pool = workerpool.pool(script, { workerType: 'thread', maxWorkers: 2 })
    let over = false
    for (const { afterMs, forMs } of calls) {
      setTimeout(() => {
        if (!over) pool.exec('work', [forMs]).then(undefined, () => {})
      }, afterMs)
    }
    await sleep(terminateAt)
    over = true
    const start = Date.now()
    await (pool.terminate(force, 100) as unknown as Promise<unknown>).then(undefined, () => {})
    assert.ok(Date.now() - start < 1_000, `${Date.now() - start} ms`)
  },
)
