/**
 * The search of one property over the processes it costs: here workers are scripts, and no process
 * is started.
 */
import { describe, expect, test } from 'vitest'
import type { ExploreOptions, ListedProperty } from '../../src/process/protocol.ts'
import { type Worker, WorkerLost, type WorkerOptions } from '../../src/process/worker.ts'
import type { SearchEvent } from '../../src/search/events.ts'
import { FileProcess } from '../../src/session/file-process.ts'
import { searchTogether } from '../../src/session/pool.ts'
import { type SupervisedEvent, search } from '../../src/session/search.ts'
import { NOTHING_RUN } from '../../src/session/summaries.ts'

const START: WorkerOptions = { file: '/here/a.fuzz.ts', root: '/here', aliases: [] }
const PROPERTY: ListedProperty = { name: 'p', mode: 'run', examples: 0, inputs: [], options: {} }
const OPTIONS: ExploreOptions = {
  ...{ seed: 1, strategy: 'random', runs: 100, timeMs: 60_000, keepGoing: true, shrink: false, skip: 0 },
}
const FAILURE = { kind: 'error', errorName: 'Error', message: 'wrong', stack: '', frames: [] } as const
const RESULT = {
  ...{ verdict: 'failed', failure: FAILURE, traceHash: 'abc', inputChoices: 0, points: 0, chains: 0, durationUs: 0 },
  ...{ output: '', choices: { input: [], schedule: [], fault: [], length: 1 } },
} as const

type Explore = (options: ExploreOptions, emit: (event: SearchEvent) => void) => Promise<{ executions: number }>

/**
 * A file whose workers explore as the scripts say, one script a worker; the last goes on for all
 * that follow.
 */
function scripted(...scripts: readonly Explore[]) {
  const explored: ExploreOptions[] = []
  let started = 0
  const fresh = () => {
    const script = scripts[Math.min(started++, scripts.length - 1)]!
    const worker = {
      ended: false,
      isFilling: false,
      scratchFile: () => '/nowhere',
      async explore(_: ListedProperty, options: ExploreOptions, emit: (event: SearchEvent) => void) {
        explored.push(options)
        try {
          return { ...NOTHING_RUN, ...(await script(options, emit)) }
        } catch (error) {
          worker.ended = true
          throw error
        }
      },
      execute: async () => RESULT,
      explain: async () => ({ result: RESULT, explanation: { trace: [], origins: new Map() } }),
      close() {
        worker.ended = true
      },
    }
    return worker as unknown as Worker
  }
  const events: SupervisedEvent[] = []
  const report = (event: SupervisedEvent) => void events.push(event)
  return { file: new FileProcess(START, fresh), explored, events, report, started: () => started }
}

const passes: Explore = async ({ runs }) => ({ executions: runs })

const dies =
  (execution: number): Explore =>
  async () => {
    const plan = { input: { from: 'tape' }, choices: { from: 'record', choices: RESULT.choices } } as const
    throw new WorkerLost('crash', 'the process died', { sequence: execution, execution, plan })
  }

const finds: Explore = async ({ seed, runs }, emit) => {
  const failure = {
    ...{ identity: 'error: wrong', result: RESULT, foundAt: 1, seed, strategy: 'random' },
    ...{ name: undefined, shrinking: undefined },
  }
  emit({ type: 'found', failure: failure as never, input: { from: 'tape' } })
  return { executions: runs, failed: 1, distinctFailures: 1 }
}

describe('a search', () => {
  test('that passes costs one process, which stays', async () => {
    const { file, report, started } = scripted(passes)
    const summary = await search(file, PROPERTY, OPTIONS, report)
    expect(summary.executions).toBe(100)
    expect(file.worker().ended).toBe(false)
    expect(started()).toBe(1)
  })

  test('goes on behind an execution that ends its process', async () => {
    const { file, report, explored, events } = scripted(dies(7), passes)
    const summary = await search(file, PROPERTY, OPTIONS, report)
    expect(explored.map(({ skip }) => skip)).toEqual([0, 7])
    expect(summary).toMatchObject({ executions: 7 + 100 - 7, failed: 1, distinctFailures: 1 })
    expect(events.map(({ type }) => type)).toEqual(['found', 'confirmed'])
  })

  test('ends with the first loss unless it is to go on', async () => {
    const { file, report, explored } = scripted(dies(7), passes)
    await search(file, PROPERTY, { ...OPTIONS, keepGoing: false }, report)
    expect(explored).toHaveLength(1)
  })

  test('gives up after many losses, and reports the same failure once', async () => {
    let execution = 0
    const { file, report, events } = scripted((...args) => dies(++execution)(...args))
    await search(file, PROPERTY, OPTIONS, report)
    expect(events.map(({ type }) => type)).toEqual(['found', 'confirmed', 'remark'])
  })

  test('passes on an error that is not a loss', async () => {
    const { file, report } = scripted(async () => Promise.reject(new Error('broken')))
    await expect(search(file, PROPERTY, OPTIONS, report)).rejects.toThrow('broken')
  })

  test('does not start after the signal', async () => {
    const { file, report, explored } = scripted(passes)
    await search(file, PROPERTY, OPTIONS, report, AbortSignal.abort())
    expect(explored).toEqual([])
  })
})

describe('several workers', () => {
  test('share the runs, from different seeds; the first has the one asked for', async () => {
    const { file, report, explored } = scripted(passes)
    const target = { process: file, property: PROPERTY }
    const summary = await searchTogether(target, { ...OPTIONS, runs: 10 }, report, undefined, 3)
    expect(explored.map(({ runs }) => runs)).toEqual([4, 3, 3])
    expect(new Set(explored.map(({ seed }) => seed)).size).toBe(3)
    expect(explored[0]!.seed).toBe(1)
    expect(summary.executions).toBe(10)
  })

  test('report a failure that all of them find once', async () => {
    const { file, report, events } = scripted(finds)
    const summary = await searchTogether({ process: file, property: PROPERTY }, OPTIONS, report, undefined, 3)
    expect(summary.distinctFailures).toBe(1)
    expect(events.filter(({ type }) => type === 'found')).toHaveLength(1)
    expect(events.filter(({ type }) => type === 'confirmed')).toHaveLength(1)
  })
})
