import type { Mutant } from '../mutant.ts'
import { MEMBERSHIP } from '../workloads.ts'

export const jointVote: Mutant = {
  name: 'joint-vote',
  what: 'A candidate of a joint configuration wins by the incoming voters alone.',
  edits: [
    {
      file: 'quorum/joint.go',
      before: `	if r1 == r2 {
		// If they agree`,
      after: `	if r1 == r2 || r1 == VoteWon {
		// If they agree`,
    },
  ],
  variant: MEMBERSHIP,
}
