import type { Mutant } from '../mutant.ts'
import { READS } from '../workloads.ts'

export const learnerRead: Mutant = {
  name: 'learner-read',
  what: 'A leader takes the answers of learners for those of voters when it confirms a read.',
  edits: [
    {
      file: 'raft.go',
      before: '		if r.prs.Voters.VoteResult(r.readOnly.recvAck(m.From, m.Context)) != quorum.VoteWon {',
      after: '		if acks := r.readOnly.recvAck(m.From, m.Context); len(acks) <= len(r.prs.Voters[0])/2 {',
    },
  ],
  variant: { ...READS, nodes: ['a', 'b', 'c', 'd'], voters: 3, learners: 1 },
}
