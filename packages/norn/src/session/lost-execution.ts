/**
 * Makes a finding of an execution that hung or killed its process, by running it again in a fresh process with its
 * input and choices written out as they are drawn.
 */

import { UNBOUNDED } from '../contract/choices.ts'
import type { ExecutionResult } from '../contract/execution.ts'
import { identity } from '../contract/fingerprint.ts'
import type { Plan } from '../contract/plan.ts'
import { type JournalRecord, readJournal } from '../process/journal.ts'
import type { FlightRecord, ListedProperty } from '../process/protocol.ts'
import { type Loss, Worker, WorkerLost, type WorkerOptions } from '../process/worker.ts'
import type { FoundFailure } from '../search/campaign.ts'
import { provenance } from '../search/provenance.ts'

export interface LostExecution {
  readonly found: FoundFailure
  /** The plan that replays it. */
  readonly plan: Plan
  /** Whether a fresh process was lost in the same way. */
  readonly confirmed: boolean
}

const NOTHING_NOTED: JournalRecord = { inputText: '', faults: [], lanes: { input: [], schedule: [], fault: [] } }

export async function lostExecution(
  start: WorkerOptions,
  property: ListedProperty,
  loss: WorkerLost,
  flight: FlightRecord,
  seed: number,
): Promise<LostExecution> {
  const journal = await runAgain(start, property, loss, flight.plan)
  const { inputText, faults, lanes } = journal ?? NOTHING_NOTED
  const choices = { ...lanes, length: UNBOUNDED }
  const { input } = flight.plan
  const plan: Plan = journal === undefined ? flight.plan : { input, choices: { from: 'record', choices } }
  const result: ExecutionResult = {
    ...lossResult(loss),
    choices,
    inputText,
    inputChoices: lanes.input.length,
    points: lanes.schedule.length,
    ...(faults.length === 0 ? {} : { faultPoints: lanes.fault.length, faults }),
    ...(input.from === 'saved' ? { input: input.input } : {}),
  }
  const found: FoundFailure = {
    identity: identity(result.failure!),
    result,
    // What dies while it warms up dies in the first execution: they are the same.
    foundAt: Math.max(1, flight.execution),
    seed,
    ...provenance(flight.plan),
    shrinking: undefined,
  }
  return { found, plan, confirmed: journal !== undefined }
}

const LOSSES: readonly string[] = ['hang', 'out of memory', 'crash'] satisfies Loss[]

/** Whether a failure of this kind takes its process with it. */
export function isLoss(kind: string): kind is Loss {
  return LOSSES.includes(kind)
}

/** What is known of an execution that took its process with it. */
export function lossResult(loss: WorkerLost): ExecutionResult & Required<Pick<ExecutionResult, 'failure'>> {
  const [message = ''] = loss.message.split('\n')
  return {
    verdict: 'failed',
    failure: { kind: loss.how, errorName: 'Error', message, stack: loss.message, frames: [] },
    traceHash: '',
    inputChoices: 0,
    points: 0,
    chains: 0,
    durationUs: 0,
    output: '',
  }
}

/** The journal of a plan's execution, if that is lost as it was before. */
async function runAgain(
  start: WorkerOptions,
  property: ListedProperty,
  loss: WorkerLost,
  plan: Plan,
): Promise<JournalRecord | undefined> {
  const worker = new Worker(start)
  const path = worker.scratchFile('choices.jsonl')
  try {
    await worker.execute(property, plan, path)
    return undefined
  } catch (error) {
    if (!(error instanceof WorkerLost)) throw error
    return error.how === loss.how ? readJournal(path) : undefined
  } finally {
    worker.close()
  }
}
