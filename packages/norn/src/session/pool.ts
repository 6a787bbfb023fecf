/**
 * Several workers on one property: each runs a campaign of its own, from a seed of its own, and they share what they come
 * upon through the corpus on disk.
 *
 * Invariants: a failure that two of them find is told of once, by the one that was first; unless the search is to go on,
 * the first failure ends it for all, as does the first who has reached all key frames that were asked for. What several workers find is no function of the seed: which of them is first, and what
 * one learns from another, depends on the machine.
 */

import { allReached } from '../contract/key-frames.ts'
import type { ExploreOptions, ListedProperty } from '../process/protocol.ts'
import type { WorkerOptions } from '../process/worker.ts'
import type { CampaignSummary } from '../search/campaign.ts'
import { mix } from '../tape/chance.ts'
import { addSummaries, type HuntObserver, hunt } from './search.ts'

export async function huntTogether(
  start: WorkerOptions,
  property: ListedProperty,
  options: ExploreOptions,
  observer: HuntObserver,
  signal: AbortSignal,
  workers: number,
): Promise<CampaignSummary> {
  if (workers === 1) return hunt(start, property, options, observer, signal)
  const stops = Array.from({ length: workers }, () => new AbortController())
  const stopAll = () => {
    for (const stop of stops) stop.abort()
  }
  signal.addEventListener('abort', stopAll)
  if (signal.aborted) stopAll()
  /** Who found a failure first, by its identity. */
  const finders = new Map<string, number>()
  const executions = stops.map(() => 0)
  try {
    const summaries = await Promise.all(
      stops.map(async (stop, worker) => {
        const runs = shareOf(options.runs, workers, worker)
        if (runs === 0) return undefined
        const own: ExploreOptions = { ...options, runs, seed: seedOf(options.seed, worker), alone: false }
        const summary = await hunt(start, property, own, observerOf(worker), stop.signal)
        if (allReached(summary.frames ?? [])) stopAllBut(worker)
        return summary
      }),
    )
    const ran = summaries.filter((summary) => summary !== undefined)
    const total = ran.reduce(addSummaries)
    return { ...total, distinctFailures: Math.min(total.distinctFailures, finders.size) }
  } finally {
    signal.removeEventListener('abort', stopAll)
    // Where one could not go on, nobody waits for the others any more.
    stopAll()
  }

  function stopAllBut(worker: number): void {
    for (const [other, stop] of stops.entries()) if (other !== worker) stop.abort()
  }

  function observerOf(worker: number): HuntObserver {
    return {
      ...observer,
      progress: (count, shrinking, guided, frames) => {
        executions[worker] = count
        observer.progress(
          executions.reduce((sum, each) => sum + each),
          shrinking,
          guided,
          frames,
        )
      },
      found: (failure, input) => {
        if (!finders.has(failure.identity)) finders.set(failure.identity, worker)
        if (finders.get(failure.identity) !== worker) return
        observer.found(failure, input)
        if (!options.keepGoing) stopAllBut(worker)
      },
      finding: (finding) => {
        if (finders.get(finding.found.identity) === worker) observer.finding(finding)
      },
    }
  }
}

/** How many of the runs a worker gets: equal parts, the first ones one more. */
function shareOf(runs: number, workers: number, worker: number): number {
  return Math.floor(runs / workers) + (worker < runs % workers ? 1 : 0)
}

/** The first worker has the seed that was asked for. */
function seedOf(seed: number, worker: number): number {
  return worker === 0 ? seed : mix(seed ^ mix(worker))
}
