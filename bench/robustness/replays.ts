/**
 * Replays: one failure of each race, found and shrunk, then replayed in fresh processes. The same
 * program and tape give the same trace, byte for byte, and the same error. Then the failure is
 * followed into the fixed version: the row has how many of its choices were drawn again.
 */
import { type Choices, essential, UNBOUNDED } from '../../packages/norn/src/contract/choices.ts'
import { inputOf } from '../../packages/norn/src/contract/plan.ts'
import { CAMPAIGN, type FoundFailure, fingerprint, type Plan, Worker, type WorkerOptions } from '../engine.ts'
import { printer } from '../output.ts'
import { RACES, type Race, ROOT } from '../subjects/catalogue.ts'
import type { FilteredOptions } from '../suite.ts'

interface Row {
  readonly suite: 'replays'
  readonly subject: string
  readonly processes: number
  /** Processes with the recorded trace, and those with the recorded error. */
  readonly sameTrace: number
  readonly sameError: number
  readonly traceHash: string
  /** In the fixed version: choices to follow, choices met, and the verdict. */
  readonly recorded: number
  readonly followed: number
  readonly fixed: 'passed' | 'failed' | 'void'
}

export async function run({ smoke, json, only = '' }: FilteredOptions): Promise<void> {
  const processes = smoke ? 3 : 100
  const say = printer(json)
  for (const race of RACES.filter(({ name }) => name.includes(only))) {
    const row = await measure(race, processes)
    const { sameTrace, sameError, traceHash, recorded, followed, fixed } = row
    const same = `same trace ${sameTrace}/${processes} (${traceHash}), same error ${sameError}/${processes}`
    const fixedSide = `fixed version ${fixed}, followed ${followed} of ${recorded} choices`
    say(row, `${race.name.padEnd(22)} ${same}; ${fixedSide}`)
  }
}

async function measure({ name: subject, file, fix: [from, to] }: Race, processes: number): Promise<Row> {
  const start: WorkerOptions = { file, root: ROOT, aliases: [] }
  const { failure, property } = await find(start)
  const { traceHash } = failure.result
  let sameTrace = 0
  let sameError = 0
  let recorded = essential(failure.result.choices!)
  for (let process = 0; process < processes; process++) {
    const worker = new Worker(start)
    try {
      const { result } = await worker.explain(property, planOf(failure, recorded))
      if (result.traceHash === traceHash) sameTrace++
      if (result.verdict === 'failed' && fingerprint(result.failure!) === failure.identity) sameError++
      // The explained record names its operations by alias too, as a failure file does.
      if (process === 0) recorded = essential(result.choices!)
    } finally {
      worker.close()
    }
  }
  const fixed = new Worker({ ...start, aliases: [[from, to]] })
  try {
    // The tape ends where it ended in the buggy version; the fixed one may come to the delayed
    // operation only later.
    const { result } = await fixed.explain(property, planOf(failure, { ...recorded, length: UNBOUNDED }))
    const replayed = { processes, sameTrace, sameError, traceHash: traceHash! }
    return { suite: 'replays', subject, ...replayed, ...result.following!, fixed: result.verdict }
  } finally {
    fixed.close()
  }
}

async function find(start: WorkerOptions) {
  const worker = new Worker(start)
  try {
    const [property] = await worker.list()
    let failure: FoundFailure | undefined
    const options = { ...CAMPAIGN, runs: 2000, keepGoing: false, shrink: true }
    await worker.explore(property!, options, (notice) => {
      if (notice.type === 'shrunk') failure = notice.failure
    })
    if (failure === undefined) throw new Error(`found no failure to replay: ${start.file}`)
    return { failure, property: property! }
  } finally {
    worker.close()
  }
}

function planOf({ result }: FoundFailure, choices: Choices): Plan {
  return { input: inputOf(result, { from: 'tape' }), choices: { from: 'record', choices } }
}
