import type { Mutant } from '../mutant.ts'

export const unsyncedVote: Mutant = {
  name: 'unsynced-vote',
  what: 'A node answers a candidate before its vote is synced, if its term was.',
  edits: [
    {
      file: 'node.go',
      before: '	return entsnum != 0 || st.Vote != prevst.Vote || st.Term',
      after: '	return entsnum != 0 || st.Term',
    },
  ],
  variant: { nodes: ['a', 'b', 'c', 'd', 'e'] },
}
