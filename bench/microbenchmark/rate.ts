/**
 * How many executions a second one core does, for 6 workers and 40 executes: searched by norn with the model, directly and
 * through the whole of norn (a process of its own, fresh modules in the world, the campaign's estimates and counts). Beside
 * them, as a measure of the machine and the moment, the bare simulation of the same schedules, without model, tape and planner.
 */
import { resolve } from 'node:path'
import { runSchedule } from '../../packages/norn/src/cluster/run.ts'
import { scheduleOf } from '../../packages/norn/src/cluster/search/schedule.ts'
import { Simulation } from '../../packages/norn/src/cluster/simulation.ts'
import { NOTHING } from '../../packages/norn/src/search/guided/guide.ts'
import type { ExploreOptions } from '../../packages/norn/src/process/protocol.ts'
import { Worker } from '../../packages/norn/src/process/worker.ts'
import { microbenchmark, SeededBug } from './actors.ts'
import { executeDirectly } from './direct.ts'
import { plannerOf, runTrial } from './trial.ts'

const SIZE = { workers: 6, executes: 40 }

export interface RateRow {
  readonly suite: 'microbenchmark'
  readonly kind: 'rate'
  readonly m: number
  readonly n: number
  readonly executions: number
  /** Executions a second: searched with the model, directly; through the whole of norn; and of the bare simulation. */
  readonly directly: number
  readonly throughNorn: number
  readonly bare: number
  /** How much of the bare simulation's rate is left. */
  readonly ratioDirectly: number
  readonly ratioThroughNorn: number
}

export async function measureRate(executions: number): Promise<RateRow> {
  // What runs first is not compiled yet.
  runTrial({ ...SIZE, guide: 'model', policy: 'norn', seed: 1, executions: Math.ceil(executions / 4) })
  const { timeMs } = runTrial({ ...SIZE, guide: 'model', policy: 'norn', seed: 2, executions })
  const schedules = searchedSchedules(executions)
  bareRate(schedules.slice(0, Math.ceil(executions / 4)))
  const bare = bareRate(schedules)
  const directly = (1000 * executions) / timeMs
  const throughNorn = await rateThroughNorn(executions)
  return {
    suite: 'microbenchmark',
    kind: 'rate',
    m: SIZE.workers,
    n: SIZE.executes,
    executions,
    directly: Math.round(directly),
    throughNorn: Math.round(throughNorn),
    bare: Math.round(bare),
    ratioDirectly: Number((directly / bare).toPrecision(3)),
    ratioThroughNorn: Number((throughNorn / bare).toPrecision(3)),
  }
}

/** The steps of executions that norn chooses. */
function searchedSchedules(executions: number): (readonly number[])[] {
  const cluster = microbenchmark(SIZE)
  const planner = plannerOf({ guide: 'model', policy: 'norn', seed: 2 })
  return Array.from({ length: executions }, () => {
    const plan = planner.next()
    const { result } = executeDirectly(cluster, plan)
    planner.observe(plan, result)
    return scheduleOf(result.observation!.choices().schedule).steps
  })
}

function bareRate(schedules: readonly (readonly number[])[]): number {
  const { model: _, ...cluster } = microbenchmark(SIZE)
  const from = performance.now()
  for (const steps of schedules) {
    const simulation = new Simulation({ cluster, requests: [], random: () => 0 })
    simulation.start()
    try {
      runSchedule(simulation, { next: (ordinal) => steps[ordinal]! })
    } catch (error) {
      if (!(error instanceof SeededBug)) throw error
    }
  }
  return (1000 * schedules.length) / (performance.now() - from)
}

async function rateThroughNorn(executions: number): Promise<number> {
  const file = resolve(import.meta.dirname, 'microbenchmark.fuzz.ts')
  const worker = new Worker({ file, root: resolve(import.meta.dirname, '../..'), aliases: AS_PACKAGE })
  try {
    const properties = await worker.list()
    const property = properties.find(({ name }) => name === `${SIZE.workers} workers, ${SIZE.executes} executes`)!
    const explore = async (seed: number, runs: number) => {
      const from = performance.now()
      await worker.explore(property, { ...CAMPAIGN, seed, runs }, () => {})
      return (1000 * runs) / (performance.now() - from)
    }
    await explore(1, Math.ceil(executions / 4))
    return await explore(2, executions)
  } finally {
    worker.close()
  }
}

/**
 * The suite imports norn's source, of which each execution would instantiate a copy, as of any file that is not norn's; here
 * it stands for the package, as it does for those who import `norn/cluster`.
 */
const AS_PACKAGE = ['cluster/actors', 'model/definition', 'model/typescript-model'].map(
  (module) => [`../../packages/norn/src/${module}.ts`, 'norn/cluster'] as const,
)

/** Goes on after the bug, without looking for a smaller one, so that all executions are alike. */
const CAMPAIGN: ExploreOptions = {
  seed: 1,
  strategy: 'portfolio',
  runs: 1,
  timeMs: 1e9,
  keepGoing: true,
  shrink: false,
  skip: 0,
  guide: { ...NOTHING, model: true },
}
