/**
 * The search of one property over the processes it costs: here workers are scripts, and no process
 * is started.
 */
import { describe, expect, test } from 'vitest'
import type { FileProcess } from '../../src/session/file-process.ts'
import { searchTogether } from '../../src/session/pool.ts'
import { search } from '../../src/session/search.ts'
import { NOTHING_RUN } from '../../src/session/summaries.ts'
import { TemporaryFilesError } from '../../src/storage/files.ts'
import { dies, type Explore, finds, OPTIONS, PROPERTY, passes, RESULT, scripted } from './scripted.ts'

describe('a search', () => {
  test('that passes costs one process, which stays', async () => {
    const { file, report, workers } = scripted([passes])
    const summary = await search(file, PROPERTY, OPTIONS, report)
    expect(summary.executions).toBe(100)
    expect(file.worker().ended).toBe(false)
    expect(workers).toHaveLength(1)
  })

  test('goes on behind an execution that ends its process', async () => {
    const { file, report, explored, events } = scripted([dies(7), passes])
    const summary = await search(file, PROPERTY, OPTIONS, report)
    expect(explored.map(({ skip }) => skip)).toEqual([0, 7])
    expect(summary).toMatchObject({ executions: 7 + 100 - 7, failed: 1, distinctFailures: 1 })
    expect(events.map(({ type }) => type)).toEqual(['found', 'confirmed'])
  })

  test('has summaries so far, which count what a lost worker ran', async () => {
    const tells: Explore = async (_, emit) => {
      const interim = { ...NOTHING_RUN, executions: 20, passed: 13 }
      emit({ type: 'progress', executions: 20, shrinking: false, interim })
      return {}
    }
    const { file, report, events } = scripted([dies(7), tells])
    await search(file, PROPERTY, OPTIONS, report)
    expect(events.at(-1)).toMatchObject({ type: 'progress', interim: { executions: 20, passed: 13, failed: 1 } })
  })

  const BEFORE = { passed: 3, discarded: 1, failed: 0, voided: 2, flaky: 0 }

  test('counts as passed only what a lost worker knew to pass', async () => {
    const { file, report } = scripted([dies(7, BEFORE)])
    const options = { ...OPTIONS, keepGoing: false }
    expect(await search(file, PROPERTY, options, report)).toMatchObject({ executions: 7, ...BEFORE, failed: 1 })
    const unknown = scripted([dies(7)])
    expect(await search(unknown.file, PROPERTY, options, unknown.report)).toMatchObject({ passed: 0, failed: 1 })
  })

  test('that an interruption ended: the execution under way has no verdict', async () => {
    const interruption = new AbortController()
    const { file, report, events } = scripted([
      async (...args) => {
        interruption.abort()
        return dies(7, BEFORE)(...args)
      },
    ])
    const summary = await search(file, PROPERTY, OPTIONS, report, interruption.signal)
    expect(summary).toMatchObject({ executions: 7, ...BEFORE, distinctFailures: 0 })
    expect(events).toEqual([])
  })

  test('memory that an execution alone does not fill is inconclusive, with what to do', async () => {
    const passed = { ...RESULT, verdict: 'passed', failure: undefined } as const
    const { file, report, events } = scripted([dies(7, BEFORE, 'out of memory'), passes], {
      execute: async () => passed,
    })
    const summary = await search(file, PROPERTY, { ...OPTIONS, keepGoing: false }, report)
    expect(summary).toMatchObject({ executions: 100, voided: BEFORE.voided + 1, failed: 0, distinctFailures: 0 })
    expect(events).toMatchObject([
      { type: 'inconclusive', execution: 7, report: { reason: { kind: 'memory not repeated' } } },
    ])
  })

  test('a slow execution counts as it ended, and the search goes on behind it', async () => {
    const passed = { ...RESULT, verdict: 'passed' as const, failure: undefined }
    const { file, report } = scripted([dies(7, BEFORE, 'hang'), passes], { execute: async () => passed })
    const summary = await search(file, PROPERTY, { ...OPTIONS, runs: 7 }, report)
    expect(summary).toMatchObject({ executions: 7, ...BEFORE, passed: 4 })
  })

  test('ends with the first loss unless it is to go on', async () => {
    const { file, report, explored } = scripted([dies(7), passes])
    await search(file, PROPERTY, { ...OPTIONS, keepGoing: false }, report)
    expect(explored).toHaveLength(1)
  })

  test('gives up after many losses, and reports the same failure once', async () => {
    let execution = 0
    const { file, report, events } = scripted([(...args) => dies(++execution)(...args)])
    await search(file, PROPERTY, OPTIONS, report)
    expect(events.map(({ type }) => type)).toEqual(['found', 'confirmed', 'remark'])
  })

  test('passes on an error that is not a loss', async () => {
    const { file, report } = scripted([async () => Promise.reject(new Error('broken'))])
    await expect(search(file, PROPERTY, OPTIONS, report)).rejects.toThrow('broken')
  })

  test('confirms in its own process if temporary files have no room for another', async () => {
    const { file, report, events } = scripted([finds])
    file.worker()
    const full = {
      ...{ start: file.start, worker: () => file.worker(), close: () => file.close() },
      fresh: () => {
        throw new TemporaryFilesError('no room')
      },
    }
    const summary = await search(full, PROPERTY, OPTIONS, report)
    expect(summary).toMatchObject({ distinctFailures: 1, voided: 0 })
    expect(events.map(({ type }) => type)).toEqual(['found', 'progress', 'remark', 'confirmed'])
    expect(events.at(-1)).toMatchObject({ failure: { confirmation: { confirmed: true } } })
  })

  test('that temporary files end is inconclusive, and reports what it had found', async () => {
    const { file, report, events } = scripted([
      async (options, emit, stopped) => {
        await finds(options, emit, stopped)
        throw new TemporaryFilesError('no room')
      },
    ])
    expect(await search(file, PROPERTY, OPTIONS, report)).toMatchObject({ distinctFailures: 1, voided: 1 })
    expect(events.map(({ type }) => type)).toEqual(['found', 'progress', 'remark', 'confirmed'])
  })

  test('does not start after the signal', async () => {
    const { file, report, explored } = scripted([passes])
    await search(file, PROPERTY, OPTIONS, report, AbortSignal.abort())
    expect(explored).toEqual([])
  })
})

describe('several workers', () => {
  test('have one summary so far, of all of them, or of those that go on', async () => {
    const tells: Explore = async ({ seed }, emit) => {
      for (const executions of seed === OPTIONS.seed ? [10, 20, 30] : [1])
        emit({ type: 'progress', executions, shrinking: false, interim: { ...NOTHING_RUN, executions } })
      return {}
    }
    const { file, report, events } = scripted([tells])
    await searchTogether({ process: file, property: PROPERTY }, OPTIONS, report, undefined, 2)
    const sums = events.map((event) => (event.type === 'progress' ? event.interim?.executions : undefined))
    expect(sums).toEqual([undefined, 20, undefined, 31])
  })

  test('share the runs, from different seeds; the first has the one asked for', async () => {
    const { file, report, explored } = scripted([passes])
    const target = { process: file, property: PROPERTY }
    const summary = await searchTogether(target, { ...OPTIONS, runs: 10 }, report, undefined, 3)
    expect(explored.map(({ runs }) => runs)).toEqual([4, 3, 3])
    expect(new Set(explored.map(({ seed }) => seed)).size).toBe(3)
    expect(explored[0]!.seed).toBe(1)
    expect(summary.executions).toBe(10)
  })

  test('report a failure that all of them find once', async () => {
    const { file, report, events } = scripted([finds])
    const summary = await searchTogether({ process: file, property: PROPERTY }, OPTIONS, report, undefined, 3)
    expect(summary.distinctFailures).toBe(1)
    expect(events.filter(({ type }) => type === 'found')).toHaveLength(1)
    expect(events.filter(({ type }) => type === 'confirmed')).toHaveLength(1)
  })

  test('are stopped by the first failure, and by the signal', async () => {
    const waits: Explore = async (_, __, stopped) => {
      await stopped
      return { executions: 3 }
    }
    const target = (file: FileProcess) => ({ process: file, property: PROPERTY })
    const findsLater: Explore = (...args) => new Promise(setImmediate).then(() => finds(...args))
    const first = scripted([findsLater, waits])
    const options = { ...OPTIONS, keepGoing: false }
    const summary = await searchTogether(target(first.file), options, first.report, undefined, 3)
    expect(summary).toMatchObject({ executions: 34 + 3 + 3, distinctFailures: 1 })

    const interrupted = scripted([waits])
    const interruption = new AbortController()
    const searching = searchTogether(target(interrupted.file), OPTIONS, interrupted.report, interruption.signal, 2)
    interruption.abort()
    expect(await searching).toMatchObject({ executions: 6 })
  })

  test('are all ended by an error of one', async () => {
    const waits: Explore = async (_, __, stopped) => stopped.then(() => ({}))
    const { file, report, workers } = scripted([async () => Promise.reject(new Error('broken')), waits])
    const target = { process: file, property: PROPERTY }
    await expect(searchTogether(target, OPTIONS, report, undefined, 2)).rejects.toThrow('broken')
    await new Promise(setImmediate)
    expect(workers.map(({ closed }) => closed)).toEqual([true, true])
  })
})
