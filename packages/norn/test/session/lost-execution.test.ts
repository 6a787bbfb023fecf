/** Executions that end their process, over scripted workers. */
import { mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Journal } from '../../src/process/journal.ts'
import { type Loss, WorkerLost } from '../../src/process/worker.ts'
import { executeOrLose, explainOrLose, isLoss, lostExecution } from '../../src/session/lost-execution.ts'
import { PLAN, PROPERTY, passes, RESULT, START, scripted } from './scripted.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'norn-lost-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const flight = { sequence: 8, execution: 7, plan: PLAN }
const loss = (how: Loss = 'hang') => new WorkerLost(how, `it was lost: ${how}\nwith details`, flight)
const drawn = { kind: 'value' as const, label: 'x.0', min: 0, max: 9, value: 4 }
const fault = { label: 'write 1', operation: 'write', resource: 'a.txt', fault: 'ENOSPC' }

const workerThat = (execute: (journal: string) => void) => {
  const answer = async (_: unknown, __: unknown, { journal }: { journal?: string } = {}) => {
    execute(journal!)
    return RESULT
  }
  const scratchFile = join(folder, 'choices.jsonl')
  return scripted([passes], { execute: answer, explain: async () => Promise.reject(loss()), scratchFile })
}

test('a lost process is a failure of its kind, with the first line as its message', async () => {
  const { fresh } = workerThat(() => {
    throw loss('out of memory')
  })
  const result = await executeOrLose(fresh(START), PROPERTY, PLAN)
  const failure = { kind: 'out of memory', message: 'it was lost: out of memory' }
  expect(result).toMatchObject({ verdict: 'failed', failure, traceHash: '' })
  const explained = await explainOrLose(fresh(START), PROPERTY, PLAN)
  expect(explained).toMatchObject({ result: { failure: { kind: 'hang' } }, explanation: undefined })
})

test('an error that is not a loss is passed on', async () => {
  const { fresh } = workerThat(() => {
    throw new Error('broken')
  })
  await expect(executeOrLose(fresh(START), PROPERTY, PLAN)).rejects.toThrow('broken')
})

test('hangs, crashes and lacks of memory end their process, errors do not', () => {
  expect(['hang', 'crash', 'out of memory', 'error', 'exit'].map((kind) => isLoss(kind as Loss))).toEqual([
    ...[true, true, true],
    ...[false, false],
  ])
})

describe('a lost execution runs again', () => {
  const again = async (execute: (journal: string) => void, lost = loss()) => {
    const { fresh, workers } = workerThat(execute)
    const outcome = await lostExecution(() => fresh(START), PROPERTY, lost, flight, 5)
    expect(workers.map(({ closed }) => closed)).toEqual([true])
    return outcome
  }

  test('and is confirmed, with the journal as its record, if it is lost in the same way', async () => {
    const outcome = await again((path) => {
      const journal = new Journal(openSync(path, 'a'))
      journal.begin()
      journal.input('x = 4')
      journal.choice('input', drawn)
      journal.fault(fault)
      throw loss()
    })
    expect(outcome).toMatchObject({
      failure: {
        ...{ identity: 'hang', foundAt: 7, seed: 5 },
        confirmation: { confirmed: true, plan: { choices: { from: 'record', choices: { input: [drawn] } } } },
      },
    })
    expect(outcome).toMatchObject({
      failure: { result: { failure: { kind: 'hang' }, inputText: 'x = 4', inputChoices: 1, faults: [fault] } },
    })
  })

  test('and is slow, not hung, if it ends within a longer limit', async () => {
    expect(await again(() => {})).toEqual({ type: 'slow', result: RESULT, message: loss().message })
  })

  test('and did not run out of memory by itself if it ends in a fresh process', async () => {
    const lost = loss('out of memory')
    expect(await again(() => {}, lost)).toEqual({ type: 'filled', result: RESULT, message: lost.message })
  })

  test('and is not confirmed if it is lost in another way, or was no hang and passes: its plan stays', async () => {
    const unconfirmed = {
      failure: { foundAt: 7, result: { inputText: '' }, confirmation: { confirmed: false, plan: PLAN } },
    }
    const dies = () => {
      throw loss('crash')
    }
    expect(await again(dies)).toMatchObject(unconfirmed)
    expect(await again(() => {}, loss('crash'))).toMatchObject(unconfirmed)
  })
})
