/** The session of one property over scripted workers: its order, its verdict and what it saves. */

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { CampaignSummary } from '../../src/contract/campaign-summary.ts'
import type { SessionEvent } from '../../src/contract/events.ts'
import type { ExecutionResult } from '../../src/contract/execution.ts'
import type { OpenAddress } from '../../src/contract/open-address.ts'
import { EVERYTHING, NOTHING } from '../../src/options/guide.ts'
import type { ListedProperty } from '../../src/process/protocol.ts'
import { FailureFiles } from '../../src/session/finding.ts'
import { runSession, type SessionOptions } from '../../src/session/session.ts'
import type { Target } from '../../src/session/targets.ts'
import { savedFailures } from '../../src/storage/saved-failures.ts'
import { type Explore, FOUND, finds, OPTIONS, PROPERTY, passes, RESULT, START, scripted } from './scripted.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'norn-session-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const PASSED: ExecutionResult = {
  ...RESULT,
  verdict: 'passed',
  failure: undefined,
  following: { recorded: 0, followed: 0 },
}

/** Runs a session whose workers explore as a script says, and explain with one result. */
async function session(
  script: Explore,
  more: Partial<SessionOptions> = {},
  {
    property = PROPERTY,
    explained = RESULT,
    signal,
    aliases = [],
    open = [],
    reported = [],
  }: {
    property?: ListedProperty
    explained?: ExecutionResult
    signal?: AbortSignal
    aliases?: [string, string][]
    open?: readonly OpenAddress[]
    /** Receives the events. */
    reported?: SessionEvent[]
  } = {},
) {
  const explain = async () => ({ result: explained, explanation: { trace: [], notes: [], origins: new Map() } })
  const start = { ...START, aliases, open, file: join(root, 'a.fuzz.ts'), root }
  const { file, explored, workers } = scripted([script], { start, explain })
  const target: Target = { process: file, file: 'a.fuzz.ts', property }
  const { skip: _, ...explore } = OPTIONS
  const origin = { root, commit: () => undefined }
  const events = reported
  // The process that listed the property.
  file.worker()
  const options = { ...explore, keepGoing: false, saved: true, workers: 1, origin, ...more }
  const result = await runSession(target, options, (event) => events.push(event), signal)
  return { result, events: events.map(({ type }) => type), explored, workers, target, origin }
}

/** Saves the failure that `finds` finds. */
async function withSaved() {
  const { target, origin } = await session(passes, { saved: false })
  const shrinking = { executions: 1, improvements: 0, complete: true }
  new FailureFiles(origin, target, () => {}).save('confirmed', { ...FOUND, shrinking }, false)
}

describe('the verdict of a session', () => {
  test('passed: every execution passed', async () => {
    const { result, events } = await session(passes)
    expect(result).toMatchObject({ verdict: 'passed', tried: [], search: { findings: [], summary: { passed: 100 } } })
    expect(events).toEqual(['tried', 'searching', 'searched'])
  })

  test('failed: a failure is confirmed, and its file holds it', async () => {
    const { result, events } = await session(finds)
    expect(result.verdict).toBe('failed')
    expect(events).toEqual(['tried', 'searching', 'found', 'progress', 'confirmed', 'searched'])
    const { failures } = savedFailures(root, 'a.fuzz.ts', 'p')
    expect(failures.map(({ path, saved }) => [path, saved.identity])).toEqual([
      [result.search!.findings[0]!.file!.path, FOUND.identity],
    ])
  })

  test('failed, in open mode: it is counted in fresh processes, and nothing needs it to repeat', async () => {
    const open = [{ name: '127.0.0.1:1', host: '127.0.0.1', addresses: ['127.0.0.1'], port: 1 }]
    const inOpenMode = { guide: EVERYTHING, shrink: true, workers: 3 }
    const { result, explored } = await session(finds, inOpenMode, { explained: PASSED, open })
    expect(explored).toEqual([expect.objectContaining({ isOpen: true, guide: NOTHING, shrink: false })])
    expect(result.verdict).toBe('failed')
    expect(result.search!.findings[0]!.confirmation!.reproduced).toEqual({ times: 0, of: 10, open: '127.0.0.1:1' })
    expect(savedFailures(root, 'a.fuzz.ts', 'p').failures[0]!.saved.open).toEqual(['127.0.0.1:1'])
  })

  test('undecided: a fresh process shows another trace, or none', async () => {
    const other = await session(finds, {}, { explained: { ...RESULT, traceHash: 'other' } })
    expect([other.result.verdict, other.result.search!.findings[0]!.confirmation!.confirmed]).toEqual([
      'undecided',
      false,
    ])
    const none = await session(finds, { saved: false }, { explained: PASSED })
    expect([none.result.verdict, none.result.search!.findings[0]!.confirmation!.confirmed]).toEqual([
      'undecided',
      false,
    ])
  })

  test('undecided: a report of an inconclusive execution comes again with its place, and counts once', async () => {
    const reason = { kind: 'unnamed operation' } as const
    const frames = [{ file: 'a.ts', line: 1, column: 2, functionName: 'f' }]
    const { result } = await session(async (_, emit) => {
      for (const each of [[], frames])
        emit({ type: 'inconclusive', execution: 3, report: { reason, stack: '', frames: each } })
      emit({ type: 'inconclusive', execution: 4, report: { reason, stack: '', frames: [] } })
      return { executions: 4, passed: 2, voided: 2 }
    })
    const seen = result.search!.inconclusive.map(({ execution, report }) => [execution, report.frames])
    expect([result.verdict, seen]).toEqual([
      'undecided',
      [
        [3, frames],
        [4, []],
      ],
    ])
  })

  const some = { executions: 10, passed: 9 }
  test.each<[string, Partial<CampaignSummary>]>([
    ['an inconclusive execution', { ...some, voided: 1 }],
    ['a flaky failure', { ...some, flaky: 1 }],
    ['a required note that no execution reached', { ...some, missed: ['seen'] }],
    ['no execution', {}],
    ['executions of which none is known to have passed', { executions: 10 }],
    ['inputs that were all rejected', { executions: 10, discarded: 10 }],
  ])('undecided: %s', async (_, summary) => {
    expect((await session(async () => summary)).result.verdict).toBe('undecided')
  })

  test('undecided: it was interrupted before a failure', async () => {
    const { result, explored } = await session(passes, {}, { signal: AbortSignal.abort() })
    expect(result).toEqual({ verdict: 'undecided', tried: [], search: undefined })
    expect(explored).toEqual([])
  })
})

describe('saved failures run before the search', () => {
  test('one that still fails ends the session', async () => {
    await withSaved()
    const { result, explored, events } = await session(passes)
    expect(result).toMatchObject({ verdict: 'failed', tried: [{ exact: true }], search: undefined })
    expect(explored).toEqual([])
    expect(events).toEqual(['tried'])
  })

  test('unless it is to keep going: the search follows, and its pass changes nothing', async () => {
    await withSaved()
    const { result, explored } = await session(passes, { keepGoing: true })
    expect([result.verdict, explored.length]).toEqual(['failed', 1])
  })

  test('one that passes now is reported, stays on disk, and the search decides', async () => {
    await withSaved()
    const { result } = await session(passes, {}, { explained: PASSED })
    expect([result.verdict, result.tried.length]).toEqual(['passed', 1])
    expect(savedFailures(root, 'a.fuzz.ts', 'p').failures).toHaveLength(1)
  })

  test('not if the call says so', async () => {
    await withSaved()
    expect((await session(passes, { saved: false })).result).toMatchObject({ verdict: 'passed', tried: [] })
  })
})

test('a property is searched by the process that listed it, a cluster by a fresh one', async () => {
  expect((await session(passes)).workers.map(({ closed }) => closed)).toEqual([false])
  const cluster = await session(passes, {}, { property: { ...PROPERTY, kind: 'cluster' } })
  expect(cluster.workers.map(({ closed }) => closed)).toEqual([true, false])
})

describe('a failure that was saved before', () => {
  test('is handed to the search, which may keep it', async () => {
    await withSaved()
    const { explored } = await session(passes, { saved: false })
    expect(explored[0]).toMatchObject({ known: [], earlier: [{ identity: FOUND.identity, example: undefined }] })
  })

  test('under other aliases is another', async () => {
    await withSaved()
    const { explored } = await session(passes, { saved: false }, { aliases: [['a', 'b']] })
    expect(explored[0]).toMatchObject({ earlier: [] })
  })

  test('and fails again is not searched for again', async () => {
    await withSaved()
    const { explored } = await session(passes, { keepGoing: true })
    expect(explored[0]).toMatchObject({ known: [FOUND.identity] })
  })

  test('stays as it is while the search shrinks a larger one', async () => {
    await withSaved()
    const file = () => savedFailures(root, 'a.fuzz.ts', 'p').failures[0]!.saved
    const { seed } = file().found
    await session(
      async (_, emit) => {
        const larger = { ...FOUND, seed: 77 }
        emit({ type: 'found', failure: larger, isSaved: true })
        expect(file().found.seed).toBe(seed)
        emit({ type: 'shrunk', failure: larger })
        return { executions: 1, failed: 1, distinctFailures: 1 }
      },
      { saved: false },
    )
    expect(file().found.seed).toBe(77)
  })

  test('stays as it is if the search makes nothing simpler of a larger one', async () => {
    await withSaved()
    const file = () => savedFailures(root, 'a.fuzz.ts', 'p').failures[0]!
    const before = file()
    const { result } = await session(
      async (_, emit) => {
        emit({ type: 'found', failure: { ...FOUND, seed: 77 }, isSaved: true })
        emit({ type: 'shrunk', failure: { ...FOUND, seed: 77, isSaved: true } })
        return { executions: 1, failed: 1, distinctFailures: 1 }
      },
      { saved: false },
    )
    expect(file()).toEqual(before)
    expect(result.search!.findings[0]!.file!.path).toBe(before.path)
  })
})

describe('a disk without room', () => {
  const texts = (events: readonly SessionEvent[]) =>
    events.flatMap((event) => (event.type === 'remark' ? event.text : []))

  test('the failure as found stays if its final form cannot be saved', async () => {
    const reported: SessionEvent[] = []
    const { result } = await session(
      async (options, emit, stopped) => {
        const summary = await finds(options, emit, stopped)
        const [file] = savedFailures(root, 'a.fuzz.ts', 'p').failures
        rmSync(join(root, file!.path))
        mkdirSync(join(root, file!.path))
        return summary
      },
      {},
      { reported },
    )
    const [finding] = result.search!.findings
    expect(finding!.file!.path).toMatch(/^\.norn\/failures\/p-/)
    expect(texts(reported)).toEqual([
      expect.stringMatching(/^cannot save the failure in .*\(EISDIR\)\. \.norn\/failures\/p-.* has it as found$/),
    ])
  })
})
