/**
 * A log of the Raft-like election of models/: a leader is elected, and copies its log to two
 * others.
 */

export interface RaftEntry {
  readonly action: string
  readonly parameters: readonly (string | number)[]
  readonly state: Record<string, unknown>
}

/** So many entries, with what a server knows of itself after each. */
export function raftTrace(length: number): RaftEntry[] {
  const entries: RaftEntry[] = []
  const logs: Record<string, number> = { s1: 0, s2: 0, s3: 0 }
  const commit: Record<string, number> = { s1: 0, s2: 0, s3: 0 }
  const put = (action: string, parameters: readonly (string | number)[], more: object = {}) => {
    const server = String(parameters[0])
    const seen = { commit: { [server]: commit[server] }, [`Len(log[${server}])`]: logs[server] }
    entries.push({ action, parameters, state: { ...seen, ...more } })
  }
  put('Timeout', ['s1', 1], { role: { s1: 'candidate' } })
  put('GrantVote', ['s2', 's1', 1], { 'votedFor[s2]': 's1' })
  put('CountVote', ['s1', 's2', 1], { 'votes[s1]': ['s2', 's1'] })
  put('BecomeLeader', ['s1', 1], { role: { s1: 'leader' } })
  for (let index = 1; entries.length < length; index++) {
    logs.s1 = index
    put('ClientRequest', ['s1', 1])
    put('SendEntries', ['s1', 1, index - 1, index])
    for (const follower of ['s2', 's3']) {
      logs[follower] = index
      commit[follower] = index - 1
      put('AcceptEntries', [follower, 's1', 1, index - 1], { log: { [follower]: { [index]: 1 } } })
      put('CountAppended', ['s1', follower, 1, index], { match: { s1: { [follower]: index } } })
    }
    commit.s1 = index
    put('Commit', ['s1', 1, index])
  }
  return entries.slice(0, length)
}
