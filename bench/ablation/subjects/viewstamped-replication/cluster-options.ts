/** The cluster: clients, faults, what must hold, and the mapping of log entries to actions of the model. */
import assert from 'node:assert/strict'
import type { Action, ClusterOptions, ClusterView, LogEntry } from 'norn/cluster'
import { tlaModel } from 'norn/tla'
import { type Message, type ReplicaState, viewstampedReplication } from './replica.ts'

const REQUESTS = 6

export function viewstampedReplicationCluster(): ClusterOptions<string, ReplicaState> {
  return {
    system: viewstampedReplication,
    steps: 100,
    faults: { crashes: 2, drops: 4 },
    requests: Array.from({ length: REQUESTS }, (_, at) => `write ${at}`),
    invariant: ({ nodes }) => {
      for (const { state: one } of nodes) {
        for (const { state: other } of nodes) {
          if (one === undefined || other === undefined) continue
          const both = Math.min(one.commit, other.commit)
          assert.deepEqual(one.log.slice(0, both), other.log.slice(0, both), 'committed logs differ')
        }
      }
    },
    model: {
      model: tlaModel(new URL('./ViewstampedReplication.tla', import.meta.url), { project: 'Projection' }),
      actions: actionOf,
      disabled: 'fail',
      agree: { implementation: implementationOf, model: modelOf },
    },
    required: ['committed', 'view', 'recovered'],
  }
}

/** The abstract state as the cluster shows it, for counting without the model. */
export function viewstampedReplicationProjection({ nodes }: ClusterView<ReplicaState>): unknown {
  const views = nodes.flatMap(({ state }) => (state === undefined ? [] : [state.view]))
  const lowest = Math.min(...views)
  return nodes.map(({ state }) =>
    state === undefined
      ? 'down'
      : [state.status, Math.min(state.view - lowest, 3), Math.min(state.op, 4), Math.min(state.commit, 4)],
  )
}

const ACTIONS: Readonly<Record<Exclude<Message['type'], 'request'>, readonly [name: string, hasSender: boolean]>> = {
  prepare: ['Prepare', false],
  'prepare-ok': ['PrepareOk', true],
  commit: ['Heartbeat', false],
  'start-view-change': ['StartViewChange', true],
  'do-view-change': ['DoViewChange', true],
  'start-view': ['StartView', false],
  'get-state': ['GetState', false],
  'new-state': ['NewState', false],
  recovery: ['Recovery', false],
  'recovery-response': ['RecoveryResponse', true],
}

function actionOf({ kind, node, peer, name, id, data }: LogEntry): Action | undefined {
  switch (kind) {
    case 'crash':
      return { action: 'Crash', parameters: [node] }
    case 'restart':
      return { action: 'Restart', parameters: [node] }
    case 'timeout':
      return name === 'view' ? { action: 'Timeout', parameters: [node] } : undefined
    case 'request':
      return { action: 'Request', parameters: [node, id] }
    case 'deliver': {
      const message = data as Message
      if (message.type === 'request') return { action: 'Request', parameters: [node, message.request] }
      const [action, hasSender] = ACTIONS[message.type]
      return { action, parameters: hasSender ? [node, peer, message] : [node, message] }
    }
    default:
      return undefined
  }
}

function implementationOf({ nodes }: ClusterView): unknown {
  return Object.fromEntries(
    (nodes as ClusterView<ReplicaState>['nodes']).flatMap(({ id, state }) => {
      if (state === undefined) return []
      const { status, view, normal, log, commit } = state
      return [[id, { status, view, normal, log, commit }]]
    }),
  )
}

function modelOf({ replica }: { replica: Record<string, ReplicaState> }): unknown {
  return Object.fromEntries(
    Object.entries(replica).flatMap(([id, { status, view, normal, log, commit }]) =>
      (status as string) === 'down' ? [] : [[id, { status, view, normal, log, commit }]],
    ),
  )
}
