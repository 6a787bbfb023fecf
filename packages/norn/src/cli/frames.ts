/**
 * `norn frames propose FAILURE`: proposes key frames from a saved failure, so that executions like
 * it are found again later.
 */

import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { ExecutionResult } from '../contract/execution.ts'
import { describeReason } from '../contract/inconclusive.ts'
import type { KeyFramesData } from '../contract/key-frames.ts'
import type { Plan } from '../contract/plan.ts'
import { WorkerLost } from '../process/worker.ts'
import { commandFor } from '../report/invocation.ts'
import { printableLine } from '../report/printable.ts'
import { terminalStyle } from '../report/style.ts'
import type { Alias } from '../session/aliases.ts'
import { type ExitStatus, STATUS, UndecidedError, UsageError } from './exit-status.ts'
import { exitOnSignal } from './interruption.ts'
import { openFailure } from './open-failure.ts'

export interface ProposeCommandOptions {
  readonly out?: string
  readonly alias: readonly Alias[]
  readonly hang?: number
  readonly memory?: number
}

const MAX_NAME = 80

export async function proposeCommand(named: string, options: ProposeCommandOptions): Promise<ExitStatus> {
  const exiting = exitOnSignal()
  const { saved, worker, property, input } = await openFailure(named, options).finally(exiting.ignore)
  try {
    if (property.kind !== 'cluster')
      throw new UsageError(`'${property.name}' is no cluster: only those have key frames`)
    const plan: Plan = { input, choices: { from: 'record', choices: saved.choices } }
    const result = await worker.propose(property, plan)
    const frames = proposedOf(result)
    const style = terminalStyle()
    if (result.verdict !== 'failed')
      console.error(`${style.late('!')} the failure is gone: these are moments of what the execution does now`)
    const [message = ''] = saved.failure.message.split('\n')
    const name = printableLine(`${property.name}: ${message}`).slice(0, MAX_NAME)
    write({ name, cluster: property.name, frames }, saved.file, options.out)
    return STATUS.passed
  } catch (error) {
    if (!(error instanceof WorkerLost)) throw error
    throw new UndecidedError(`${error.message}, so nothing can be proposed`)
  } finally {
    worker.close()
  }
}

function proposedOf({ verdict, voided, cluster }: ExecutionResult): KeyFramesData['frames'] {
  if (verdict === 'void')
    throw new UndecidedError(
      `the execution is inconclusive, so nothing can be proposed: ${describeReason(voided!.reason)}`,
    )
  const frames = cluster?.proposed ?? []
  if (frames.length > 0) return frames
  throw new UndecidedError(
    'nothing can be proposed: no word or truth value in the state of a node changed. Write key frames by hand, or let nodes show what phase they are in (`state`)',
  )
}

function write(frames: KeyFramesData, file: string, out: string | undefined): void {
  const text = `${JSON.stringify(frames, null, 2)}\n`
  if (out === undefined) {
    process.stdout.write(text)
    return
  }
  try {
    mkdirSync(dirname(out), { recursive: true })
    // What somebody wrote by hand is not to be lost.
    writeFileSync(out, text, { flag: 'wx' })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    throw new UsageError(`--out: ${out} ${code === 'EEXIST' ? 'is there already' : `cannot be written: ${code}`}`)
  }
  console.log(
    `${frames.frames.length} key frames are in ${printableLine(out)}; take out what does not matter, then\n  ${commandFor('fuzz', file, '--until-frames', dirname(out))}`,
  )
}
