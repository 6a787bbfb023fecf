/**
 * Examines one program of the suite in norn: its corrected form must pass conclusively under every
 * schedule tried, and its planted race must be found.
 */
import { describeReason } from '../../packages/norn/src/contract/inconclusive.ts'
import { CAMPAIGN, type ListedProperty, RequestRefused, type SessionEvent, Worker, WorkerLost } from '../engine.ts'
import { ROOT } from '../subjects/catalogue.ts'

export type State = 'works' | 'inconclusive' | 'wrong'

export interface Outcome {
  readonly state: State
  /** One line: why it does not work. */
  readonly why?: string
  /** The execution that found the planted race. */
  readonly foundAt?: number
  /** Executions of the corrected program that passed. */
  readonly passed: number
  /** What passing executions leave behind. */
  readonly leaves: readonly string[]
}

export interface Effort {
  /** Executions of the corrected program. */
  readonly runs: number
  /** Native addons that may load. */
  readonly allowedAddons: readonly string[]
  /** Executions in which the planted race must be found. */
  readonly searches: number
}

export async function examine(file: string, { runs, searches, allowedAddons }: Effort): Promise<Outcome> {
  const worker = new Worker({ file, root: ROOT, aliases: [], allowedAddons })
  const nothing = { passed: 0, leaves: [] }
  try {
    const [corrected, planted] = await worker.list()
    const correct = await campaign(worker, corrected!, runs)
    const { passed, leaves } = correct
    if (correct.problem !== undefined) return { ...correct.problem, passed, leaves }
    if (passed !== runs) return { state: 'wrong', why: `${passed} of ${runs} executions passed`, passed, leaves }
    if (planted === undefined) return { state: 'wrong', why: 'no race is planted', passed, leaves }
    const search = await campaign(worker, planted, searches)
    if (search.problem?.state === 'inconclusive') return { ...search.problem, passed, leaves }
    if (!search.isAssertion) {
      const why = search.problem?.why ?? `not found in ${searches} executions`
      return { state: 'wrong', why: `the planted race: ${why}`, passed, leaves }
    }
    return { state: 'works', foundAt: search.foundAt!, passed, leaves }
  } catch (error) {
    if (error instanceof WorkerLost) return { state: 'wrong', why: line(error.message), ...nothing }
    if (!(error instanceof RequestRefused)) throw error
    return { state: error.why === 'void' ? 'inconclusive' : 'wrong', why: line(error.message), ...nothing }
  } finally {
    worker.close()
  }
}

interface Campaign {
  readonly passed: number
  readonly leaves: readonly string[]
  /** Why not all executions passed. */
  problem?: { readonly state: Exclude<State, 'works'>; readonly why: string }
  foundAt?: number
  /** Whether it failed as a planted race does: by an assertion of the property. */
  isAssertion?: boolean
}

/** Ends at the first execution that does not pass. */
async function campaign(worker: Worker, property: ListedProperty, runs: number): Promise<Campaign> {
  const found: Omit<Campaign, 'passed' | 'leaves'> = {}
  const leaves = new Set<string>()
  const onEvent = (event: SessionEvent) => {
    if (event.type === 'leaked') leaves.add(event.report.what)
    if (event.type === 'inconclusive') {
      found.problem ??= { state: 'inconclusive', why: line(describeReason(event.report.reason)) }
      worker.stop()
    }
    if (event.type === 'found') {
      const { kind, errorName, message } = event.failure.result.failure!
      found.problem ??= { state: 'wrong', why: line(`${kind}: ${errorName}: ${message}`) }
      found.foundAt ??= event.failure.foundAt
      found.isAssertion ??= kind === 'error' && errorName === 'AssertionError'
    }
    if (event.type === 'flaky') {
      const { kind, message } = event.failure.first.failure!
      found.problem ??= { state: 'wrong', why: line(`failed once, and not again: ${kind}: ${message}`) }
    }
  }
  const { passed } = await worker.explore(property, { ...CAMPAIGN, runs, keepGoing: false }, onEvent)
  return { ...found, passed, leaves: [...leaves] }
}

const LONGEST = 160

/** The text on one line, cut. */
function line(text: string): string {
  const flat = text.replace(/\s+/g, ' ').trim()
  return flat.length > LONGEST ? `${flat.slice(0, LONGEST)}…` : flat
}
