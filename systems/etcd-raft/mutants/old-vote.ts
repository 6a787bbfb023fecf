import type { Mutant } from '../mutant.ts'

export const oldVote: Mutant = {
  name: 'old-vote',
  what: 'A candidate counts votes of its earlier candidacies.',
  edits: [
    {
      file: 'raft.go',
      before: `		} else if m.Type == pb.MsgPreVote {
			// Before Pre-Vote enable`,
      after: `		} else if m.Type == pb.MsgVoteResp && r.state == StateCandidate {
			return r.step(r, m)
		} else if m.Type == pb.MsgPreVote {
			// Before Pre-Vote enable`,
    },
  ],
}
