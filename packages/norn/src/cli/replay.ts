/**
 * `norn replay FAILURE`: runs a saved failure again.
 *
 * Over the same code the replay is exact: the trace is the same. Over changed code the choices
 * follow their labels; if that passes, similar executions are tried before the verdict.
 */

import { print, printError } from '#shared/print'
import { passedOver } from '../contract/cluster-record.ts'
import { type ExecutionResult, type FailureReport, isOwn } from '../contract/execution.ts'
import type { Explained } from '../contract/explanation.ts'
import { fingerprint, messageShape } from '../contract/fingerprint.ts'
import type { SavedFailure } from '../contract/saved-failure.ts'
import { plural } from '../contract/text.ts'
import { isRenumbered } from '../domains/cluster/search/step-list.ts'
import { domainOf } from '../domains/domains.ts'
import { text, toggle, yesOrNo } from '../options/kinds.ts'
import { flag, type Named, type OptionTable } from '../options/option.ts'
import type { RunFlags } from '../options/table.ts'
import { startWorker } from '../process/worker.ts'
import { excerptOf } from '../report/excerpt.ts'
import { failureText, stepsText } from '../report/failure.ts'
import { inconclusiveText } from '../report/inconclusive.ts'
import { resultFields, stepFields } from '../report/json.ts'
import { localsText, type Variables } from '../report/locals.ts'
import { printableLine } from '../report/printable.ts'
import { terminalStyle } from '../report/style.ts'
import { neighbourhood } from '../search/neighbourhood.ts'
import { exactPlan, follow } from '../session/follow.ts'
import { executeOrLose, explainOrLose, isLoss } from '../session/lost-execution.ts'
import { comparedWithPassing } from '../session/nearest.ts'
import { reproduce, reproducedText } from '../session/reproduction.ts'
import { type ExitStatus, STATUS } from './exit-status.ts'
import type { OneLineFlags } from './flags.ts'
import { exitOnSignal } from './interruption.ts'
import { type OpenFailure, openFailure } from './open-failure.ts'
import { drawInto } from './picture.ts'
import { stockOutcome } from './stock-script.ts'

export const REPLAY_OPTIONS = {
  inspect: flag(toggle, '--inspect', 'open the debugger on the failing execution'),
  locals: flag(toggle, '--locals', 'print the variables of the calls at the failing line', {
    meaning: 'print the [variables](replay-and-shrink.md#variables) of the calls at the line that fails',
  }),
  all: flag(toggle, '--all', 'print every step of the execution', {
    meaning: '[print every step](replay-and-shrink.md#every-step) of the execution',
    default: 'long executions are cut',
  }),
  script: flag(toggle, '--script', 'print the failure as a script for stock Node, if it fails there', {
    meaning:
      'print the failure as a [script for stock Node](replay-and-shrink.md#on-stock-node), which has been run there',
  }),
  svg: flag(text, '--svg <file>', 'write a diagram of the execution to this file'),
  openAnywhere: flag(
    yesOrNo,
    '--open-anywhere',
    'allow a failure that was found with --open-anywhere to connect to other machines',
    { default: 'this machine only' },
  ),
} satisfies OptionTable

export type ReplayFlags = Named<typeof REPLAY_OPTIONS> & RunFlags & OneLineFlags

/** Similar executions that are tried if the replay passes, and the real time for them, in milliseconds. */
const NEIGHBOURS = 200
const NEIGHBOURS_MS = 10_000

export async function replayCommand(named: string, options: ReplayFlags): Promise<ExitStatus> {
  const exiting = exitOnSignal()
  const opened = await openFailure(named, options)
  const { worker, property, root, saved } = opened
  const style = terminalStyle()
  const say = (text: string) => {
    if (!options.json) print(text)
  }
  try {
    const isOpen = saved.open !== undefined && !options.inspect
    const onPassing = (following: string) => {
      if (!options.json) printError(`passes now: ${printableLine(following)}. Trying similar executions`)
    }
    const outcome = isOpen ? await repeated(opened) : await replayed(opened, options.inspect, onPassing)
    const { result, found, status, fields, explanation } = outcome
    if (options.script) {
      const { script, reproduces, text } = await stockOutcome(opened, outcome)
      if (script !== undefined) print(script.trimEnd())
      printError(`norn: ${printableLine(text)}`)
      return reproduces ? STATUS.passed : STATUS.undecided
    }
    const isFailed = result.verdict === 'failed'
    const variables = options.locals && isFailed ? await variablesOf(opened, result) : undefined
    if (options.json) {
      const steps = explanation === undefined ? {} : stepFields(explanation)
      const line = {
        type: 'replay',
        property: property.name,
        ...fields,
        ...resultFields(result),
        ...steps,
        ...variables,
      }
      print(JSON.stringify(line))
    }
    if (isFailed) {
      const shown = { property: property.name, result, explanation, all: options.all, found, commands: [] }
      const inputTitle = saved.shrunk ? 'smallest input' : 'input'
      const excerpt = [
        ...excerptOf(result, root, style),
        ...(variables === undefined ? [] : localsText(variables, style)),
      ]
      say(failureText({ ...shown, inputTitle, excerpt }, style))
    } else if (result.voided !== undefined) {
      say(inconclusiveText(property.name, result.voided, style))
    } else {
      const mark = status === STATUS.passed ? style.good('✓') : style.warning('?')
      say(`${mark} ${printableLine(property.name)}\n  ${printableLine(found)}`)
      if (options.all) say(stepsText(result, explanation, style))
    }
    if (options.svg !== undefined) {
      drawInto(options.svg, { property: property.name, result, explanation })
      say(style.dim(`diagram: ${printableLine(options.svg)}`))
    }
    return status
  } finally {
    worker.close()
    exiting.ignore()
  }
}

/** The variables where a failure is thrown, from an execution in a process of its own; or why there are none. */
async function variablesOf(
  { saved, start, property, input }: OpenFailure,
  result: ExecutionResult,
): Promise<Variables> {
  const thrown = result.failure!.frames.find(isOwn)
  if (thrown === undefined) return { noLocals: 'the failure is not thrown by a line of the project' }
  if (isLoss(result.failure!.kind)) return { noLocals: 'the execution ends its process' }
  if (saved.open !== undefined) return { noLocals: 'an execution of open mode cannot be run again as it was' }
  const worker = startWorker(start)
  try {
    const { locals, result: again } = await worker.locals(property, exactPlan(saved, input), thrown)
    if (again.traceHash !== result.traceHash) return { noLocals: 'it went another way under the debugger' }
    const place = `${thrown.file}:${thrown.line}`
    return locals.length > 0 ? { locals } : { noLocals: `nothing is thrown at ${place}, but handed on from there` }
  } finally {
    worker.close()
  }
}

/**
 * Replays a failure; without the debugger also looks for the nearest passing execution.
 *
 * @param onPassing called if the replay passes, before similar executions are tried
 */
export async function replayed(
  opened: OpenFailure,
  inspect = false,
  onPassing: (following: string) => void = () => {},
): Promise<Outcome> {
  const outcome = await judge(opened, await followed(opened, inspect), inspect, onPassing)
  return inspect ? outcome : comparedWithPassing(opened.worker, opened.property, opened, outcome)
}

/** Only the exact replay opens the debugger. */
function followed({ saved, worker, property, input }: OpenFailure, inspect: boolean): Promise<Explained> {
  return follow(saved, input, (plan, exact) => explainOrLose(worker, property, plan, inspect && exact))
}

export interface Outcome extends Explained {
  readonly status: ExitStatus
  /** The outcome, in a sentence. */
  readonly found: string
  readonly fields: Record<string, unknown>
}

/** A failure of open mode: no replay of it is exact, so it runs several times. */
async function repeated({ saved, start, property, input, ...opened }: OpenFailure): Promise<Outcome> {
  let { worker } = opened
  const current = () => {
    if (worker.ended) worker = startWorker(start)
    return worker
  }
  try {
    const plan = exactPlan(saved, input)
    const { reproduced, shown } = await reproduce(current, property, plan, saved.identity, start.open!)
    const found = reproducedText(reproduced)
    const fields = { reproduced }
    const failed = { status: STATUS.failed, ...shown, found, fields }
    if (shown.result.verdict !== 'failed') return { ...failed, status: STATUS.undecided }
    return { ...failed, result: withInput(shown.result, saved.inputText) }
  } finally {
    if (worker !== opened.worker) worker.close()
  }
}

async function judge(
  { saved, worker, property, input }: OpenFailure,
  { result, explanation }: Explained,
  inspecting: boolean,
  onPassing: (following: string) => void,
): Promise<Outcome> {
  const { recorded, followed } = result.following ?? { recorded: 0, followed: 0 }
  const renumbered = result.choices !== undefined && isRenumbered(saved.choices, result.choices)
  const following = followingText(recorded, followed, result, renumbered)
  const exact = result.traceHash === saved.traceHash && result.traceHash !== ''
  const fields = { exact, recorded, followed, neighbours: 0 }
  if (result.verdict === 'failed') {
    const found = againText(saved, result, exact, following)
    return { status: STATUS.failed, result: withInput(result, saved.inputText), explanation, found, fields }
  }
  if (result.voided !== undefined) return { status: STATUS.undecided, result, explanation, found: following, fields }
  if (inspecting) return { status: STATUS.passed, result, explanation, found: `passes; ${following}`, fields }
  onPassing(following)
  const end = performance.now() + NEIGHBOURS_MS
  let [tried, isUp] = [0, false]
  for (const plan of neighbourhood(domainOf(property), input, saved.choices, result, NEIGHBOURS)) {
    isUp = performance.now() >= end
    if (isUp) break
    tried++
    const near = await executeOrLose(worker, property, plan)
    if (near.verdict !== 'failed') continue
    const choices = { from: 'record', choices: near.choices! } as const
    const shown =
      near.choices === undefined
        ? { result: near, explanation: undefined }
        : await worker.explain(property, { input: plan.input, choices })
    const found = `the recorded schedule passes (${following}), but similar execution ${tried} fails`
    return { status: STATUS.failed, ...shown, found, fields: { ...fields, neighbours: tried } }
  }
  const couldFollow = followed === recorded && !renumbered && passedOver(result.cluster) === 0
  const limit = isUp ? ` (as many as ran in ${NEIGHBOURS_MS / 1000} s)` : ''
  const similar = `${plural(tried, 'similar execution')} ${tried === 1 ? 'passes' : 'pass'} too${limit}`
  const found = couldFollow
    ? `no longer fails: ${following}; ${similar}`
    : `inconclusive: passes, but ${following}; ${similar}. Search again with norn fuzz`
  const status = couldFollow ? STATUS.passed : STATUS.undecided
  return { status, result, explanation, found, fields: { ...fields, neighbours: tried } }
}

/** How many of the recorded choices the replay drew again. */
function followingText(recorded: number, followed: number, { cluster }: ExecutionResult, renumbered: boolean): string {
  if (renumbered) {
    return 'the nodes, faults or options of the cluster have changed, so the recorded steps have other meanings'
  }
  if (recorded === 0) return 'the failure was recorded under the default schedule'
  const vain = passedOver(cluster)
  const passed = vain === 0 ? '' : ` (${vain} not possible)`
  return `followed ${followed} of ${plural(recorded, 'recorded choice')}${passed}`
}

/** Characters of the saved message, and of the version of Node, that are quoted. */
const MAX_MESSAGE = 300
const MAX_NAME = 20

/** How a replay that fails compares with what was saved. */
function againText(
  { failure: saved, environment: { node } }: SavedFailure,
  result: ExecutionResult,
  exact: boolean,
  following: string,
): string {
  const now = result.failure!
  if (exact && fingerprint(now) === fingerprint(saved)) return `replayed exactly: the same trace, ${result.traceHash}`
  if (now.kind !== saved.kind || now.errorName !== saved.errorName || shape(now) !== shape(saved)) {
    const [message = ''] = saved.message.split('\n')
    const was = printableLine(`${saved.errorName}: ${message}`, MAX_MESSAGE)
    return `fails differently; the saved failure was ${was}; ${following}${versionsText(node)}`
  }
  if (isLoss(now.kind)) return LOST_AGAIN[now.kind]
  return `still fails, with another trace; ${following}${versionsText(node)}`
}

/** Another Node may do the same work in other steps. */
function versionsText(node: string): string {
  const here = process.versions.node
  return node === here ? '' : ` (found with Node ${printableLine(node, MAX_NAME)}, replayed with ${here})`
}

const LOST_AGAIN = { hang: 'hangs again', 'out of memory': 'runs out of memory again', crash: 'crashes again' } as const

const shape = ({ kind, message }: FailureReport) => (isLoss(kind) ? '' : messageShape(message))

/** A lost execution has no input; the file has it. */
function withInput(result: ExecutionResult, inputText: string): ExecutionResult {
  return result.inputText === undefined ? { ...result, inputText } : result
}
