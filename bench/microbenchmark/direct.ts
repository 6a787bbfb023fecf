/**
 * Runs the executions of a cluster without the world: with the same plans, tape and simulation, but
 * without fresh modules and without intercepted files and clocks, which a simulated cluster does
 * not use.
 *
 * Invariant: for actors that do not use Node, an execution has the same choices and observations as
 * in the world; bench/test/microbenchmark-search.slow.test.ts asserts this.
 */

import { ClusterExecution } from '../../packages/norn/src/cluster/cluster.ts'
import type { ClusterOptions, ClusterView } from '../../packages/norn/src/cluster/definition.ts'
import { omittedRequests } from '../../packages/norn/src/cluster/omissions.ts'
import { runSchedule } from '../../packages/norn/src/cluster/run.ts'
import { Simulation } from '../../packages/norn/src/cluster/simulation.ts'
import type { Data } from '../../packages/norn/src/cluster/system.ts'
import type { ClusterRecord } from '../../packages/norn/src/contract/cluster-record.ts'
import type { ExecutionResult } from '../../packages/norn/src/contract/execution.ts'
import type { Observation } from '../../packages/norn/src/contract/observation.ts'
import type { Plan } from '../../packages/norn/src/contract/plan.ts'
import { planChoices } from '../../packages/norn/src/execution/choice-source.ts'
import type { CurrentExecution } from '../../packages/norn/src/property/current.ts'
import { type Chance, chance } from '../../packages/norn/src/tape/chance.ts'
import { Tape } from '../../packages/norn/src/tape/tape.ts'

export interface DirectExecution {
  readonly result: ExecutionResult
  /** What was thrown; undefined if it passed. */
  readonly thrown: unknown
  /** What happened; made when asked for. */
  record(): ClusterRecord
}

/**
 * @param cluster one whose requests are listed, not generated
 * @param onSettled called with the cluster's view after each event
 */
export function executeDirectly(
  cluster: ClusterOptions,
  plan: Plan,
  onSettled?: (view: ClusterView) => void,
): DirectExecution {
  const { source, length } = planChoices(
    plan,
    () => undefined,
    () => tape.runOut(),
  )
  const tape: Tape = new Tape(source, length)
  let random: Chance | undefined
  const all = (cluster.requests ?? []) as readonly Data[]
  const leftOut = all.length > 0 ? omittedRequests(all.length, (label) => tape.omits(label)) : undefined
  const simulation: Simulation = new Simulation({
    cluster,
    follows: plan.observe?.model ?? true,
    onSettled: onSettled && (() => onSettled(simulation.view)),
    requests: all.filter((_, at) => !leftOut?.includes(at)),
    random: () => {
      random ??= chance(tape.draw('schedule', 'random', 0, MAX_SEED, { kind: 'seed' }))
      return random.unit()
    },
  })
  const schedule: CurrentExecution['schedule'] = (label, max, suggest) =>
    tape.draw('schedule', label, 0, max, { kind: 'step', suggest })
  const execution = new ClusterExecution(simulation, { schedule }, { leftOut })
  let thrown: unknown
  try {
    simulation.start()
    runSchedule(simulation, execution, execution.performed, execution.drawn)
  } catch (error) {
    thrown = error
  }
  simulation.system.finish?.()
  const observation: Observation = {
    counters: [],
    comparisons: undefined,
    order: [],
    happensBefore: 0,
    notes: NO_MARKS,
    targets: NO_MARKS,
    timeline: () => [],
    products: [],
    choices: () => tape.record(),
    cluster: execution.observation(),
  }
  const result: ExecutionResult = {
    verdict: thrown === undefined ? 'passed' : 'failed',
    inputChoices: 0,
    points: tape.count('schedule'),
    chains: execution.nodes,
    durationUs: 0,
    observation,
  }
  return { result, thrown, record: () => execution.record() }
}

const MAX_SEED = 2 ** 32 - 1
const NO_MARKS: ReadonlyMap<string, number> = new Map()
