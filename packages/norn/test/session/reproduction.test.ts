/** How often a failure of open mode repeats, over scripted workers. */
import { expect, test } from 'vitest'
import type { ExecutionResult } from '../../src/contract/execution.ts'
import { WorkerLost } from '../../src/process/worker.ts'
import { reproduce } from '../../src/session/reproduction.ts'
import { FOUND, PLAN, PROPERTY, passes, RESULT, START, scripted } from './scripted.ts'

const PASSED: ExecutionResult = { ...RESULT, verdict: 'passed', failure: undefined }
const OTHER: ExecutionResult = { ...RESULT, failure: { ...RESULT.failure!, message: 'another' } }
const OPEN = { name: '127.0.0.1:1', host: '127.0.0.1', addresses: ['127.0.0.1'], port: 1 }
const LOST = new WorkerLost('crash', 'it died', { sequence: 1, execution: 1, plan: PLAN })

/** Of executions that end like this, in turn. */
async function reproduced(...ends: readonly (ExecutionResult | Error)[]) {
  let runs = 0
  const explain = async () => {
    const end = ends[runs++ % ends.length]!
    if (end instanceof Error) throw end
    return { result: end, explanation: { trace: [], notes: [], origins: new Map() } }
  }
  const { fresh } = scripted([passes], { explain })
  const { reproduced, shown } = await reproduce(() => fresh(START), PROPERTY, PLAN, FOUND.identity, [OPEN])
  return { ...reproduced, runs, shown: shown.result }
}

test('a failure is counted in ten executions, whatever their traces', async () => {
  const counted = await reproduced(RESULT, PASSED, { ...RESULT, traceHash: 'other' })
  expect(counted).toEqual({ times: 7, of: 10, open: '127.0.0.1:1', runs: 10, shown: RESULT })
})

test('another failure and a lost process do not count', async () => {
  expect(await reproduced(OTHER, LOST, PASSED, PASSED, RESULT)).toMatchObject({ times: 2, of: 10, shown: RESULT })
})

test('the first execution is shown where none fails in the same way', async () => {
  expect(await reproduced(PASSED, OTHER)).toMatchObject({ times: 0, of: 10, shown: PASSED })
})
