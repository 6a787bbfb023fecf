/**
 * Two-phase commit without messages and timers: the steps that each node may take, given all other states. After
 * Lamport's `TwoPhase` ("Consensus on Transaction Commit", 2006), with several transactions, and nodes that are down.
 */
import { defineModel, disabled, type ModelDefinition } from 'norn/cluster'
import { COORDINATOR, PARTICIPANTS, type Status, type Transactions } from './two-phase-commit.ts'

export interface State {
  /** What each node knows; all of it is durable, so a crash does not change it. */
  readonly nodes: Readonly<Record<string, Transactions>>
  /** The nodes that are down, in the order of their names. */
  readonly down: readonly string[]
}

export const definition: ModelDefinition<State> = {
  init: { nodes: Object.fromEntries([COORDINATOR, ...PARTICIPANTS].map((name) => [name, {}])), down: [] },
  actions: {
    Begin(state, transaction: number) {
      if (decisionOn(state, transaction) !== undefined) return disabled('the transaction has begun before')
      return become(state, COORDINATOR, transaction, 'preparing')
    },
    Prepare(state, participant: string, transaction: number) {
      if (decisionOn(state, transaction) === undefined) return disabled('nobody has asked for it')
      if (statusAt(state, participant, transaction) !== undefined) return disabled('it has voted before')
      return become(state, participant, transaction, 'prepared')
    },
    Refuse(state, participant: string, transaction: number) {
      if (decisionOn(state, transaction) === undefined) return disabled('nobody has asked for it')
      if (statusAt(state, participant, transaction) !== undefined) return disabled('it has voted before')
      return become(state, participant, transaction, 'aborted')
    },
    DecideToCommit(state, transaction: number) {
      if (decisionOn(state, transaction) !== 'preparing') return disabled('the coordinator has decided before')
      const missing = PARTICIPANTS.find((name) => statusAt(state, name, transaction) !== 'prepared')
      if (missing !== undefined) return disabled(`${missing} is not prepared`)
      return become(state, COORDINATOR, transaction, 'committed')
    },
    DecideToAbort(state, transaction: number) {
      const decision = decisionOn(state, transaction)
      if (decision === undefined) return disabled('the transaction has not begun')
      if (decision === 'committed') return disabled('the coordinator has decided to commit')
      return become(state, COORDINATOR, transaction, 'aborted')
    },
    Commit(state, participant: string, transaction: number) {
      if (decisionOn(state, transaction) !== 'committed') return disabled('the coordinator has not decided so')
      if (statusAt(state, participant, transaction) !== 'prepared') return disabled('it is not prepared')
      return become(state, participant, transaction, 'committed')
    },
    Abort(state, participant: string, transaction: number) {
      const status = statusAt(state, participant, transaction)
      if (status === 'committed') return disabled('it has committed')
      if (decisionOn(state, transaction) !== 'aborted') return disabled('the coordinator has not decided so')
      return become(state, participant, transaction, 'aborted')
    },
    Crash: (state, node: string) => ({ ...state, down: [...state.down, node].sort() }),
    Restart: (state, node: string) => ({ ...state, down: state.down.filter((name) => name !== node) }),
  },
  invariant({ nodes }) {
    for (const transaction of Object.keys(nodes[COORDINATOR]!)) {
      const statuses = PARTICIPANTS.map((name) => nodes[name]![Number(transaction)])
      if (statuses.includes('committed') && statuses.includes('aborted')) return false
    }
    return true
  },
}

export const model = defineModel(definition)

/** What the nodes that are up know. */
export function known({ nodes, down }: State): Record<string, Transactions> {
  return Object.fromEntries(Object.entries(nodes).filter(([name]) => !down.includes(name)))
}

function statusAt(state: State, node: string, transaction: number): Status | undefined {
  return state.nodes[node]![transaction]
}

function decisionOn(state: State, transaction: number): Status | undefined {
  return statusAt(state, COORDINATOR, transaction)
}

function become(state: State, node: string, transaction: number, status: Status): State {
  return { ...state, nodes: { ...state.nodes, [node]: { ...state.nodes[node], [transaction]: status } } }
}
