/**
 * Traces of the Raft-like election of models/RaftElection.tla: in each of five terms a leader is
 * elected, and copies client requests to the two others. Chance decides who stands and votes, the
 * number of requests, and who answers first.
 */
import { type Chance, chance } from '../../engine.ts'

export type Trace = readonly (readonly [action: string, parameters: readonly unknown[]])[]

const SERVERS = ['s1', 's2', 's3']
/** As in the configuration. */
const [MAX_TERM, MAX_LENGTH] = [5, 12]

/** A trace of `length` actions, or fewer if all terms are over. */
export function raftTrace(seed: number, length: number): Trace {
  const random = chance(seed)
  const trace: [string, readonly unknown[]][] = []
  let [leader, index] = ['', 0]
  for (let term = 1; term <= MAX_TERM; term++) {
    const [candidate, voter] = shuffled(
      SERVERS.filter((server) => server !== leader),
      random,
    ) as [string, string]
    leader = candidate
    trace.push(['Timeout', [leader, term]])
    trace.push(
      ['GrantVote', [voter, leader, term]],
      ['CountVote', [leader, voter, term]],
      ['BecomeLeader', [leader, term]],
    )
    for (let left = random.integer(2, 3); left > 0 && index < MAX_LENGTH; left--) {
      trace.push(['ClientRequest', [leader, term]], ['SendEntries', [leader, term, index, index + 1]])
      const followers = SERVERS.filter((server) => server !== leader)
      for (const follower of shuffled(followers, random)) trace.push(['AcceptEntries', [follower, leader, term, index]])
      for (const follower of shuffled(followers, random)) {
        trace.push(['CountAppended', [leader, follower, term, index + 1]])
      }
      index++
      trace.push(['Commit', [leader, term, index]])
    }
  }
  return trace.slice(0, length)
}

function shuffled(names: readonly string[], random: Chance): readonly string[] {
  return random.coin(0.5) ? names : names.toReversed()
}
