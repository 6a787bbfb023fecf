/** models/raft/Raft.tla as the model of etcd-raft: its configuration, and what has to agree after each step. */
import type { ClusterView, ModelBinding } from 'norn/cluster'
import { tlaModel } from 'norn/tla'
import type { Configuration, RaftState, Request } from './events.ts'
import { actionsOf } from './mapping.ts'

/** The value of the model's state, as far as it is compared. */
interface ModelState {
  readonly up: Readonly<Record<string, boolean>>
  readonly role: Readonly<Record<string, string>>
  readonly term: Readonly<Record<string, number>>
  readonly votedFor: Readonly<Record<string, string>>
  readonly lead: Readonly<Record<string, string>>
  readonly commit: Readonly<Record<string, number>>
  readonly log: Readonly<Record<string, readonly number[]>>
  readonly snapshot: Readonly<Record<string, { readonly index: number; readonly term: number }>>
  readonly config: Readonly<Record<string, Configuration>>
}

const SPECIFICATION = new URL('../../models/raft/Raft.tla', import.meta.url)

/** Nearly every transition is new: a large memory only costs collecting it. */
const MAX_BYTES = 16 * 2 ** 20

export interface RaftModel {
  readonly nodes: readonly string[]
  /** The first configuration. Default: all nodes. */
  readonly voters?: readonly string[]
  /** Default: none. */
  readonly learners?: readonly string[]
  /** What coverage counts, as a TLA+ expression. Default: `Shape`. */
  readonly project?: string
}

export function raftModel({
  nodes,
  voters = nodes,
  learners = [],
  project = 'Shape',
}: RaftModel): ModelBinding<RaftState | undefined, Request> {
  return {
    model: tlaModel(SPECIFICATION, {
      configuration: { text: configurationText(nodes, voters, learners) },
      project,
      maxRememberedBytes: MAX_BYTES,
    }),
    actions: actionsOf,
    agree: {
      differences: 'ignore',
      implementation: (view: ClusterView<RaftState | undefined, Request>) =>
        view.nodes.filter(({ up }) => up).map(({ id, state }) => implementation(id, state!)),
      model: (state: ModelState) => nodes.filter((id) => state.up[id]).map((id) => model(id, state)),
    },
  }
}

function implementation(id: string, state: RaftState) {
  const { role, term, vote, lead, commit, log, snapshot, configuration } = state
  return { id, role, term, vote, lead, commit, log, snapshot, configuration: members(configuration) }
}

function model(id: string, state: ModelState) {
  const { index, term } = state.snapshot[id]!
  return {
    id,
    role: state.role[id],
    term: state.term[id],
    vote: state.votedFor[id],
    lead: state.lead[id],
    commit: state.commit[id],
    log: state.log[id],
    snapshot: { index, term },
    configuration: members(state.config[id]!),
  }
}

function members({ voters, outgoing = [], learners = [] }: Configuration) {
  return { voters: voters.toSorted(), outgoing: outgoing.toSorted(), learners: learners.toSorted() }
}

function configurationText(nodes: readonly string[], voters: readonly string[], learners: readonly string[]): string {
  return `
SPECIFICATION Spec
CONSTANTS
  Servers = {${nodes.join(', ')}}
  Voters = {${voters.join(', ')}}
  Learners = {${learners.join(', ')}}
  None = none`
}
