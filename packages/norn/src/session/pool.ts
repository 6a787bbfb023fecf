/**
 * Several workers on one property: each runs a campaign from a seed of its own, and they share a
 * corpus on disk.
 *
 * Invariants: a failure that two workers find is reported once, by the first. Unless the search
 * goes on, the first failure ends it for all, as does the first worker that has reached all key
 * frames. What several workers find is not a function of the seed: the machine decides which is
 * first.
 */

import { randomUUID } from 'node:crypto'
import type { CampaignSummary } from '../contract/campaign-summary.ts'
import type { Report, SessionEvent } from '../contract/events.ts'
import { allReached } from '../contract/key-frames.ts'
import type { ExploreOptions } from '../process/protocol.ts'
import { mix } from '../tape/chance.ts'
import { FileProcess } from './file-process.ts'
import { search } from './search.ts'
import { addSummaries } from './summaries.ts'
import type { Target } from './targets.ts'

/** Executions between two looks at what the others have found, where it has to run here first. */
const POLLED_EVERY = 16

/** Searches a target with several processes, of which the first is the one that listed it. */
export async function searchTogether(
  { process: first, property }: Pick<Target, 'process' | 'property'>,
  options: ExploreOptions,
  report: Report,
  signal: AbortSignal | undefined,
  workers: number,
): Promise<CampaignSummary> {
  if (workers === 1) return search(first, property, options, report, signal)
  // All run the same code, so they can use the metadata of each other's entries.
  const corpus = options.corpus && { ...options.corpus, code: randomUUID(), polledEvery: POLLED_EVERY }
  const stops = Array.from({ length: workers }, () => new AbortController())
  const stopAll = () => {
    for (const stop of stops) stop.abort()
  }
  signal?.addEventListener('abort', stopAll)
  if (signal?.aborted) stopAll()
  /** The worker that found a failure first, by its fingerprint. */
  const finders = new Map<string, number>()
  const executions = stops.map(() => 0)
  const interim = new InterimSum(workers)
  try {
    const summaries = await Promise.all(
      stops.map(async (stop, worker) => {
        const runs = shareOf(options.runs, workers, worker)
        if (runs === 0) return undefined
        const own = { ...options, ...(corpus && { corpus }), runs, seed: seedOf(options.seed, worker), alone: false }
        const file = worker === 0 ? first : new FileProcess(first.start, first.fresh)
        try {
          const summary = await search(file, property, own, reportOf(worker), stop.signal)
          if (allReached(summary.frames ?? [])) stopAllBut(worker)
          return summary
        } finally {
          if (file !== first) file.close()
        }
      }),
    )
    const ran = summaries.filter((summary) => summary !== undefined)
    return counted(ran.reduce(addSummaries))
  } finally {
    signal?.removeEventListener('abort', stopAll)
    // An error in one worker ends the others.
    stopAll()
  }

  /** Workers count what they find each for itself. */
  function counted<Sum extends CampaignSummary | undefined>(sum: Sum): Sum {
    return sum && { ...sum, distinctFailures: Math.min(sum.distinctFailures, finders.size) }
  }

  function stopAllBut(worker: number): void {
    for (const [other, stop] of stops.entries()) if (other !== worker) stop.abort()
  }

  function reportOf(worker: number) {
    return (event: SessionEvent): void => {
      switch (event.type) {
        case 'progress':
          executions[worker] = event.executions
          report({
            ...event,
            executions: executions.reduce((sum, each) => sum + each),
            interim: event.interim && counted(interim.add(worker, event.interim)),
          })
          return
        case 'found': {
          const { identity } = event.failure
          if (!finders.has(identity)) finders.set(identity, worker)
          if (finders.get(identity) !== worker) return
          report(event)
          if (!options.keepGoing) stopAllBut(worker)
          return
        }
        case 'shrunk':
        case 'confirmed':
          if (finders.get(event.failure.identity) === worker) report(event)
          return
        default:
          report(event)
      }
    }
  }
}

/**
 * The sum of what workers have summarised so far. Adding up takes long where much was seen, so it waits
 * for all of them, or for one to come twice: another may have ended.
 */
class InterimSum {
  readonly #latest: (CampaignSummary | undefined)[]
  readonly #fresh = new Set<number>()

  constructor(workers: number) {
    this.#latest = new Array(workers)
  }

  add(worker: number, summary: CampaignSummary): CampaignSummary | undefined {
    const isSecond = this.#fresh.has(worker)
    this.#fresh.add(worker)
    this.#latest[worker] = summary
    if (!isSecond && this.#fresh.size < this.#latest.length) return undefined
    this.#fresh.clear()
    return this.#latest.filter((each) => each !== undefined).reduce(addSummaries)
  }
}

/** Runs of one worker: equal shares, the first ones one more. */
function shareOf(runs: number, workers: number, worker: number): number {
  return Math.floor(runs / workers) + (worker < runs % workers ? 1 : 0)
}

/** The first worker has the seed that was asked for. */
function seedOf(seed: number, worker: number): number {
  return worker === 0 ? seed : mix(seed ^ mix(worker))
}
