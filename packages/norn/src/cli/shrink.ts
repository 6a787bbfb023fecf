/** `norn shrink FAILURE`: shrinks a saved failure further, and saves it in its place. */

import { print } from '#shared/print'
import { statusLine } from '#shared/status-line'
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
import { replayPurpose } from '../report/locals.ts'
import { terminalStyle } from '../report/style.ts'
import { type ExitStatus, STATUS, UndecidedError } from './exit-status.ts'
import type { OneLineFlags } from './flags.ts'
import { exitOnSignal, interruption } from './interruption.ts'
import { type OpenFailure, openFailure } from './open-failure.ts'
import { notShrinkable, shrinkSaved } from './shrink-saved.ts'

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
    const why = notShrinkable(opened.saved)
    if (why !== undefined) throw new UndecidedError(why)
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
  const { path, root, property } = opened
  const style = terminalStyle()
  const status = statusLine(process.stderr)
  const say = (text: string) => {
    if (!options.json) print(text)
  }
  const shrunk = await shrinkSaved(opened, options.timeMs ?? DEFAULT_TIME_MS, () =>
    status.update(`${property.name}: shrinking`),
  )
  status.clear()
  if (shrunk === undefined) {
    say(
      `${style.warning('?')} ${property.name}\n  does not fail as saved. For details run ${commandFor('replay', path)}`,
    )
    return STATUS.undecided
  }
  if ('voided' in shrunk) {
    say(inconclusiveText(property.name, shrunk.voided, style))
    return STATUS.undecided
  }
  const { summary, input, result, explanation } = shrunk
  if (options.json)
    print(JSON.stringify({ type: 'shrink', property: property.name, ...summary, ...resultFields(result) }))
  const commands = [
    [commandFor('replay', path), replayPurpose(result.failure!)] as const,
    ...shrinkCommands(path, summary).map(([args, purpose]) => [commandFor(...args), purpose] as const),
  ]
  const found = shrunkText(summary, input)
  const text = { property: property.name, result, explanation, found, inputTitle: shrunkTitle(summary), commands }
  say(failureText({ ...text, excerpt: excerptOf(result, root, style) }, style))
  return STATUS.failed
}
