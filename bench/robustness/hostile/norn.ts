/** The outcomes of hostile programs under norn. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describeReason } from '../../../packages/norn/src/contract/inconclusive.ts'
import { Planner } from '../../../packages/norn/src/search/planner.ts'
import { type ListedProperty, Worker, WorkerLost } from '../../engine.ts'
import type { Program } from './program.ts'

const ROOT = resolve(import.meta.dirname, '../../..')

export interface Shown {
  /** Under the default schedule. */
  readonly natural: string
  /** Under random schedules. */
  readonly random: ReadonlySet<string>
  readonly executions: number
}

/** Begins the outcome of an execution that did not pass. */
export const BROKEN = '!'

/** Runs each program under the default schedule, and then under that many random ones. */
export async function nornOutcomes(programs: readonly Program[], schedules: number): Promise<Shown[]> {
  const folder = mkdtempSync(join(tmpdir(), 'norn-hostile-'))
  const path = join(folder, 'programs.json')
  writeFileSync(path, JSON.stringify(programs.map((program) => JSON.stringify(program))))
  process.env.HOSTILE_PROGRAMS = path
  const start = () => new Worker({ file: join(import.meta.dirname, 'hostile.fuzz.ts'), root: ROOT, aliases: [] })
  let worker = start()
  try {
    const listed = await worker.list()
    const all: Shown[] = []
    for (const property of listed) {
      const random = new Set<string>()
      let natural: string | undefined
      const planner = new Planner({ seed: all.length + 1, strategy: 'random', examples: 0 })
      for (let execution = 0; execution <= schedules; execution++) {
        const outcome = await outcomeOf(worker, property, planner)
        natural ??= outcome
        random.add(outcome)
        if (worker.ended) {
          worker = start()
          break
        }
      }
      all.push({ natural: natural!, random, executions: schedules + 1 })
    }
    return all
  } finally {
    worker.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function outcomeOf(worker: Worker, property: ListedProperty, planner: Planner): Promise<string> {
  try {
    const result = await worker.execute(property, { ...planner.next(), detailed: true })
    planner.observe(result)
    if (result.verdict === 'passed') return result.output!.trim()
    if (result.failure !== undefined) return `${BROKEN} ${result.failure.kind}: ${result.failure.message}`
    return `${BROKEN} inconclusive: ${describeReason(result.voided!.reason)}`
  } catch (error) {
    if (error instanceof WorkerLost) return `${BROKEN} ${error.how}: ${error.message}`
    throw error
  }
}
