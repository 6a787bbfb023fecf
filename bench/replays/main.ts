/**
 * The replays suite: one failure of each race, found and shrunk, then replayed in fresh processes. Same program and tape:
 * same trace, byte for byte, and the same error.
 *
 * Then the fixed version is put in place and the failure followed: how many of its choices were met again.
 */
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { FoundFailure } from '../../packages/norn/src/search/campaign.ts'
import type { Plan } from '../../packages/norn/src/contract/execution.ts'
import { identity } from '../../packages/norn/src/contract/fingerprint.ts'

import { inputOf } from '../../packages/norn/src/session/search.ts'
import { Worker, type WorkerOptions } from '../../packages/norn/src/process/worker.ts'
import { type Choices, essential } from '../../packages/norn/src/tape/replay.ts'
import { UNBOUNDED } from '../../packages/norn/src/tape/tape.ts'
import type { BenchOptions } from '../main.ts'
import { fixedSide, ROOT, SUBJECTS } from '../races/subjects.ts'

interface Row {
  readonly suite: 'replays'
  readonly subject: string
  readonly processes: number
  /** Processes that showed the recorded trace, and those that showed the recorded error. */
  readonly sameTrace: number
  readonly sameError: number
  readonly traceHash: string
  /** In the fixed version: choices there were to follow, choices met, and what came of it. */
  readonly recorded: number
  readonly followed: number
  readonly fixed: 'passed' | 'failed' | 'void'
}

export async function main({ smoke, json, only }: BenchOptions): Promise<void> {
  const processes = smoke ? 3 : 100
  const files = readdirSync(SUBJECTS).filter((name) => name.endsWith('.fuzz.ts') && name.includes(only ?? ''))
  for (const file of files.sort()) {
    const row = await measure(file, processes)
    if (json) console.log(JSON.stringify(row))
    else {
      const { subject, sameTrace, sameError, traceHash, recorded, followed, fixed } = row
      const fixedSide = `fixed version ${fixed}, followed ${followed} of ${recorded} choices`
      console.log(
        `${subject.padEnd(22)} same trace ${sameTrace}/${processes} (${traceHash}), same error ${sameError}/${processes}; ${fixedSide}`,
      )
    }
  }
}

async function measure(file: string, processes: number): Promise<Row> {
  const subject = file.replace(/\.fuzz\.ts$/, '')
  const path = fileURLToPath(new URL(`../races/subjects/${file}`, import.meta.url))
  const start = { file: path, root: ROOT, aliases: [] as [string, string][] }
  const { failure, property } = await find(start)
  const { traceHash } = failure.result
  let sameTrace = 0
  let sameError = 0
  let recorded = essential(failure.result.choices!)
  for (let process = 0; process < processes; process++) {
    const worker = new Worker(start)
    try {
      const plan = planOf(failure, recorded)
      const { result } = await worker.explain(property, plan)
      if (result.traceHash === traceHash) sameTrace++
      if (result.verdict === 'failed' && identity(result.failure!) === failure.identity) sameError++
      // The explained record names its operations by alias too, which is what a failure file holds.
      if (process === 0) recorded = essential(result.choices!)
    } finally {
      worker.close()
    }
  }
  const fixed = new Worker({ ...start, aliases: [fixedSide(subject)] })
  try {
    // The tape ended where it ended in the buggy version; the fixed one may come to the late operation only later.
    const choices = { ...recorded, length: UNBOUNDED }
    const { result } = await fixed.explain(property, planOf(failure, choices))
    return {
      suite: 'replays',
      subject,
      processes,
      sameTrace,
      sameError,
      traceHash: traceHash!,
      ...result.following!,
      fixed: result.verdict,
    }
  } finally {
    fixed.close()
  }
}

async function find(start: WorkerOptions) {
  const worker = new Worker(start)
  try {
    const [property] = await worker.list()
    let failure: FoundFailure | undefined
    const options = { seed: 1, strategy: 'portfolio', runs: 2000, timeMs: 1e9, keepGoing: false, shrink: true, skip: 0 }
    await worker.explore(property!, options, (notice) => {
      if (notice.type === 'shrunk') failure = notice.failure
    })
    if (failure === undefined) throw new Error(`${start.file}: no failure was found to replay`)
    return { failure, property: property! }
  } finally {
    worker.close()
  }
}

function planOf({ result }: FoundFailure, choices: Choices): Plan {
  return { input: inputOf(result, { from: 'tape' }), choices: { from: 'record', choices } }
}
