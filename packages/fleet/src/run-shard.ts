/** Runs a shard with the session of the command line: what it searches, it saves, shrinks and confirms as ever. */
import { join } from 'node:path'
import {
  chooseSearch,
  currentCommit,
  describeReason,
  exactPlan,
  explainOrLose,
  loadConfiguration,
  readFailure,
  runSession,
  savedInputPlan,
  type Target,
  UsageError,
  version,
} from 'norn/internal/session'
import { type FleetCampaign, seedOf } from './campaign.ts'
import { type FoundFile, foundFile } from './found-file.ts'
import type { Shard } from './shard.ts'
import type { Standing } from './standing.ts'

export interface Searched {
  readonly standing: Standing
  readonly isFailed: boolean
  readonly failures: readonly FoundFile[]
  /** Whether the search ran to its end, so that what it left of the corpus is what is needed. */
  readonly isWhole: boolean
}

/** Executions between two looks at what other workers have found, where it has to run here first. */
const POLLED_EVERY = 4

/**
 * @param corpus the folder below which the search keeps its corpus; undefined for none
 * @param found called once a failure is found and saved, before it is shrunk
 */
export async function searchShard(
  target: Target,
  campaign: FleetCampaign,
  shard: Shard,
  corpus: string | undefined,
  found: () => void,
  signal: AbortSignal,
): Promise<Searched> {
  const { root } = target.process.start
  const configuration = loadConfiguration().options
  const { strategy, guide, keepGoing } = campaign
  const flags = { strategy, guide, keepGoing, saved: false }
  const began = performance.now()
  const { verdict, search } = await runSession(
    target,
    {
      ...chooseSearch(target.property.kind, flags, configuration),
      seed: seedOf(campaign, shard.number),
      runs: shard.runs ?? Number.MAX_SAFE_INTEGER,
      timeMs: shard.timeMs,
      workers: 1,
      origin: { root, commit: () => currentCommit(root) },
      ...(corpus === undefined
        ? {}
        : { corpus: { root: corpus, norn: version(), polledEvery: POLLED_EVERY, code: campaign.code } }),
    },
    ({ type }) => type === 'found' && found(),
    signal,
  )
  const { summary, findings, inconclusive, flaky } = search!
  const reasons = [
    ...inconclusive.map(({ report }) => `inconclusive: ${describeReason(report.reason)}`),
    ...flaky.map(({ first }) => `flaky: ${first.failure!.message}`),
    ...findings.flatMap(({ result, file }) =>
      file!.path === undefined ? [`a failure could not be saved: ${result.failure!.message}`] : [],
    ),
  ]
  return {
    standing: { summary, shards: 1, timeMs: performance.now() - began, reasons },
    isFailed: verdict === 'failed',
    failures: findings.flatMap(({ file }) => (file!.path === undefined ? [] : [foundFile(join(root, file!.path))])),
    isWhole: !signal.aborted && summary.failed === 0,
  }
}

/** Whether a failure that another worker found fails here too, with the same trace. @param path its file here */
export async function confirmShard(target: Target, path: string): Promise<boolean> {
  const saved = readFailure(path)
  const { process, property, file } = target
  if (saved.file !== file || saved.property !== property.name)
    throw new UsageError(`${path}: of ${saved.file}, '${saved.property}', not of ${file}, '${property.name}'`)
  const plan = exactPlan(saved, savedInputPlan(path, saved, property))
  const { result } = await explainOrLose(process.worker(), property, plan)
  return result.verdict === 'failed' && result.traceHash === saved.traceHash
}
