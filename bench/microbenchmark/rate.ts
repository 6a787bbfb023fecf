/**
 * Executions a second of one core, for 6 workers and 40 executes: guided by the model, directly and
 * through all of norn (a process of its own, fresh modules in the world, the campaign's estimates
 * and counts). As a baseline for the machine, the simulation of the same schedules without
 * model, tape and planner.
 */
import { resolve } from 'node:path'
import { runSchedule } from '../../packages/norn/src/cluster/run.ts'
import { Simulation } from '../../packages/norn/src/cluster/simulation.ts'
import { scheduleOf } from '../../packages/norn/src/domains/cluster/search/schedule.ts'
import { CAMPAIGN, NOTHING, Worker } from '../engine.ts'
import { perSecond } from '../measure.ts'
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
  /**
   * Executions a second: guided by the model, directly; through all of norn; and of the bare
   * simulation.
   */
  readonly directly: number
  readonly throughNorn: number
  readonly bare: number
  /** Of the bare simulation's rate. */
  readonly ratioDirectly: number
  readonly ratioThroughNorn: number
}

export async function measureRate(executions: number): Promise<RateRow> {
  // Code that runs first is not compiled yet.
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

/** The steps of executions planned by norn. */
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
    // Goes on after the bug without shrinking it, so that all executions are alike.
    const options = { ...CAMPAIGN, guide: { ...NOTHING, model: true } }
    const explore = (seed: number, runs: number) =>
      perSecond(runs, () => worker.explore(property, { ...options, seed, runs }, () => {}))
    await explore(1, Math.ceil(executions / 4))
    return await explore(2, executions)
  } finally {
    worker.close()
  }
}

/**
 * The suite imports norn's sources, and every execution would instantiate a copy of them. The
 * aliases put the package in their place, as for users who import `norn/cluster`.
 */
const AS_PACKAGE = ['cluster/actors', 'model/definition', 'model/typescript-model'].map(
  (module) => [`../../packages/norn/src/${module}.ts`, 'norn/cluster'] as const,
)
