/** Executions of one test that are only counted: what fails is shrunk, saved and confirmed later. */
import type { CampaignSummary } from '../../contract/campaign-summary.ts'
import type { Report } from '../../contract/events.ts'
import { NOTHING } from '../../options/guide.ts'
import type { ListedProperty } from '../../process/protocol.ts'
import { WorkerLost } from '../../process/worker.ts'
import { DEFAULT_STRATEGY } from '../../schedule/portfolio.ts'
import type { FileProcess } from '../file-process.ts'

interface Exploring {
  readonly seed: number
  /** Executions, of which the first has the default schedule. */
  readonly runs: number
  /** Real time at most, in milliseconds. */
  readonly timeMs: number
}

/** Runs a test until it fails. The error says that its process was lost. */
export async function exploredWith(
  process: FileProcess,
  property: ListedProperty,
  exploring: Exploring,
  report: Report,
): Promise<{ readonly summary?: CampaignSummary; readonly error?: WorkerLost }> {
  const options = {
    ...exploring,
    ...{ strategy: DEFAULT_STRATEGY, guide: NOTHING, keepGoing: false, shrink: false, skip: 0 },
    ...{ isCold: true, saved: false, cover: [] },
  }
  try {
    return { summary: await process.worker().explore(property, options, report) }
  } catch (error) {
    if (!(error instanceof WorkerLost)) throw error
    process.close()
    return { error }
  }
}
