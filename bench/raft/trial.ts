/**
 * One trial on etcd-raft: a search from one seed; its abstract states and processor time on the way,
 * or the execution that found a mutant.
 *
 * States are counted after each execution, outside of the time that counts, so that a guide pays for
 * what it needs and for nothing else.
 */
import { conforming } from '../../packages/norn/src/cluster/conformance.ts'
import type { ClusterOptions, ClusterView } from '../../packages/norn/src/cluster/definition.ts'
import type { ProgramSystem } from '../../packages/norn/src/cluster/stdio/program-system.ts'
import { stepPlanner } from '../../packages/norn/src/domains/cluster/search/step-policy.ts'
import { parseGuide } from '../../packages/norn/src/options/guide.ts'
import type { CampaignPlanner } from '../../packages/norn/src/search/domain.ts'
import { etcdRaft, type Variant } from '../../systems/etcd-raft/cluster-options.ts'
import type { RaftState } from '../../systems/etcd-raft/events.ts'
import { processorMs } from '../measure.ts'
import { executeDirectly } from '../microbenchmark/direct.ts'
import { ModelFuzzPlanner } from '../microbenchmark/modelfuzz-planner.ts'
import { type Nodes, PROJECTION_NAMES, PROJECTIONS, type ProjectionName } from './projections.ts'

/**
 * What is compared: a guide, as `--guide` has it (`line`: `edges` of the library; `conformance`: the
 * model, whose divergences are failures), and who makes something of it.
 */
export interface Technique {
  readonly guide: 'none' | 'trace' | 'line' | 'model' | 'conformance'
  readonly policy: 'norn' | 'modelfuzz'
}

export interface TrialOptions extends Technique {
  readonly seed: number
  /** Executions at most. */
  readonly executions: number
  /** Default: the library itself. */
  readonly variant?: Variant
  /** Whether to end with the first failure, and to count no states. */
  readonly untilFound?: boolean
}

export interface TrialResult {
  /** The first execution that failed, counted from 1; null if none did. */
  readonly foundAt: number | null
  /** What the first failure said; null if there was none. */
  readonly failure: string | null
  /** After every `EVERY` executions. */
  readonly points: readonly TrialPoint[]
}

export interface TrialPoint extends Readonly<Record<ProjectionName, number>> {
  readonly executions: number
  /** Processor time of norn and of the library, in milliseconds. */
  readonly cpuMs: number
}

/** Guides that `--guide` names otherwise. */
const GUIDES: Partial<Record<Technique['guide'], string>> = { line: 'edges', conformance: 'model' }

/** Executions between two points of a trial. */
const EVERY = 50

export function runTrial(options: TrialOptions): TrialResult {
  const { executions, untilFound = false } = options
  const { cluster, close, libraryMs } = clusterOf(options)
  const planner = plannerOf(options)
  const seen = { relative: new Set<string>(), symmetric: new Set<string>() }
  const points: TrialPoint[] = []
  let [foundAt, failure]: [number | null, string | null] = [null, null]
  let cpuMs = 0
  try {
    for (let execution = 1; execution <= executions; execution++) {
      const states: Nodes[] = []
      const keep = (view: ClusterView) =>
        void states.push(view.nodes.map(({ state }) => state as RaftState | undefined))
      const from = process.cpuUsage()
      const plan = planner.next()
      const { result, thrown } = executeDirectly(cluster, plan, untilFound ? undefined : keep)
      planner.observe(plan, result)
      const { user, system } = process.cpuUsage(from)
      cpuMs += (user + system) / 1000
      if (thrown !== undefined && foundAt === null) {
        foundAt = execution
        failure = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown)
        if (untilFound) break
      }
      for (const nodes of states) for (const name of PROJECTION_NAMES) seen[name].add(PROJECTIONS[name](nodes))
      if (execution % EVERY > 0 && execution < executions) continue
      const counts = { relative: seen.relative.size, symmetric: seen.symmetric.size }
      points.push({ executions: execution, cpuMs: Math.round(cpuMs + libraryMs()), ...counts })
    }
  } finally {
    close()
  }
  return { foundAt, failure, points }
}

/** The cluster; it follows the model only for a guide that needs it. */
function clusterOf({ guide, variant }: TrialOptions) {
  const { model, ...cluster } = etcdRaft({ ...variant, isCovered: guide === 'line' }) as unknown as ClusterOptions
  // One program serves all executions.
  const system = cluster.system() as ProgramSystem
  const follows = guide === 'model' || guide === 'conformance'
  const bound = guide === 'conformance' ? conforming(model!) : model
  return {
    cluster: { ...cluster, system: () => system, ...(follows ? { model: bound } : {}) } as ClusterOptions,
    close: () => system.close(),
    libraryMs: () => (system.pid === undefined ? 0 : processorMs(system.pid)),
  }
}

function plannerOf({ guide, policy, seed }: TrialOptions): CampaignPlanner {
  const options = {
    seed,
    guide: parseGuide(GUIDES[guide] ?? guide),
    strategy: 'portfolio',
    examples: 0,
    resumed: [],
  }
  return policy === 'norn' ? stepPlanner(options) : new ModelFuzzPlanner(options)
}
