import type { Mutant } from '../mutant.ts'

export const staleLeader: Mutant = {
  name: 'stale-leader',
  what: 'A node that voted for a candidate still acknowledges the entries of the leader before.',
  edits: [
    {
      file: 'raft.go',
      before: `		} else if m.Type == pb.MsgPreVote {
			// Before Pre-Vote enable`,
      after: `		} else if m.Type == pb.MsgApp && r.state == StateFollower && r.lead == None {
			term := r.Term
			r.Term = m.Term
			r.handleAppendEntries(m)
			r.Term = term
		} else if m.Type == pb.MsgPreVote {
			// Before Pre-Vote enable`,
    },
  ],
}
