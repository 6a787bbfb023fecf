/**
 * The systems of the ablation. The first four are those that the policy was tuned on, the last two
 * were chosen beforehand and not tuned on (subjects/).
 */
import { existsSync } from 'node:fs'
import { election, type Member } from '../../examples/leader-election/election.ts'
import { clusterOptions } from '../../examples/two-phase-commit/cluster-options.ts'
import type { ClusterOptions, ClusterView } from '../../packages/norn/src/cluster/definition.ts'
import { type Guide, parseGuide } from '../../packages/norn/src/options/guide.ts'
import { binaryOf } from '../../systems/etcd-raft/binary.ts'
import { etcdRaft } from '../../systems/etcd-raft/cluster-options.ts'
import type { RaftState } from '../../systems/etcd-raft/events.ts'
import { microbenchmark } from '../microbenchmark/actors.ts'
import { PROJECTIONS } from '../raft/projections.ts'
import { observedStates } from './observed-states.ts'
import { BLIND_SUBJECTS } from './subjects/subjects.ts'

export interface AblationSystem {
  readonly name: string
  /** What guides it. */
  readonly guide: Guide
  /** Whether it was not tuned on. */
  readonly isBlind: boolean
  /** Executions of a trial. */
  readonly executions: number
  /** Why it cannot run here; undefined if it can. */
  readonly missing?: string | undefined
  /** Its model counts the abstract states, whatever guides. */
  cluster(): ClusterOptions
}

const MODEL = parseGuide('model')

export const SYSTEMS: readonly AblationSystem[] = [
  {
    name: 'microbenchmark',
    guide: MODEL,
    isBlind: false,
    executions: 4000,
    cluster: () => microbenchmark({ workers: 6, executes: 40 }),
  },
  {
    name: 'two-phase commit',
    guide: MODEL,
    isBlind: false,
    executions: 4000,
    cluster: () => ({
      ...(clusterOptions() as unknown as ClusterOptions),
      requests: [{ refusing: [] }, { refusing: ['ann'] }, { refusing: [] }],
    }),
  },
  { name: 'leader election', guide: parseGuide('order'), isBlind: false, executions: 4000, cluster: leaderElection },
  {
    name: 'etcd-raft',
    guide: MODEL,
    isBlind: false,
    executions: 2000,
    missing: existsSync(binaryOf()) ? undefined : 'the harness is not built: run `npm run systems:etcd-raft`',
    cluster: raft,
  },
  ...BLIND_SUBJECTS.map(({ name, cluster }) => ({ name, guide: MODEL, isBlind: true, executions: 2000, cluster })),
]

/** Guided by orders of events, as the example has no model; what the nodes show is counted. */
function leaderElection(): ClusterOptions {
  return {
    system: election,
    steps: 120,
    faults: { crashes: 2, drops: 3, partitions: 1 },
    model: observedStates(({ nodes }) => {
      const members = nodes.map(({ up, state }) => (up ? (state as Member) : undefined))
      const latest = Math.max(0, ...members.map((member) => member?.term ?? 0))
      const shown = members.map((member) => member && [member.role, latest - member.term, member.votedFor])
      return JSON.stringify([Math.min(latest, MAX_TERM), shown])
    }),
  }
}

/** Higher terms are not told apart. */
const MAX_TERM = 6

/** Guided by the relative projection of what the nodes show; bench/raft has the TLA+ model as a guide. */
function raft(): ClusterOptions {
  const { invariant: _, ...cluster } = etcdRaft() as unknown as ClusterOptions
  const project = ({ nodes }: ClusterView) =>
    PROJECTIONS.relative(nodes.map(({ state }) => state as RaftState | undefined))
  return { ...cluster, model: observedStates(project) }
}
