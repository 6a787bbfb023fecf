/** The cluster: clients, faults, what must hold, and the mapping of log entries to actions of the model. */
import assert from 'node:assert/strict'
import type { Action, ClusterOptions, ClusterView, LogEntry } from 'norn/cluster'
import { tlaModel } from 'norn/tla'
import { chainReplication, MASTER, type MasterState, type Message, type ServerState } from './chain.ts'

const REQUESTS = 6

type State = MasterState | ServerState

export function chainReplicationCluster(): ClusterOptions<string, State> {
  return {
    system: chainReplication,
    steps: 100,
    faults: { crashes: 6, drops: 4 },
    requests: Array.from({ length: REQUESTS }, (_, at) => `write ${at}`),
    invariant: (view) => {
      for (const one of serversOf(view)) {
        for (const other of serversOf(view)) {
          const both = Math.min(one.state.commit, other.state.commit)
          assert.deepEqual(one.state.log.slice(0, both), other.state.log.slice(0, both), 'committed logs differ')
        }
      }
    },
    model: {
      model: tlaModel(new URL('./ChainReplication.tla', import.meta.url), { project: 'Projection' }),
      actions: actionOf,
      disabled: 'fail',
      agree: { implementation: implementationOf, model: modelOf },
    },
    required: ['committed', 'configured'],
  }
}

/** The abstract state as the cluster shows it, for counting without the model. */
export function chainReplicationProjection(view: ClusterView<State>): unknown {
  const master = view.node(MASTER).state as MasterState | undefined
  const servers = serversOf(view)
  const latest = Math.max(...servers.map(({ state }) => state.epoch))
  return [
    master === undefined ? 'down' : [master.chain, master.synced],
    servers.map(({ id, state }) => [
      id,
      Math.min(latest - state.epoch, 2),
      state.ready,
      Math.min(state.op, 4),
      Math.min(state.commit, 4),
    ]),
  ]
}

function actionOf({ kind, node, peer, id, data }: LogEntry): Action | undefined {
  switch (kind) {
    case 'crash':
      return node === MASTER ? { action: 'CrashMaster' } : { action: 'Crash', parameters: [node] }
    case 'restart':
      return node === MASTER ? { action: 'RestartMaster' } : { action: 'Restart', parameters: [node] }
    case 'timeout':
      return node === MASTER ? { action: 'Ping' } : undefined
    case 'request':
      return node === MASTER ? undefined : { action: 'Request', parameters: [node, id] }
    case 'deliver':
      return deliveryOf(data as Message, node, peer)
    default:
      return undefined
  }
}

function deliveryOf(message: Message, node: string, peer: string): Action | undefined {
  switch (message.type) {
    case 'ping':
      return undefined
    case 'pong':
      return { action: 'Pong', parameters: [peer] }
    case 'join':
      return { action: 'Join', parameters: [peer, message] }
    case 'synced':
      return { action: 'Synced', parameters: [peer, message] }
    case 'request':
      return { action: 'Request', parameters: [node, message.request] }
    case 'configure':
      return { action: 'Configure', parameters: [node, message] }
    case 'sync':
      return { action: 'Sync', parameters: [node, peer, message] }
    case 'forward':
      return { action: 'Forward', parameters: [node, peer, message] }
    case 'acknowledge':
      return { action: 'Acknowledge', parameters: [node, peer, message] }
  }
}

function serversOf({ nodes }: ClusterView): readonly { readonly id: string; readonly state: ServerState }[] {
  return nodes.filter(({ id, up }) => up && id !== MASTER) as { id: string; state: ServerState }[]
}

function implementationOf(view: ClusterView): unknown {
  const servers = serversOf(view).map(({ id, state: { epoch, chain, ready, log, commit } }) => {
    return [id, { epoch, chain, ready, log, commit }]
  })
  const { state, up } = view.node(MASTER)
  if (!up) return Object.fromEntries(servers)
  const { epoch, chain, synced, silent } = state as MasterState
  return { ...Object.fromEntries(servers), [MASTER]: { epoch, chain, synced: [...synced].sort(), silent } }
}

interface ModelState {
  readonly master: MasterState & { readonly up: boolean }
  readonly server: Readonly<Record<string, ServerState & { readonly up: boolean }>>
}

function modelOf({ master, server }: ModelState): unknown {
  const servers = Object.entries(server)
    .filter(([, { up }]) => up)
    .map(([id, { epoch, chain, ready, log, commit }]) => [id, { epoch, chain, ready, log, commit }])
  if (!master.up) return Object.fromEntries(servers)
  const { epoch, chain, synced, silent } = master
  return { ...Object.fromEntries(servers), [MASTER]: { epoch, chain, synced: [...synced].sort(), silent } }
}
