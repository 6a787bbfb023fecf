/**
 * `norn replay FAILURE`: runs a saved failure again.
 *
 * Over the same code that is exact, and the trace says so. Over changed code the choices follow their labels; if the
 * failure is not seen, its neighbourhood is tried before it is called gone.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ExecutionResult, InputPlan } from '../explore/execution.ts'
import { identity } from '../explore/identity.ts'
import { neighbourhood } from '../explore/neighbourhood.ts'
import { FailureFileError, readFailure, rootOf, type SavedFailure } from '../property/failure-file.ts'
import type { Explanation, ListedProperty } from '../property/protocol.ts'
import { Worker, type WorkerOptions } from '../property/worker.ts'
import { failureText } from '../report/failure.ts'
import { terminalStyle } from '../report/style.ts'
import { UNBOUNDED } from '../tape/tape.ts'
import { type ExitStatus, STATUS, UsageError } from './exit-status.ts'
import { resolveAliases, resultFields, voidText } from './fuzz.ts'

export interface ReplayCommandOptions {
  readonly inspect: boolean
  readonly alias: readonly (readonly [string, string])[]
  readonly json: boolean
}

/** Executions tried around a failure that is not seen any more. */
const NEIGHBOURS = 200

/** A saved failure, opened: where it runs, and as which property. */
export interface OpenFailure {
  readonly saved: SavedFailure
  readonly start: WorkerOptions
  readonly property: ListedProperty
  readonly input: InputPlan
}

/** Reads a failure and finds its property in its file; throws errors that name what does not fit. */
export async function openFailure(path: string, aliases: ReplayCommandOptions['alias']): Promise<OpenFailure> {
  const saved = readFailure(path)
  const root = rootOf(path)
  const file = join(root, saved.file)
  if (!existsSync(file))
    throw new FailureFileError(path, `its file of properties, ${saved.file}, is not there (looked in ${root})`)
  const merged = new Map([...saved.aliases, ...resolveAliases(aliases, root)])
  const start: WorkerOptions = { file, root, aliases: [...merged] }
  const worker = new Worker(start)
  try {
    const properties = await worker.list()
    const property = properties.find(({ name }) => name === saved.property)
    if (property === undefined) {
      const names = properties.map(({ name }) => `'${name}'`).join(', ')
      throw new UsageError(
        `${saved.file} declares no property '${saved.property}' any more; it declares ${names || 'none'}`,
      )
    }
    const input: InputPlan = saved.input === undefined ? { from: 'tape' } : { from: 'saved', input: saved.input }
    return { saved, start, property, input }
  } finally {
    worker.close()
  }
}

export async function replayCommand(path: string, options: ReplayCommandOptions): Promise<ExitStatus> {
  const opened = await openFailure(path, options.alias)
  const { start, property } = opened
  const worker = new Worker({ ...start, inspect: options.inspect })
  const style = terminalStyle()
  const say = (text: string) => {
    if (!options.json) console.log(text)
  }
  try {
    const { result, explanation } = await follow(opened, worker)
    const outcome = await judge(opened, worker, result, explanation, options.inspect)
    if (options.json) {
      console.log(
        JSON.stringify({ type: 'replay', property: property.name, ...outcome.fields, ...resultFields(outcome.result) }),
      )
    }
    if (outcome.result.verdict === 'failed') {
      const { result, explanation, found } = outcome
      say(failureText({ property: property.name, result, explanation, found, commands: [] }, style))
    } else if (outcome.result.verdict === 'void') {
      say(voidText(property.name, outcome.result.voided!, style))
    } else
      say(
        `${outcome.status === STATUS.passed ? style.good('✓') : style.late('?')} ${property.name}\n  ${outcome.found}`,
      )
    return outcome.status
  } finally {
    worker.close()
  }
}

/**
 * Replays the saved choices. The tape ends where it ended then; over changed code that may be before an operation that
 * was late, so if some were not met it is followed once more without an end.
 */
async function follow({ saved, property, input }: OpenFailure, worker: Worker) {
  const exact = await worker.explain(property, { input, choices: { from: 'record', choices: saved.choices } })
  const { verdict, following } = exact.result
  if (verdict !== 'passed' || following!.followed === following!.recorded) return exact
  const choices = { ...saved.choices, length: UNBOUNDED }
  return worker.explain(property, { input, choices: { from: 'record', choices } })
}

interface Outcome {
  readonly status: ExitStatus
  readonly result: ExecutionResult
  readonly explanation: Explanation | undefined
  /** What happened, in a sentence. */
  readonly found: string
  readonly fields: Record<string, unknown>
}

async function judge(
  { saved, property, input }: OpenFailure,
  worker: Worker,
  result: ExecutionResult,
  explanation: Explanation,
  inspecting: boolean,
): Promise<Outcome> {
  const { recorded, followed } = result.following!
  const following = `followed ${followed} of ${recorded} recorded choices`
  const exact = result.traceHash === saved.traceHash
  const fields = { exact, recorded, followed, neighbours: 0 }
  if (result.verdict === 'failed') {
    const same = identity(result.failure!) === saved.identity
    const how = exact
      ? `replayed exactly: the same trace, ${result.traceHash}`
      : `the trace is another, but it still fails; ${following}`
    const found = same
      ? how
      : `${how}; it fails in another way than was saved (${saved.failure.message.split('\n')[0]})`
    return { status: STATUS.failed, result, explanation, found, fields }
  }
  if (result.verdict === 'void') return { status: STATUS.undecided, result, explanation, found: following, fields }
  if (inspecting) return { status: STATUS.passed, result, explanation, found: `passes now; ${following}`, fields }
  let tried = 0
  for (const plan of neighbourhood(input, saved.choices, result, NEIGHBOURS)) {
    tried++
    const near = await worker.execute(property, plan)
    if (near.verdict !== 'failed') continue
    const shown = await worker.explain(property, {
      input: plan.input,
      choices: { from: 'record', choices: near.choices! },
    })
    const found = `the recorded schedule passes now (${following}), but execution ${tried} of its neighbourhood fails`
    const { result, explanation } = shown
    return { status: STATUS.failed, result, explanation, found, fields: { ...fields, neighbours: tried } }
  }
  const couldFollow = followed === recorded
  const found = couldFollow
    ? `gone: ${following}, and it passes; so do ${tried} executions of its neighbourhood`
    : `not seen, but not surely gone: ${following}; ${tried} executions of its neighbourhood pass`
  const status = couldFollow ? STATUS.passed : STATUS.undecided
  return { status, result, explanation, found, fields: { ...fields, neighbours: tried } }
}
