/** The orders of generated programs that norn shows. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Planner } from '../../../packages/norn/src/search/planner.ts'
import { CAMPAIGN, EVERYTHING, Worker } from '../../engine.ts'
import type { Engine } from '../mutants.ts'
import type { Program } from './program.ts'

/** A property of generated.fuzz.ts. */
export interface Case {
  readonly name: string
  readonly program: Program
  /** An order to search for: the property fails when it is seen. */
  readonly wanted?: string
}

/** How often each order came. */
export type Orders = Map<string, number>

/** Norn as it is. */
export const NORN: Engine = { root: resolve(import.meta.dirname, '../../..'), Worker }

/**
 * Executions of a program under the portfolio: at least `least`, and then until all of `wanted`
 * were seen, at most `most`.
 */
export async function nornOrders(
  programs: readonly { readonly program: Program; readonly wanted: ReadonlySet<string> }[],
  { least, most }: { least: number; most: number },
  engine: Engine,
): Promise<Orders[]> {
  const cases = programs.map(({ program }, index) => ({ name: `${index}`, program }))
  return withWorker(engine, cases, async (worker) => {
    const listed = await worker.list()
    const all: Orders[] = []
    for (const [index, { wanted }] of programs.entries()) {
      const orders: Orders = new Map()
      const missing = new Set(wanted)
      const planner = new Planner({ seed: 1, strategy: 'portfolio', examples: 0 })
      for (let execution = 0; execution < most && (execution < least || missing.size > 0); execution++) {
        const result = await worker.execute(listed[index]!, { ...planner.next(), detailed: true })
        planner.observe(result)
        const order = result.verdict === 'passed' ? result.output!.trim() : verdictOf(result)
        orders.set(order, (orders.get(order) ?? 0) + 1)
        missing.delete(order)
        if (result.verdict !== 'passed') break
      }
      all.push(orders)
    }
    return all
  })
}

/** Whether the guided search reaches an order of a program within so many executions. */
export async function reaches(program: Program, wanted: string, runs: number, engine: Engine): Promise<boolean> {
  return withWorker(engine, [{ name: '0', program, wanted }], async (worker) => {
    const [property] = await worker.list()
    const options = { ...CAMPAIGN, keepGoing: false, guide: EVERYTHING, runs }
    return (await worker.explore(property!, options, () => {})).failed > 0
  })
}

function verdictOf(result: { failure?: { message: string } | undefined; voided?: unknown }): string {
  return `! ${result.failure?.message ?? JSON.stringify(result.voided)}`
}

async function withWorker<Result>(
  { root, Worker }: Engine,
  cases: readonly Case[],
  use: (worker: Worker) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'norn-generated-'))
  const programs = join(folder, 'programs.json')
  writeFileSync(programs, JSON.stringify(cases))
  process.env.GENERATED_PROGRAMS = programs
  const worker = new Worker({ file: join(root, 'bench/fidelity/generated/generated.fuzz.ts'), root, aliases: [] })
  try {
    return await use(worker)
  } finally {
    worker.close()
    delete process.env.GENERATED_PROGRAMS
    rmSync(folder, { recursive: true, force: true })
  }
}
