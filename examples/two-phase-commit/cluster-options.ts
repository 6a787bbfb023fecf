/** The options of the clusters: clients, faults, what must hold, and the binding to the model. */
import assert from 'node:assert/strict'
import { fc } from 'norn'
import type { Action, ClusterOptions, LogEntry, ModelBinding } from 'norn/cluster'
import { known, model, type State } from './model.ts'
import {
  COORDINATOR,
  type Mistakes,
  PARTICIPANTS,
  type Request,
  type Transactions,
  twoPhaseCommit,
} from './two-phase-commit.ts'

export function clusterOptions(mistakes: Mistakes = {}): ClusterOptions<Request> {
  return {
    system: () => twoPhaseCommit(mistakes),
    steps: 50,
    requests: fc.array(fc.record({ refusing: fc.subarray(PARTICIPANTS) }), { minLength: 1, maxLength: 3 }),
    route: () => COORDINATOR,
    faults: { crashes: 2, drops: 2, duplicates: 2 },
    invariant(view) {
      for (const { id } of view.requests) {
        const statuses = PARTICIPANTS.map((name) => (view.node(name).state as Transactions | undefined)?.[id])
        assert(!(statuses.includes('committed') && statuses.includes('aborted')), `transaction ${id} is torn apart`)
      }
    },
    eventually: {
      what: 'every transaction is decided at every node',
      holds: ({ nodes, requests }) =>
        nodes.every(({ state }) =>
          requests.every(({ id }) => ['committed', 'aborted'].includes((state as Transactions)[id]!)),
        ),
    },
    model: binding,
    required: ['commit', 'refuse'],
  }
}

/** Each reported event must be a step that the model allows, and both sides must agree after it. */
const binding: ModelBinding = {
  model,
  actions: actionOf,
  disabled: 'fail',
  agree: {
    implementation: ({ nodes }) => Object.fromEntries(nodes.filter(({ up }) => up).map(({ id, state }) => [id, state])),
    model: (state: State) => known(state),
  },
}

function actionOf({ kind, node, name, data }: LogEntry): Action | undefined {
  if (kind === 'crash') return { action: 'Crash', parameters: [node] }
  if (kind === 'restart') return { action: 'Restart', parameters: [node] }
  if (kind !== 'event') return undefined
  const { transaction } = data as { transaction: number }
  switch (name) {
    case 'begin':
      return { action: 'Begin', parameters: [transaction] }
    case 'prepare':
      return { action: 'Prepare', parameters: [node, transaction] }
    case 'refuse':
      return { action: 'Refuse', parameters: [node, transaction] }
    case 'decide to commit':
      return { action: 'DecideToCommit', parameters: [transaction] }
    case 'decide to abort':
      return { action: 'DecideToAbort', parameters: [transaction] }
    case 'commit':
      return { action: 'Commit', parameters: [node, transaction] }
    case 'abort':
      return { action: 'Abort', parameters: [node, transaction] }
    default:
      throw new Error(`the log has an event '${name}' that no action of the model stands for`)
  }
}
