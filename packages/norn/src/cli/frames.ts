/**
 * `norn frames propose FAILURE`: proposes key frames from a saved failure, so that executions like
 * it are found again later.
 */

import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { print, printError } from '#shared/print'
import type { ExecutionResult } from '../contract/execution.ts'
import { describeReason } from '../contract/inconclusive.ts'
import type { KeyFramesData } from '../contract/key-frames.ts'
import type { Plan } from '../contract/plan.ts'
import { plural } from '../contract/text.ts'
import { kindOf } from '../domains/kinds.ts'
import { text } from '../options/kinds.ts'
import { flag, type Named, type OptionTable } from '../options/option.ts'
import type { RunFlags } from '../options/table.ts'
import { WorkerLost } from '../process/worker.ts'
import { commandFor } from '../report/invocation.ts'
import { printableLine } from '../report/printable.ts'
import { terminalStyle } from '../report/style.ts'
import { systemReason, writeAtomically } from '../storage/files.ts'
import { type ExitStatus, STATUS, UndecidedError, UsageError } from './exit-status.ts'
import { exitOnSignal } from './interruption.ts'
import { openFailure } from './open-failure.ts'

export const PROPOSE_OPTIONS = {
  out: flag(text, '--out <file>', 'write them to this file, for --until-frames; printed by default'),
} satisfies OptionTable

type ProposeFlags = Named<typeof PROPOSE_OPTIONS> & RunFlags

const MAX_NAME = 80

export async function proposeCommand(named: string, options: ProposeFlags): Promise<ExitStatus> {
  const exiting = exitOnSignal()
  const { saved, worker, property, input } = await openFailure(named, options).finally(exiting.ignore)
  try {
    if (!kindOf(property.kind).hasSteps)
      throw new UsageError(`'${property.name}' is not a cluster: only clusters have key frames`)
    const plan: Plan = { input, choices: { from: 'record', choices: saved.choices } }
    const result = await worker.propose(property, plan)
    const frames = proposedOf(result)
    const style = terminalStyle()
    if (result.verdict !== 'failed')
      printError(`${style.warning('!')} the execution no longer fails: the key frames are those of a passing execution`)
    const [message = ''] = saved.failure.message.split('\n')
    const name = printableLine(`${property.name}: ${message}`).slice(0, MAX_NAME)
    write({ name, cluster: property.name, frames }, saved.file, options.out)
    return STATUS.passed
  } catch (error) {
    if (!(error instanceof WorkerLost)) throw error
    throw new UndecidedError(`no key frames to propose: ${error.message}`)
  } finally {
    worker.close()
  }
}

function proposedOf({ voided, cluster }: ExecutionResult): KeyFramesData['frames'] {
  if (voided !== undefined)
    throw new UndecidedError(
      `no key frames to propose: the execution is inconclusive: ${describeReason(voided.reason)}`,
    )
  const frames = cluster?.proposed ?? []
  if (frames.length > 0) return frames
  throw new UndecidedError(
    'no key frames to propose: no string or boolean in the state of a node changed. Show the phase of each node in its `state`, or write key frames by hand',
  )
}

function write(frames: KeyFramesData, file: string, out: string | undefined): void {
  const json = `${JSON.stringify(frames, null, 2)}\n`
  if (out === undefined) {
    print(json.trimEnd())
    return
  }
  try {
    // Never overwrites key frames written by hand.
    if (existsSync(out)) throw new UsageError(`--out: ${out} exists; name another file`)
    writeAtomically(out, json)
  } catch (error) {
    const reason = systemReason(error)
    if (reason === undefined) throw error
    throw new UsageError(`--out: cannot write ${out}: ${reason}`)
  }
  print(
    `${plural(frames.frames.length, 'key frame')} written to ${printableLine(out)}. Remove the irrelevant ones, then run\n  ${commandFor('fuzz', file, '--until-frames', dirname(out))}`,
  )
}
