// queue: never more jobs than the concurrency, results in the order of the jobs, start() resolves
// when all are done.
import assert from 'node:assert/strict'
import { fc, fuzz } from 'norn'
import Queue from 'queue'
import { pause } from './pause.ts'

const job = fc.record({ takes: fc.integer({ min: 0, max: 3 }), isCallback: fc.boolean(), adds: fc.boolean() })

fuzz(
  'queue: the concurrency holds and results are in order',
  {
    jobs: fc.array(job, { minLength: 1, maxLength: 6 }),
    concurrency: fc.integer({ min: 1, max: 3 }),
    stopAfter: fc.option(fc.integer({ min: 0, max: 4 })),
  },
  async ({ jobs, concurrency, stopAfter }) => {
    const queue = new Queue({ concurrency, results: [] })
    let running = 0
    let ended = 0
    let all = jobs.length
    const work = async (index: number, takes: number) => {
      assert.ok(++running <= concurrency, `${running} jobs run`)
      await pause(takes)
      running--
      ended++
      return index
    }
    for (const [index, { takes, isCallback, adds }] of jobs.entries()) {
      const run = () => {
        if (adds) {
          all++
          queue.push(() => work(-1, takes))
        }
        return work(index, takes)
      }
      queue.push(
        isCallback
          ? (done: (error?: Error, result?: number) => void) => void run().then((result) => done(undefined, result))
          : run,
      )
    }
    const started = queue.start() as unknown as Promise<unknown[][]>
    if (stopAfter !== null) {
      await pause(stopAfter)
      const isLeft = queue.length > 0
      queue.stop()
      await pause(3)
      if (isLeft && !queue.running && queue.jobs.length > 0) queue.start(() => {})
    }
    const results = await started
    assert.equal(ended, all)
    for (const [index, [result]] of results.slice(0, jobs.length).entries()) assert.equal(result, index)
  },
)
