/** `norn shrink FAILURE`: shrinks a saved failure further, and saves it in its place. */

import { statusLine } from '#shared/status-line'
import { essential } from '../contract/choices.ts'
import { fingerprint } from '../contract/fingerprint.ts'
import type { Plan } from '../contract/plan.ts'
import { inputOf } from '../contract/plan.ts'
import { duration } from '../options/kinds.ts'
import { flag, type Named, type OptionTable } from '../options/option.ts'
import type { RunFlags } from '../options/table.ts'
import { WorkerLost } from '../process/worker.ts'
import { excerptOf } from '../report/excerpt.ts'
import { failureText } from '../report/failure.ts'
import { shrinkCommands, shrunkText, shrunkTitle } from '../report/finding.ts'
import { inconclusiveText } from '../report/inconclusive.ts'
import { commandFor } from '../report/invocation.ts'
import { resultFields } from '../report/json.ts'
import { terminalStyle } from '../report/style.ts'
import { isLoss } from '../session/lost-execution.ts'
import { comparedWithPassing } from '../session/nearest.ts'
import { writeFailure } from '../storage/failure-file.ts'
import { type ExitStatus, STATUS, UndecidedError } from './exit-status.ts'
import type { OneLineFlags } from './flags.ts'
import { exitOnSignal, interruption } from './interruption.ts'
import { type OpenFailure, openFailure } from './open-failure.ts'
import { drawBeside } from './picture.ts'

const DEFAULT_TIME_MS = 60_000

export const SHRINK_OPTIONS = {
  timeMs: flag(duration, '--time <duration>', 'budget: 500ms, 30s, 5m', {
    meaning: 'real time, at most; shrinking ends earlier if no pass gets further',
    default: '1m',
  }),
} satisfies OptionTable

type ShrinkFlags = Named<typeof SHRINK_OPTIONS> & RunFlags & OneLineFlags

export async function shrinkCommand(named: string, options: ShrinkFlags): Promise<ExitStatus> {
  const exiting = exitOnSignal()
  const opened = await openFailure(named, options).finally(exiting.ignore)
  const { worker } = opened
  const { signal, ignore } = interruption()
  signal.addEventListener('abort', () => worker.stop())
  try {
    const { kind } = opened.saved.failure
    if (opened.saved.open !== undefined) {
      const why = 'its executions do not repeat exactly'
      throw new UndecidedError(`cannot shrink a failure found with --open ${opened.saved.open.join()}: ${why}`)
    }
    if (isLoss(kind)) {
      throw new UndecidedError(`cannot shrink a failure of kind '${kind}': every attempt kills a worker process`)
    }
    return await shrinkWith(opened, options)
  } catch (error) {
    if (!(error instanceof WorkerLost)) throw error
    throw new UndecidedError(`shrinking stopped, the file is unchanged: ${error.message}`)
  } finally {
    ignore()
    worker.close()
  }
}

async function shrinkWith(opened: OpenFailure, options: ShrinkFlags): Promise<ExitStatus> {
  const { path, root, saved, aliases, worker, property } = opened
  const style = terminalStyle()
  const status = statusLine(process.stderr)
  const say = (text: string) => {
    if (!options.json) console.log(text)
  }
  for (const plan of plansOf(opened)) {
    const now = await worker.execute(property, plan)
    if (now.voided !== undefined) {
      say(inconclusiveText(property.name, now.voided, style))
      return STATUS.undecided
    }
    if (now.verdict !== 'failed' || fingerprint(now.failure!) !== fingerprint(saved.failure)) continue
    const { outcome } = await worker.shrink(property, plan, options.timeMs ?? DEFAULT_TIME_MS, () =>
      status.update(`${property.name}: shrinking`),
    )
    status.clear()
    if (outcome === undefined) continue
    const choices = { from: 'record', choices: essential(outcome.result.choices!) } as const
    const shrunk: Plan = { input: inputOf(outcome.result, plan.input), choices }
    const explained = await worker.explain(property, shrunk)
    const { result, explanation } = await comparedWithPassing(worker, property, shrunk, explained)
    writeFailure(path, {
      ...saved,
      aliases,
      failure: result.failure!,
      input: result.input,
      inputText: result.inputText ?? '',
      choices: result.choices!,
      traceHash: result.traceHash!,
      found: plan.input.from === 'tape' ? { ...saved.found, example: undefined } : saved.found,
      shrunk: true,
    })
    drawBeside(process.cwd(), path, { property: property.name, result, explanation })
    if (options.json) {
      const line = { type: 'shrink', property: property.name, ...outcome.summary, ...resultFields(result) }
      console.log(JSON.stringify(line))
    }
    const found = shrunkText(outcome.summary, plan.input)
    const commands = [
      [commandFor('replay', path), 'replay'] as const,
      ...shrinkCommands(path, outcome.summary).map(([args, purpose]) => [commandFor(...args), purpose] as const),
    ]
    const inputTitle = shrunkTitle(outcome.summary)
    const text = { property: property.name, result, explanation, found, inputTitle, commands }
    say(failureText({ ...text, excerpt: excerptOf(result, root, style) }, style))
    return STATUS.failed
  }
  say(`${style.warning('?')} ${property.name}\n  does not fail as saved. For details run ${commandFor('replay', path)}`)
  return STATUS.undecided
}

/** First lets the arbitraries generate the input, so that it can shrink; else takes it as it was saved. */
function plansOf({ saved, input }: OpenFailure): Plan[] {
  const choices = { from: 'record', choices: saved.choices } as const
  const asSaved: Plan = { input, choices }
  return input.from === 'tape' ? [asSaved] : [{ input: { from: 'tape' }, choices }, asSaved]
}
