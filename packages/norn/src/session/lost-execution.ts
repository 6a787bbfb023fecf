/**
 * Executions that end their process: a hang, a crash, a lack of memory. Each is a finding. Its
 * choices come from the journal of a second run in a fresh process.
 */

import { UNBOUNDED } from '../contract/choices.ts'
import type { FoundFailure } from '../contract/events.ts'
import type { ExecutionResult, FailureKind } from '../contract/execution.ts'
import type { Explained } from '../contract/explanation.ts'
import { fingerprint } from '../contract/fingerprint.ts'
import type { Plan } from '../contract/plan.ts'
import { type JournalRecord, readJournal } from '../process/journal.ts'
import type { FlightRecord, ListedProperty } from '../process/protocol.ts'
import { type Loss, type Worker, WorkerLost } from '../process/worker.ts'
import { provenance } from '../search/provenance.ts'

/** As `Worker.execute`; a lost process is a result. */
export async function executeOrLose(worker: Worker, property: ListedProperty, plan: Plan): Promise<ExecutionResult> {
  try {
    return await worker.execute(property, plan)
  } catch (error) {
    if (!(error instanceof WorkerLost)) throw error
    return lossResult(error)
  }
}

/** As `Worker.explain`; a process lost before any execution began is an error. */
export async function explainOrLose(
  worker: Worker,
  property: ListedProperty,
  plan: Plan,
  inspect = false,
): Promise<Explained> {
  try {
    return await worker.explain(property, plan, inspect)
  } catch (error) {
    if (!(error instanceof WorkerLost) || error.flight === undefined) throw error
    return { result: lossResult(error), explanation: undefined }
  }
}

export interface LostExecution {
  readonly type: 'lost'
  /** Confirmed if a fresh process was lost in the same way. */
  readonly failure: FoundFailure & Required<Pick<FoundFailure, 'confirmation'>>
}

/** An execution that was ended for a hang or for its memory, and ends by itself in a fresh process. */
export interface EndingExecution {
  readonly type: 'slow' | 'filled'
  readonly result: ExecutionResult
  /** Why it was ended. */
  readonly message: string
}

const EMPTY_JOURNAL: JournalRecord = { inputText: '', faults: [], lanes: { input: [], schedule: [], fault: [] } }

/**
 * Runs a lost execution again in a fresh process, with a journal.
 *
 * @param startFresh its limit of time is longer than the one that was exceeded
 */
export async function lostExecution(
  startFresh: () => Worker,
  property: ListedProperty,
  loss: WorkerLost,
  flight: FlightRecord,
  seed: number,
): Promise<LostExecution | EndingExecution> {
  const again = await runAgain(startFresh, property, loss, flight.plan)
  if (loss.how !== 'crash' && again.result !== undefined) {
    const type = loss.how === 'hang' ? 'slow' : 'filled'
    return { type, result: again.result, message: loss.message }
  }
  const { journal } = again
  const { inputText, faults, lanes } = journal ?? EMPTY_JOURNAL
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
  const failure = {
    identity: fingerprint(result.failure!),
    result,
    // A process that dies while it warms up runs the same execution as the first.
    foundAt: Math.max(1, flight.execution),
    seed,
    ...provenance(flight.plan),
    planned: input,
    shrinking: undefined,
    confirmation: { plan, explanation: undefined, confirmed: journal !== undefined },
  }
  return { type: 'lost', failure }
}

const LOSSES: readonly FailureKind[] = ['hang', 'out of memory', 'crash'] satisfies Loss[]

/** Whether a failure of this kind ends its process. */
export function isLoss(kind: FailureKind): kind is Loss {
  return LOSSES.includes(kind)
}

/** The result of an execution that ended its process. */
export function lossResult(loss: WorkerLost): ExecutionResult & Required<Pick<ExecutionResult, 'failure'>> {
  const [message = ''] = loss.message.split('\n')
  return {
    verdict: 'failed',
    failure: { kind: loss.how, errorName: 'Error', message, stack: loss.message, frames: loss.frames },
    traceHash: '',
    inputChoices: 0,
    points: 0,
    chains: 0,
    durationUs: 0,
    output: '',
  }
}

/** How a plan's execution ended this time: its journal if in the same way, its result if it did not end its process. */
async function runAgain(
  startFresh: () => Worker,
  property: ListedProperty,
  loss: WorkerLost,
  plan: Plan,
): Promise<{ readonly journal?: JournalRecord | undefined; readonly result?: ExecutionResult }> {
  const worker = startFresh()
  const path = worker.scratchFile('choices.jsonl')
  try {
    return { result: await worker.execute(property, plan, { journal: path }) }
  } catch (error) {
    if (!(error instanceof WorkerLost)) throw error
    return error.how === loss.how ? { journal: readJournal(path) } : {}
  } finally {
    worker.close()
  }
}
