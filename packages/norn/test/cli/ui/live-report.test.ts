/** What the page of `norn ui` shows, by the events of a call. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { STATUS, UsageError } from '../../../src/cli/exit-status.ts'
import { LiveReport } from '../../../src/cli/ui/live-report.ts'
import type { FindPassing } from '../../../src/cli/ui/passing-clusters.ts'
import type { SessionEvent } from '../../../src/contract/events.ts'
import type { ExecutionResult } from '../../../src/contract/execution.ts'
import { EVERYTHING } from '../../../src/options/guide.ts'
import { FileProcess } from '../../../src/session/file-process.ts'
import { savedForm } from '../../../src/session/finding.ts'
import { NOTHING_RUN } from '../../../src/session/summaries.ts'
import type { Target } from '../../../src/session/targets.ts'
import { entry } from '../../report/event-logs.ts'
import { FOUND, PLAN, PROPERTY, RESULT, START } from '../../session/scripted.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'norn-live-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const targetOf = (name: string): Target => ({
  process: new FileProcess(START),
  file: 'a.fuzz.ts',
  property: { ...PROPERTY, name },
})
const SEARCHED = { seed: 1, strategy: 'portfolio', guide: EVERYTHING, isTimed: true, timeMs: 30_000, runs: undefined }
const GUIDED = { branches: 5, order: 7, classes: 3, corpus: 4, objectives: 2, unstable: 0, lastDiscovery: 321 }
const PROGRESS = { type: 'progress', executions: 500, shrinking: false, guided: GUIDED, elapsedMs: 2000 } as const
const END = { properties: 2, why: '', unloaded: [], interrupted: false, timeMs: 1 }
const RECORD = { endedAt: '2026-01-02T03:04:05.678Z', lines: ['500 executions'], doubts: [], curve: [], counted: '' }

const none: FindPassing = async () => undefined

/** A report of a call of two properties. */
function live(findPassing = none) {
  const targets = [targetOf('first'), targetOf('second')] as const
  const report = new LiveReport(root, 'call', findPassing)
  report.begin({ targets, notRun: [], unloaded: [] })
  const session = (event: SessionEvent) => report.report(event, { ...SEARCHED, target: targets[0] })
  const changes = (since = 0) => report.live(since).changed
  const first = () => changes()[0]![1]
  return { report, targets, session, changes, first }
}

/** A failure as a session reports it. */
function found(target: Target, result: ExecutionResult = RESULT, identity = FOUND.identity) {
  const failure = { ...FOUND, result, identity }
  const origin = { root, commit: () => undefined }
  const file = { saved: savedForm(origin, target, failure), path: '.norn/failures/first.json' }
  return { ...failure, file }
}

/** The same failure, explained. */
function confirmed(target: Target, result: ExecutionResult = RESULT) {
  const explanation = { trace: [], notes: [], origins: new Map() }
  const confirmation = { plan: PLAN, explanation, confirmed: true }
  return { type: 'confirmed', failure: { ...found(target, result), confirmation } } as const
}

describe('the searches', () => {
  it('wait, search, and end with a verdict; one that an interruption left is not run', () => {
    const { report, session, changes } = live()
    const verdicts = () => changes().map(([, { verdict }]) => verdict)
    expect(verdicts()).toEqual(['waiting', 'waiting'])
    session({ type: 'searching' })
    expect([verdicts(), report.live(0).doing]).toEqual([['searching', 'waiting'], 'searching 1 of 2 properties'])
    session({ type: 'ended', verdict: 'undecided' })
    report.end({ ...END, status: STATUS.undecided, verdicts: ['undecided'], interrupted: true })
    expect(verdicts()).toEqual(['inconclusive', 'not run'])
    expect(report.live(0)).toMatchObject({ isOver: true, doing: 'interrupted: 1 inconclusive, 1 not run' })
    expect(report.stays).toBe(true)
  })

  it('leave nothing to read if none was run, and nobody to read after SIGTERM', () => {
    const { report } = live()
    const end = { ...END, status: STATUS.undecided } as const
    report.end({ ...end, verdicts: [] })
    expect(report.stays).toBe(false)
    report.end({ ...end, verdicts: ['passed'], interrupted: true, signal: 'SIGTERM' })
    expect(report.stays).toBe(false)
  })

  it('show their progress: figures, the curve, and facts where there are any', () => {
    const { session, first } = live()
    for (const executions of [1, 100, 300])
      session({ ...PROGRESS, executions, guided: { ...GUIDED, branches: 0, order: executions / 100 } })
    session(PROGRESS)
    expect(first()).toMatchObject({
      share: 2000 / 30_000,
      curve: [
        [0, 0],
        [1, 0.01],
        [100, 1],
        [300, 3],
        [500, 12],
      ],
      counted: 'branches and task orders',
      counts: { executions: 500, failures: 0, covered: 12 },
      lines: [],
    })
    expect(first().figures!.map((figure) => figure.join(' '))).toEqual([
      '500 executions',
      '250 a second',
      '28 s left',
      '12 branches and task orders',
      '321 last discovery',
      '4 in the corpus',
    ])
    session({ ...PROGRESS, interim: { ...NOTHING_RUN, executions: 499, passed: 499, missed: ['seen'] } })
    session(PROGRESS)
    const doubts = ['required note never reached: seen']
    expect(first().lines.slice(0, 2)).toEqual(['by portfolio, seed 1', '499 passed'])
    expect(first().doubts).toEqual(doubts)
  })

  it('tell what is inconclusive or flaky when it happens; the record of the search takes its place', () => {
    const { session, first } = live()
    const report = (frames: { file: string; line: number; column: number; functionName: string }[]) => ({
      ...{ reason: { kind: 'unnamed operation' } as const, stack: '', frames },
    })
    session({ type: 'inconclusive', execution: 3, report: report([]) })
    session({
      ...{ type: 'inconclusive', execution: 3 },
      report: report([{ file: 'a.ts', line: 1, column: 1, functionName: '' }]),
    })
    session({ type: 'flaky', failure: { foundAt: 9, first: RESULT, second: RESULT } })
    expect(first().doubts).toEqual([
      'inconclusive, first in execution 3: uncontrolled: an operation of the real event loop (a.ts:1)',
      'flaky: execution 9 failed (wrong), but its replay differed',
    ])
    const search = {
      ...{ isFailed: false, doubts: ['flaky' as const], summary: { ...NOTHING_RUN, executions: 9 } },
      ...{ findings: [], flaky: [], inconclusive: [], leaks: [], warnings: [], timeMs: 1 },
    }
    session({ type: 'searched', search, verdict: 'undecided' })
    expect(first()).toMatchObject({ verdict: 'inconclusive', doubts: [] })
    expect(first().endedAt).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/)
  })

  it('are sent if they changed after the revision that a page has', () => {
    const { report, session, changes } = live()
    const { revision } = report.live(0)
    expect(changes(revision)).toEqual([])
    session({ type: 'searching' })
    expect(changes(revision).map(([place]) => place)).toEqual([0])
  })

  it('of earlier calls are those recorded before this one', () => {
    const search = JSON.stringify({ ...RECORD, verdict: 'passed' })
    const folder = join(root, '.norn', 'searches')
    mkdirSync(folder, { recursive: true })
    const recorded = (name: string) =>
      writeFileSync(
        join(folder, `${name}.json`),
        `{"format":"norn searches","version":1,"property":"${name}","file":"a.fuzz.ts","searches":[${search}]}`,
      )
    recorded('before')
    const { report } = live()
    recorded('during')
    expect(report.data().campaigns.map(({ property }) => property)).toEqual(['before'])
  })
})

describe('the failures', () => {
  it('are there as soon as they are saved, and have an execution once they are explained', () => {
    const { report, targets, session } = live()
    const { revision } = report.live(0)
    session({ type: 'found', failure: found(targets[0]) })
    expect(report.data().failures).toMatchObject([{ headline: 'wrong', replay: 'found' }])
    expect(report.data().failures[0]!.execution).toBeUndefined()
    expect(report.live(0).data).toBeGreaterThan(revision)
    session(confirmed(targets[0]))
    expect(report.data().failures).toMatchObject([{ replay: 'exact', execution: { rows: [{ isFailure: true }] } }])
  })

  it('that could not be saved name no command', () => {
    const { report, targets, session } = live()
    const failed = found(targets[0])
    session({ type: 'found', failure: { ...failed, file: { ...failed.file, path: undefined } } })
    const [failure] = report.data().failures
    expect(failure!.commands).toEqual([])
    expect(failure!.replayed).toContain('could not be written')
  })

  it('that were saved earlier are told by their replay', () => {
    const { report, targets, session } = live()
    const passed = { ...RESULT, verdict: 'passed', failure: undefined } as const
    const results = [
      { result: RESULT, exact: true },
      { result: RESULT, exact: false },
      { result: passed, exact: false },
      { result: { ...passed, verdict: 'void' }, exact: false },
    ] as const
    const tried = results.map((each, place) => {
      return { ...found(targets[0], RESULT, `${place}`).file, ...each, explanation: undefined }
    })
    session({ type: 'tried', tried, problems: ['x.json: not a failure'] })
    expect(report.data().failures.map(({ replay }) => replay)).toEqual(['exact', 'fails', 'passes', 'inconclusive'])
    expect(report.live(0).changed[0]![1].doubts).toEqual(['x.json: not a failure'])
  })

  it('of clusters get a passing execution, without which they are shown meanwhile', async () => {
    const cluster = { nodes: ['a'], log: [entry('-1@0 start a')], steps: [] }
    const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<FindPassing>>>()
    const { report, targets, session } = live(() => promise)
    session(confirmed(targets[0], { ...RESULT, cluster }))
    expect(report.data().failures[0]!.noPassing).toBe('Norn is looking for a passing execution.')
    const { data } = report.live(0)
    resolve({ dropped: { step: 1, text: 'crash a' }, record: cluster, parting: 0 })
    await promise
    expect(report.data().failures).toMatchObject([{ passing: { change: ['without step 1: crash a'] } }])
    expect(report.live(0).data).toBeGreaterThan(data)
  })

  it('are bounded: of more the page has the number', () => {
    const { report, targets, session } = live()
    for (const type of ['found', 'shrunk'] as const)
      for (let each = 0; each < 203; each++) session({ type, failure: found(targets[0], RESULT, `${each}`) })
    const { failures, unreadable } = report.data()
    expect([failures.length, unreadable]).toEqual([200, ['3 more failures: see norn report']])
  })
})

describe('what a reader asks for', () => {
  const action = { kind: 'shrink', isOver: false, text: 'Shrinking', share: 0.5 } as const

  /** A report with a failure, and the path of its file. */
  function withFailure(findPassing = none, result: ExecutionResult = RESULT) {
    const made = live(findPassing)
    made.session(confirmed(made.targets[0], result))
    const [failure] = made.report.data().failures
    return { ...made, path: failure!.path }
  }

  it('is shown, the latest of each failure', () => {
    const { report, path } = withFailure()
    const { revision } = report.live(0)
    report.tell({ ...action, path })
    expect(report.live(0)).toMatchObject({ actions: [{ path, share: 0.5 }] })
    expect(report.live(0).revision).toBeGreaterThan(revision)
    report.tell({ path, kind: 'shrink', isOver: true, text: 'Shrink: 1-minimal\u001b[2J' })
    expect(report.live(0).actions).toMatchObject([{ isOver: true, text: expect.not.stringContaining('\u001b') }])
  })

  it('is refused for what the page lacks, and for what norn is at', () => {
    const { report, path, session } = withFailure()
    expect([report.refusal('other.json', 'replay'), report.refusal(path, 'replay')]).toEqual([
      'the page has no such failure',
      undefined,
    ])
    session({ type: 'searching' })
    expect(report.refusal(path, 'replay')).toBeUndefined()
    expect(report.refusal(path, 'shrink')).toBe('the search of its property still runs, and may shrink it')
    session({ type: 'ended', verdict: 'failed' })
    expect(report.refusal(path, 'shrink')).toBeUndefined()
    report.tell({ ...action, path })
    expect(report.refusal(path, 'replay')).toBe('norn is at it already')
  })

  it('takes the place of what was shown, also where norn still looks for a passing execution', async () => {
    const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<FindPassing>>>()
    const cluster = { nodes: ['a'], log: [entry('-1@0 start a')], steps: [] }
    const { report, path, targets } = withFailure(() => promise, { ...RESULT, cluster })
    const { saved } = found(targets[0]).file
    report.showReplayed({ path, saved, replay: 'passes', replayed: 'No longer fails.' })
    resolve({ dropped: { step: 1, text: 'crash a' }, record: cluster, parting: 0 })
    await promise
    expect(report.data().failures).toMatchObject([{ replay: 'passes', replayed: 'No longer fails.' }])
  })

  it('a search that shrinks says so', () => {
    const { report, session, first } = live()
    session({ ...PROGRESS, shrinking: true })
    expect([report.live(0).doing, first().isShrinking]).toEqual(['shrinking a failure, 1 of 2 properties', true])
    session(PROGRESS)
    expect([report.live(0).doing, first().isShrinking]).toEqual(['searching 1 of 2 properties', false])
  })
})

it('a file that does not load is named', () => {
  const report = new LiveReport(root, 'call', none)
  const error = new UsageError('cannot load b.fuzz.ts\n  SyntaxError: no')
  report.begin({ targets: [], notRun: [], unloaded: [{ file: 'b.fuzz.ts', error }] })
  expect(report.data().unreadable).toEqual(['b.fuzz.ts does not load: SyntaxError: no'])
})
