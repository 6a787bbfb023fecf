/**
 * `norn replay FAILURE`: runs a saved failure again.
 *
 * Over the same code that is exact, and the trace says so. Over changed code the choices follow
 * their labels; if the failure is not seen, its neighbourhood is tried before it is called gone.
 */

import { clusterDomain } from '../cluster/domain.ts'
import { isRenumbered } from '../cluster/search/step-list.ts'
import { passedOver } from '../contract/cluster-record.ts'
import type { ExecutionResult, FailureReport } from '../contract/execution.ts'
import { fingerprint, messageShape } from '../contract/fingerprint.ts'
import { excerptOf } from '../report/excerpt.ts'
import { failureText } from '../report/failure.ts'
import { inconclusiveText } from '../report/inconclusive.ts'
import { resultFields } from '../report/json.ts'
import { printableLine } from '../report/printable.ts'
import { terminalStyle } from '../report/style.ts'
import { neighbourhood } from '../search/neighbourhood.ts'
import type { Alias } from '../session/aliases.ts'
import { follow } from '../session/follow.ts'
import { type Explained, executeOrLose, explainOrLose, isLoss } from '../session/lost-execution.ts'
import { latencyDomain } from '../world/latency/domain.ts'
import { type ExitStatus, STATUS } from './exit-status.ts'
import { exitOnSignal } from './interruption.ts'
import { type OpenFailure, openFailure } from './open-failure.ts'
import { drawInto } from './picture.ts'

export interface ReplayCommandOptions {
  readonly inspect: boolean
  readonly alias: readonly Alias[]
  readonly hang?: number
  readonly memory?: number
  /** File to draw the execution into, of a cluster. */
  readonly svg?: string
  readonly json: boolean
}

/** Executions tried around a failure that is not seen any more. */
const NEIGHBOURS = 200

export async function replayCommand(named: string, options: ReplayCommandOptions): Promise<ExitStatus> {
  const exiting = exitOnSignal()
  const opened = await openFailure(named, options)
  const { worker, property, root, saved } = opened
  const style = terminalStyle()
  const say = (text: string) => {
    if (!options.json) console.log(text)
  }
  try {
    const outcome = await judge(opened, await followed(opened, options.inspect), options.inspect)
    const { result, explanation, found, status, fields } = outcome
    if (options.json) {
      console.log(JSON.stringify({ type: 'replay', property: property.name, ...fields, ...resultFields(result) }))
    }
    if (result.verdict === 'failed') {
      const text = { property: property.name, result, explanation, found, commands: [] }
      const inputTitle = saved.shrunk ? 'smallest input' : 'input'
      say(failureText({ ...text, inputTitle, excerpt: excerptOf(result, root, style) }, style))
    } else if (result.verdict === 'void') {
      say(inconclusiveText(property.name, result.voided!, style))
    } else
      say(
        `${status === STATUS.passed ? style.good('✓') : style.late('?')} ${printableLine(property.name)}\n  ${printableLine(found)}`,
      )
    if (options.svg !== undefined) {
      drawInto(options.svg, { property: property.name, result })
      say(style.dim(`drawn in ${printableLine(options.svg)}`))
    }
    return status
  } finally {
    worker.close()
    exiting.ignore()
  }
}

/** The debugger is for the exact replay. */
function followed({ saved, worker, property, input }: OpenFailure, inspect: boolean): Promise<Explained> {
  return follow(saved, input, (plan, exact) => explainOrLose(worker, property, plan, inspect && exact))
}

interface Outcome extends Explained {
  readonly status: ExitStatus
  /** What happened, in a sentence. */
  readonly found: string
  readonly fields: Record<string, unknown>
}

async function judge(
  { saved, worker, property, input }: OpenFailure,
  { result, explanation }: Explained,
  inspecting: boolean,
): Promise<Outcome> {
  const { recorded, followed } = result.following ?? { recorded: 0, followed: 0 }
  const renumbered = result.choices !== undefined && isRenumbered(saved.choices, result.choices)
  const following = followingText(recorded, followed, result, renumbered)
  const exact = result.traceHash === saved.traceHash && result.traceHash !== ''
  const fields = { exact, recorded, followed, neighbours: 0 }
  if (result.verdict === 'failed') {
    const found = againText(saved.failure, result, exact, following)
    return { status: STATUS.failed, result: withInput(result, saved.inputText), explanation, found, fields }
  }
  if (result.verdict === 'void') return { status: STATUS.undecided, result, explanation, found: following, fields }
  if (inspecting) return { status: STATUS.passed, result, explanation, found: `passes now; ${following}`, fields }
  const domain = property.kind === 'cluster' ? clusterDomain : latencyDomain
  let tried = 0
  for (const plan of neighbourhood(domain, input, saved.choices, result, NEIGHBOURS)) {
    tried++
    const near = await executeOrLose(worker, property, plan)
    if (near.verdict !== 'failed') continue
    const choices = { from: 'record', choices: near.choices! } as const
    const shown =
      near.choices === undefined
        ? { result: near, explanation: undefined }
        : await worker.explain(property, { input: plan.input, choices })
    const found = `the recorded schedule passes now (${following}), but execution ${tried} of its neighbourhood fails`
    return { status: STATUS.failed, ...shown, found, fields: { ...fields, neighbours: tried } }
  }
  const isVain = result.cluster !== undefined && passedOver(result.cluster) > 0
  const couldFollow = followed === recorded && !renumbered && !isVain
  const found = couldFollow
    ? `gone: ${following}, and it passes; so do ${tried} executions of its neighbourhood`
    : `not seen, but not surely gone: ${following}; ${tried} executions of its neighbourhood pass`
  const status = couldFollow ? STATUS.passed : STATUS.undecided
  return { status, result, explanation, found, fields: { ...fields, neighbours: tried } }
}

/** How much of what was recorded came about again. */
function followingText(recorded: number, followed: number, { cluster }: ExecutionResult, renumbered: boolean): string {
  if (renumbered) {
    return 'the cluster has other nodes, faults or options than when this was saved, so its steps are numbered otherwise: those recorded now mean others, and only a new search tells'
  }
  if (recorded === 0) return cluster === undefined ? 'nothing was late' : 'every step was natural'
  const vain = cluster === undefined ? 0 : passedOver(cluster)
  const passed = vain === 0 ? '' : `, of which ${vain} ${vain === 1 ? 'was' : 'were'} not possible`
  return `followed ${followed} of ${recorded} recorded choices${passed}`
}

/** Of what was saved, this much is quoted. */
const MAX_MESSAGE = 300

/** How a replay that fails compares with what was saved. */
function againText(saved: FailureReport, result: ExecutionResult, exact: boolean, following: string): string {
  const now = result.failure!
  if (exact && fingerprint(now) === fingerprint(saved)) return `replayed exactly: the same trace, ${result.traceHash}`
  if (now.kind !== saved.kind || now.errorName !== saved.errorName || shape(now) !== shape(saved)) {
    const [message = ''] = saved.message.split('\n')
    const was = printableLine(`${saved.errorName}: ${message}`, MAX_MESSAGE)
    return `fails in another way than was saved, which was ${was}; ${following}`
  }
  if (isLoss(now.kind)) return `the same again: ${LOST_AGAIN[now.kind]}`
  return `the code has changed, and it still fails; ${following}`
}

const LOST_AGAIN = { hang: 'it hangs', 'out of memory': 'it runs out of memory', crash: 'its process dies' } as const

const shape = ({ kind, message }: FailureReport) => (isLoss(kind) ? '' : messageShape(message))

/** An execution that is lost cannot tell its input; the file can. */
function withInput(result: ExecutionResult, inputText: string): ExecutionResult {
  return result.inputText === undefined ? { ...result, inputText } : result
}
