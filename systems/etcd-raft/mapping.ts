/**
 * The steps of etcd-raft as actions of models/raft/Raft.tla; docs/models.md walks through it.
 *
 * Actions are in the order of what a step does (README.md). Handlers decide in the model what they do,
 * so the mapping looks at the outcome only where the library has a choice: whether it stands, is
 * elected, appends, applies a change of the configuration, and makes a snapshot.
 */
import type { Action, ClusterView, LogEntry } from 'norn/cluster'
import type { Configuration, Confirmed, Message, RaftState, Step } from './events.ts'

type View = ClusterView<RaftState | undefined>

/** The handlers of messages that are answered, and the type of the answer. */
const REQUESTS: Readonly<Record<string, readonly [handler: string, answer: string]>> = {
  MsgVote: ['HandleRequestVoteRequest', 'MsgVoteResp'],
  MsgApp: ['HandleAppendEntriesRequest', 'MsgAppResp'],
  MsgHeartbeat: ['HandleHeartbeat', 'MsgHeartbeatResp'],
  MsgSnap: ['HandleSnapshot', 'MsgAppResp'],
}

/** Those of the others. */
const NOTICES: Readonly<Record<string, string>> = {
  MsgVoteResp: 'HandleRequestVoteResponse',
  MsgAppResp: 'HandleAppendEntriesResponse',
  MsgTimeoutNow: 'HandleTimeoutNow',
}

/** The handlers of messages that may confirm reads. */
const CONFIRMATIONS: Readonly<Record<string, string>> = {
  MsgHeartbeatResp: 'HandleHeartbeatResponse',
  MsgReadIndexResp: 'HandleReadIndexResponse',
}

/** What is sent before a change of the configuration is applied; entries are sent again after it. */
const SENDS: Readonly<Record<string, string>> = {
  MsgVote: 'SendRequestVoteRequest',
  MsgHeartbeat: 'SendHeartbeat',
  MsgSnap: 'SendSnapshot',
  MsgTimeoutNow: 'SendTimeoutNow',
}

/** @param isChecked whether to include the actions that change nothing, which only check what was sent */
export function actionsOf(
  { kind, name, node: s, data }: LogEntry,
  view: View,
  isChecked = true,
): readonly Action[] | undefined {
  if (kind === 'crash') return [{ action: 'Crash', parameters: [s] }]
  if (kind !== 'event') return undefined
  // The others tell people what a step did.
  if (name !== 'step') return []
  const step = data as unknown as Step
  const { before, after, created } = step
  // The first heartbeat with a context begins a read.
  const out = (step.out ?? []).filter(
    (sent) => isChecked || (sent.type === 'MsgHeartbeat' && sent.context !== undefined),
  )
  const actions: Action[] = []
  const take = (action: string, ...parameters: readonly unknown[]) => {
    actions.push({ action, parameters: [s, ...parameters] })
  }

  if (step.kind === 'start') take('AddProcess')
  if (step.kind === 'restart') take('Restart', before.commit)
  if (step.kind === 'election' && after.term > before.term) take('Timeout')
  if (step.in !== undefined) receive(step.in, step, take)
  const confirmed = confirmedBy(step)
  const confirms = CONFIRMATIONS[step.in?.type ?? '']
  if (confirms !== undefined) {
    if (isChecked || step.in!.context !== undefined) take(confirms, modelled(step.in!), { $set: confirmed })
  } else if (confirmed.length > 0) take('ConfirmAlone', { $set: confirmed })

  let appended = after.role === 'leader' ? after.index - before.index : 0
  if (after.role === 'leader' && before.role !== 'leader') {
    take('ElectLeader')
    appended--
  }
  const change = step.applied?.findLast(({ data: content }) => content !== null && 'configure' in content)
  const configuration = change && configurationOf(view.nodes.find(({ id }) => id === s)!.state!.configuration)
  // A leader appends the end of a joint configuration when it has applied the beginning.
  const afterChange = configuration?.autoLeave && appended > 0 ? 1 : 0
  for (let more = afterChange; more < appended; more++) take('ClientRequest')
  if (after.role === 'leader') take('AdvanceCommitIndex')
  for (const message of out) {
    const send = SENDS[message.type]
    if (send !== undefined) take(send, modelled(message))
  }
  if (change !== undefined) {
    take('ChangeConfiguration', change.index, configuration!.model)
    if (afterChange > 0) take('ClientRequest')
    if (after.role === 'leader') take('AdvanceCommitIndex')
  }
  for (const message of out) if (message.type === 'MsgApp') take('SendAppendEntriesRequest', modelled(message))
  if (created !== undefined) take('UpdateSnapshotIndex', created)
  if (isChecked && actions.length === 0) take('Unaffected')
  return actions
}

function receive(
  message: Message,
  { before, out = [] }: Step,
  take: (action: string, ...parameters: unknown[]) => void,
) {
  const { type, from, term = 0 } = message
  const request = REQUESTS[type]
  const notice = NOTICES[type]
  const received = modelled(message)
  if (term > before.term) take('UpdateTerm', received)
  if (notice !== undefined) take(notice, received)
  if (request === undefined) return
  const reply = out.find((sent) => sent.type === request[1] && sent.to === from)
  take(request[0], received, reply === undefined ? 'none' : modelled(reply))
}

/** The reads that a step answers, to clients of the node or to another that has asked. */
function confirmedBy({ confirmed = [], out = [] }: Step): readonly Confirmed[] {
  const answers = out.filter(({ type }) => type === 'MsgReadIndexResp')
  return [...confirmed, ...answers.map(answerOf)]
}

function answerOf({ data, index }: Message): Confirmed {
  return { context: String(data![0]), index: index! }
}

/** A message as the model has it: without contents, and with all fields of its type. */
function modelled({ type, from, to, term = 0, ...m }: Message): Readonly<Record<string, unknown>> {
  switch (type) {
    case 'MsgVote':
      return { type, from, to, term, index: m.index, logTerm: m.logTerm }
    case 'MsgVoteResp':
      return { type, from, to, term, reject: m.reject ?? false }
    case 'MsgApp':
      return { type, from, to, term, index: m.index, logTerm: m.logTerm, commit: m.commit, entries: m.entries }
    case 'MsgAppResp':
      return { type, from, to, term, index: m.index, reject: m.reject ?? false, hint: m.hint ?? 'none' }
    case 'MsgHeartbeat':
      return { type, from, to, term, commit: m.commit, context: m.context ?? 'none' }
    case 'MsgHeartbeatResp':
      return { type, from, to, term, context: m.context ?? 'none' }
    case 'MsgReadIndexResp':
      return { type, from, to, term, ...answerOf({ type, from, to, ...m }) }
    case 'MsgSnap': {
      const { index, term: logTerm, ...configuration } = m.snapshot!
      return { type, from, to, term, index, logTerm, config: configurationOf(configuration).model }
    }
    default:
      return { type, from, to, term }
  }
}

function configurationOf({ voters, outgoing = [], learners = [], autoLeave }: Configuration) {
  return {
    model: { voters: { $set: voters }, outgoing: { $set: outgoing }, learners: { $set: learners } },
    autoLeave,
  }
}
