import type { Mutant } from '../mutant.ts'
import { READS } from '../workloads.ts'

export const readBeforeCommit: Mutant = {
  name: 'read-before-commit',
  what: 'A new leader answers reads before it knows what was committed.',
  edits: [
    {
      file: 'raft.go',
      before: `		if !r.committedEntryInCurrentTerm() {
			r.pendingRead`,
      after: `		if false {
			r.pendingRead`,
    },
  ],
  variant: { requests: READS.requests },
}
