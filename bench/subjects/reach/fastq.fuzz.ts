// fastq: with a concurrency of two, results come in the order of the work.
import assert from 'node:assert/strict'
import { promise } from 'fastq'
import { twice } from './http.ts'
import { pause, planted } from './planted.ts'

planted('fastq: results are in order', async ({ isFixed }) => {
  const results: number[] = []
  const queue = promise(
    async (task: number) => {
      await pause()
      results.push(task)
    },
    isFixed ? 1 : 2,
  )
  await twice((task) => queue.push(task))
  await queue.drained()
  assert.deepEqual(results, [1, 2])
})
