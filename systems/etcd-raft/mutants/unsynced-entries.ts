import type { Mutant } from '../mutant.ts'

export const unsyncedEntries: Mutant = {
  name: 'unsynced-entries',
  what: 'A node acknowledges entries before they are synced, if it learns of a commit at once.',
  edits: [
    {
      file: 'node.go',
      before: '	return entsnum != 0 || st.Vote',
      after: '	return entsnum != 0 && st.Commit == prevst.Commit || st.Vote',
    },
  ],
}
