// Two workers add to a total that the main thread keeps: read, compute, write. The report of the lost update shows rows
// "message" without content, sender and receiver, in columns A, B, … instead of one column for each thread.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { fc, fuzz } from 'norn'

const code = `
const { parentPort, workerData } = require('node:worker_threads')
parentPort.on('message', ({ total }) => {
  parentPort.postMessage({ set: total + workerData })
  parentPort.close()
})
parentPort.postMessage({ get: true })
`

fuzz(
  'no amount is lost',
  { amounts: fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 3 }) },
  async ({ amounts }) => {
    let total = 0
    await Promise.all(
      amounts.map(async (amount) => {
        const worker = new Worker(code, { eval: true, workerData: amount })
        worker.on('message', (message) => {
          if (message.get) worker.postMessage({ total })
          else total = message.set
        })
        await once(worker, 'exit')
      }),
    )
    assert.equal(
      total,
      amounts.reduce((sum, amount) => sum + amount, 0),
    )
  },
)
