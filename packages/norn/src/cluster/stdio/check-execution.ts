/** One execution of a program that `norn protocol check` checks: random steps with all faults, from a fixed seed. */
import { chance } from '../../tape/chance.ts'
import type { ClusterOptions } from '../definition.ts'
import { crash } from '../faults/crash.ts'
import { Simulation } from '../simulation.ts'
import { suggestStep } from '../suggestion.ts'
import type { Data } from '../system.ts'
import type { CheckResult } from './check-result.ts'
import { ReportedFailure } from './program-failure.ts'
import type { ProgramHost } from './program-host.ts'
import { systemOf } from './program-system.ts'

/** The scheduled steps and requests of an execution. */
const STEPS = 200
const REQUESTS = 20

export interface Outcome {
  readonly said: ReportedFailure | undefined
  readonly requests: number
  readonly replies: number
}

/** Runs an execution. @param seed decides its steps and requests */
export function runOnce(host: ProgramHost, requests: readonly Data[], seed: number, losses: CrashLosses): Outcome {
  const system = systemOf({ host, owner: undefined })
  const cluster: ClusterOptions = {
    system: () => system,
    network: { perStep: 3 },
    faults: { crashes: system.crashes ? 10 : 0, drops: 10, duplicates: 10, partitions: 2 },
  }
  const draws = chance(seed)
  const asked =
    requests.length === 0 ? [] : Array.from({ length: REQUESTS }, () => requests[draws.integer(0, requests.length - 1)])
  const simulation = new Simulation({ cluster, requests: asked, random: () => draws.unit(), system })
  const count = (said: ReportedFailure | undefined) => ({
    said,
    requests: simulation.requests.length,
    replies: simulation.requests.reduce((sum, each) => sum + each.replies.length, 0),
  })
  try {
    simulation.start()
    const initial = simulation.nodes.map((id) => JSON.stringify(system.state(id)))
    for (let ordinal = 0; ordinal < STEPS; ordinal++) {
      const step = simulation.codes.steps[suggestStep(simulation, draws)]!
      const node = step.kind === 'fault' && step.act.place === 'node' ? step.node : -1
      const id = simulation.nodes[node]
      const before = id === undefined ? undefined : JSON.stringify(system.state(id))
      simulation.step = ordinal
      const done = simulation.perform(step)
      if (!done || id === undefined) continue
      if (step.kind === 'fault' && step.act === crash) losses.crashed(id, before, initial[node])
      else losses.restarted(id, JSON.stringify(system.state(id)))
    }
    system.finish!()
    return count(undefined)
  } catch (error) {
    if (!(error instanceof ReportedFailure)) throw error
    system.finish!()
    return count(error)
  }
}

/** Counts the crashes after which a restarted node shows the same state as before. */
export class CrashLosses {
  readonly #before = new Map<string, string>()
  #kept = 0
  #lost = 0

  /** @param state the node's state before the crash, as JSON */
  crashed(node: string, state: string | undefined, initial: string | undefined): void {
    this.#before.delete(node)
    if (state !== undefined && state !== initial) this.#before.set(node, state)
  }

  restarted(node: string, state: string | undefined): void {
    const before = this.#before.get(node)
    if (before === undefined) return
    if (before === state) this.#kept++
    else this.#lost++
  }

  result(areSupported: boolean): CheckResult {
    const crashes = this.#kept + this.#lost
    const check = 'crashes'
    if (!areSupported) return { check, verdict: 'skipped', text: 'none made: `hello` says "crashes": false' }
    if (crashes === 0) return { check, verdict: 'skipped', text: 'no node showed a changed state before a crash' }
    if (this.#lost > 0) return { check, verdict: 'passed', text: `${this.#lost} of ${crashes} crashes lost data` }
    const text = `none of ${crashes} crashes lost data: "crash" must discard everything that is not durable`
    return { check, verdict: 'warning', text }
  }
}
