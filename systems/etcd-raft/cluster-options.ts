/** A cluster of etcd-raft, as files of clusters, benches and tests declare it. */
import { existsSync } from 'node:fs'
import { type ClusterOptions, type ClusterView, type FaultQuotas, program } from 'norn/cluster'
import { type End, linearizable, MODELS } from 'norn/history'
import { binaryOf } from './binary.ts'
import type { RaftState, Reply, Request } from './events.ts'
import { raftModel } from './model.ts'
import { raftSafety } from './safety.ts'
import { OPERATIONS } from './workloads.ts'

export interface Variant {
  /** The name of a mutant of the library (see mutants/). Default: the library itself. */
  readonly mutant?: string
  /** Default: a, b and c. */
  readonly nodes?: readonly string[]
  /** How many of the nodes vote at first. Default: all. */
  readonly voters?: number
  /** How many of the nodes after these learn at first. Default: 0. */
  readonly learners?: number
  /** The applied entries after which a node makes a snapshot; 0: never. Default: 3. */
  readonly snapshotEvery?: number
  /** The size of the entries in one message, in bytes; 0: one entry. Default: 0. */
  readonly messageBytes?: number
  /** What clients ask. Default: operations of the register. */
  readonly requests?: readonly Request[]
  /** How often each fault may happen. Default: 10 crashes, 5 drops, 3 duplicates. */
  readonly faults?: FaultQuotas
  /** Answers hold the hits of the library's blocks, which guide the search with `--guide edges`. Default: false. */
  readonly isCovered?: boolean
  /** What nodes lose though no Raft survives that: the `disk` in a crash, or each `snapshot` that they make. */
  readonly lose?: 'disk' | 'snapshot'
}

/** Crashes, restarts, lost and duplicated messages; clients; all oracles. */
export function etcdRaft(variant: Variant = {}): ClusterOptions<Request, RaftState | undefined> {
  const command = commandOf(variant)
  const { nodes = ['a', 'b', 'c'], voters = nodes.length, learners = 0 } = variant
  const isLinearizable = linearizable(MODELS['cas-register'], {
    input: (request: Request) => ('f' in request ? request : undefined),
    end: (reply) => endOf(reply as Reply),
  })
  const isSafe = raftSafety()
  return {
    system: () => program<RaftState | undefined>(command, { nodes }),
    steps: 100,
    faults: variant.faults ?? { crashes: 10, drops: 5, duplicates: 3 },
    requests: variant.requests ?? OPERATIONS,
    requestEveryMs: 100,
    quiet: ['step'],
    required: ['elected', 'committed', 'restarted', 'snapshot installed'],
    invariant: (view: ClusterView<RaftState | undefined, Request>) => {
      isSafe(view)
      isLinearizable(view)
    },
    eventually: { what: 'all voters have applied the log of one leader', holds: isSettled },
    model: raftModel({ nodes, voters: nodes.slice(0, voters), learners: nodes.slice(voters, voters + learners) }),
  }
}

/** Whether all voters of a leader follow it, and have applied its log. One that was removed may lead on. */
function isSettled({ nodes }: ClusterView<RaftState | undefined>): boolean {
  const states = nodes.flatMap(({ id, state }) => (state === undefined ? [] : [{ id, ...state }]))
  return states.some(({ id, role, index, configuration: { voters } }) => {
    const hasAll = (of: (typeof states)[number]) => of.lead === id && of.applied === index
    return role === 'leader' && states.every((each) => !voters.includes(each.id) || hasAll(each))
  })
}

function endOf(reply: Reply): End {
  return 'error' in reply ? { outcome: 'fail' } : { outcome: 'ok', output: reply.value }
}

function commandOf(variant: Variant): string[] {
  const { mutant, voters = 0, learners = 0, snapshotEvery = 3, messageBytes = 0, isCovered, lose } = variant
  const binary = binaryOf(mutant, isCovered)
  if (!existsSync(binary)) {
    const call = `npm run systems:etcd-raft${mutant === undefined ? '' : ' -- --mutants'}${isCovered ? ' -- --covered' : ''}`
    throw new Error(`the harness of etcd-raft is not built: ${binary} does not exist. Run \`${call}\``)
  }
  const numbers = { voters, learners, 'snapshot-every': snapshotEvery, 'message-bytes': messageBytes }
  const flags = Object.entries(numbers).map(([flag, value]) => `--${flag}=${value}`)
  return [binary, ...flags, ...(lose === undefined ? [] : [`--lose=${lose}`])]
}
