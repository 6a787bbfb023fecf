import type { Mutant } from '../mutant.ts'

export const forgottenVote: Mutant = {
  name: 'forgotten-vote',
  what: 'A node that restarts forgets its vote, but not its term.',
  edits: [
    {
      file: 'raft.go',
      before: `	r.Vote = state.Vote
`,
      after: '',
    },
  ],
}
