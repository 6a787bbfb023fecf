/**
 * An executor of clusters without the world: the simulation, on a tape, in this process.
 *
 *     const executor = new SimulatedExecutor({ system: () => actors({ … }), faults: { drops: 1 } })
 *     const failing = await firstFailure(executor, 1)
 *
 * Requests are given by a function of the tape, which stands for an arbitrary; or by the options,
 * as they are.
 */
import type { ClusterOptions } from '../../src/cluster/definition.ts'
import { omittedRequests } from '../../src/cluster/omissions.ts'
import { runSchedule } from '../../src/cluster/run.ts'
import { Simulation } from '../../src/cluster/simulation.ts'
import type { Data } from '../../src/cluster/system.ts'
import type { ExecutionResult, Executor, InjectedFault, RepeatedResult } from '../../src/contract/execution.ts'
import { type InputPlan, NO_ESTIMATES, type Plan } from '../../src/contract/plan.ts'
import { clusterDomain } from '../../src/domains/cluster/domain.ts'
import { planChoices } from '../../src/execution/choice-source.ts'
import { chance } from '../../src/tape/chance.ts'
import { Tape } from '../../src/tape/tape.ts'

export interface SimulatedOptions extends Omit<ClusterOptions, 'requests'> {
  readonly requests?: readonly Data[] | ((tape: Tape) => readonly Data[])
}

const FROM_TAPE: InputPlan = { from: 'tape' }

export class SimulatedExecutor implements Executor {
  readonly options: SimulatedOptions
  executions = 0

  constructor(options: SimulatedOptions) {
    this.options = options
  }

  async execute(plan: Plan): Promise<ExecutionResult> {
    this.executions++
    const planned = planChoices(
      plan,
      () => undefined,
      () => {},
    )
    const tape = new Tape(planned.source, planned.length)
    const { requests: given = [], ...cluster } = this.options
    const isFixed = typeof given !== 'function'
    const all = isFixed ? given : given(tape)
    const leftOut = isFixed && all.length > 0 ? omittedRequests(all.length, (label) => tape.omits(label)) : undefined
    const requests = all.filter((_, at) => !leftOut?.includes(at))
    const numbers: number[] = []
    const random = chance(1, 0)
    const simulation = new Simulation({ cluster, requests, random: () => random.unit() })
    let thrown: unknown
    try {
      simulation.start()
      runSchedule(simulation, {
        next: (ordinal, max, suggest) => {
          const code = tape.draw('schedule', String(ordinal), 0, max, { kind: 'step', suggest })
          numbers.push(code)
          return code
        },
      })
    } catch (error) {
      thrown = error
    }
    const { nodes, log, codes } = simulation
    const isFault = (kind: string, name: string) =>
      kind === 'crash' || kind === 'duplicate' || kind === 'partition' || (kind === 'lost' && name === 'drop')
    const faults = log
      .filter(({ kind, name }) => isFault(kind, name))
      .map(({ kind, step }): InjectedFault => ({ label: `${step}`, operation: kind, resource: '', fault: kind }))
    const steps = numbers.flatMap((code, step) => (code === 0 ? [] : [[step, codes.describe(code)] as const]))
    const failure = failureOf(thrown)
    return {
      verdict: thrown === undefined ? 'passed' : 'failed',
      ...(failure === undefined ? {} : { failure }),
      choices: tape.record(),
      inputChoices: tape.count('input'),
      points: numbers.length,
      chains: nodes.length,
      durationUs: simulation.nowUs,
      faults,
      cluster: { nodes, log, steps, ...(leftOut && { leftOut }) },
      ...(planned.following === undefined ? {} : { following: planned.following }),
    }
  }

  async executeTwice(plan: Plan): Promise<RepeatedResult> {
    return { result: await this.execute(plan) }
  }
}

function failureOf(thrown: unknown): ExecutionResult['failure'] {
  if (thrown === undefined) return undefined
  const { name, message } = thrown as Error
  return { kind: 'error', errorName: name, message, stack: '', frames: [] }
}

/** The first failing execution of a seed; an error if ten thousand executions pass. */
export async function firstFailure(executor: SimulatedExecutor, seed: number): Promise<ExecutionResult> {
  for (let at = 1; at <= 10_000; at++) {
    const name = { length: 0xffff_ffff, seed: seed * 100_000 + at * 4 + 1 }
    const choices = { from: 'strategy', strategy: 'random', name, estimates: NO_ESTIMATES } as const
    const result = await executor.execute({ input: FROM_TAPE, choices })
    if (result.verdict === 'failed') return result
  }
  throw new Error(`seed ${seed}: no execution of 10,000 fails`)
}

/**
 * What is left of the first failure of a seed: its steps in words, its requests, and what it took.
 */
export async function shrunkFrom(options: SimulatedOptions, seed: number) {
  const executor = new SimulatedExecutor(options)
  const failing = await firstFailure(executor, seed)
  const { result, summary } = await clusterDomain.shrink(executor, FROM_TAPE, failing, () => false)
  const { steps, log } = result.cluster!
  return {
    steps: steps.map(([ordinal, text]) => `${ordinal}: ${text}`),
    requests: log.filter(({ kind }) => kind === 'request').map(({ data }) => data),
    events: log.length,
    result,
    summary,
  }
}
