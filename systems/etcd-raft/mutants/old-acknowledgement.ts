import type { Mutant } from '../mutant.ts'

export const oldAcknowledgement: Mutant = {
  name: 'old-acknowledgement',
  what: 'A leader counts acknowledgements of a term in which it led before.',
  edits: [
    {
      file: 'raft.go',
      before: `		} else if m.Type == pb.MsgPreVote {
			// Before Pre-Vote enable`,
      after: `		} else if m.Type == pb.MsgAppResp && r.state == StateLeader {
			return r.step(r, m)
		} else if m.Type == pb.MsgPreVote {
			// Before Pre-Vote enable`,
    },
  ],
}
