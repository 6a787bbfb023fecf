/** Workers that are scripts: sessions over them start no process. */

import type { CampaignSummary, ExecutionCounts } from '../../src/contract/campaign-summary.ts'
import type { FoundFailure, SessionEvent } from '../../src/contract/events.ts'
import type { ExecutionResult } from '../../src/contract/execution.ts'
import type { Plan } from '../../src/contract/plan.ts'
import type { ExploreOptions, ListedProperty } from '../../src/process/protocol.ts'
import { type Loss, type Worker, WorkerLost, type WorkerOptions } from '../../src/process/worker.ts'
import { FileProcess } from '../../src/session/file-process.ts'
import { NOTHING_RUN } from '../../src/session/summaries.ts'

export const START: WorkerOptions = { file: '/here/a.fuzz.ts', root: '/here', aliases: [] }
export const PROPERTY: ListedProperty = { name: 'p', mode: 'run', examples: 0, inputs: [], options: {} }
export const OPTIONS: ExploreOptions = {
  ...{ seed: 1, strategy: 'random', runs: 100, timeMs: 60_000, keepGoing: true, shrink: false, skip: 0 },
}
export const PLAN: Plan = {
  input: { from: 'tape' },
  choices: { from: 'record', choices: { input: [], schedule: [], fault: [], length: 1 } },
}
const FAILURE = { kind: 'error', errorName: 'Error', message: 'wrong', stack: '', frames: [] } as const
export const RESULT: ExecutionResult = {
  verdict: 'failed',
  failure: FAILURE,
  choices: { input: [], schedule: [], fault: [], length: 1 },
  ...{ traceHash: 'abc', inputChoices: 0, points: 0, chains: 0, durationUs: 0, output: '' },
}
export const FOUND: FoundFailure = {
  ...{ identity: 'error|Error|wrong', result: RESULT, foundAt: 1, seed: 1, strategy: 'random' },
  ...{ name: undefined, planned: { from: 'tape' }, shrinking: undefined },
}

type Emit = (event: SessionEvent) => void
/** @param stopped settles when the worker is asked to stop */
export type Explore = (options: ExploreOptions, emit: Emit, stopped: Promise<void>) => Promise<Partial<CampaignSummary>>

/** What scripted workers do beside exploring. */
interface Answers {
  readonly start?: WorkerOptions
  /** The properties of each file. */
  readonly list?: (options: WorkerOptions) => Promise<readonly ListedProperty[]>
  readonly execute?: Worker['execute']
  readonly explain?: Worker['explain']
  readonly scratchFile?: string
}

const explains = async () => ({ result: RESULT, explanation: { trace: [], notes: [], origins: new Map() } })

/**
 * A file whose workers explore as the scripts say, one script a worker; the last goes on for all
 * that follow.
 */
export function scripted(scripts: readonly Explore[], answers: Answers = {}) {
  const explored: ExploreOptions[] = []
  const workers: { closed: boolean }[] = []
  const fresh = (options: WorkerOptions) => {
    const script = scripts[Math.min(workers.length, scripts.length - 1)]!
    const { promise: stopped, resolve: stop } = Promise.withResolvers<void>()
    const worker = {
      ended: false,
      closed: false,
      isFilling: false,
      scratchFile: () => answers.scratchFile ?? '/nowhere',
      list: async () => (answers.list === undefined ? [PROPERTY] : answers.list(options)),
      async explore(_: ListedProperty, options: ExploreOptions, emit: Emit) {
        explored.push(options)
        try {
          return { ...NOTHING_RUN, ...(await script(options, emit, stopped)) }
        } catch (error) {
          worker.ended = true
          throw error
        }
      },
      execute: answers.execute ?? (async () => RESULT),
      explain: answers.explain ?? explains,
      stop,
      close() {
        worker.ended = true
        worker.closed = true
      },
    }
    workers.push(worker)
    return worker as unknown as Worker
  }
  const events: SessionEvent[] = []
  const report = (event: SessionEvent) => void events.push(event)
  const file = new FileProcess(answers.start ?? START, fresh)
  return { file, fresh, explored, events, report, workers }
}

export const passes: Explore = async ({ runs }) => ({ executions: runs, passed: runs })

export const dies =
  (execution: number, counts?: ExecutionCounts, how: Loss = 'crash'): Explore =>
  async () => {
    throw new WorkerLost(how, 'the process died', { sequence: execution, execution, plan: PLAN, counts })
  }

export const finds: Explore = async ({ seed, runs }, emit) => {
  emit({ type: 'found', failure: { ...FOUND, seed } })
  return { executions: runs, failed: 1, distinctFailures: 1 }
}
