import type { Mutant } from '../mutant.ts'
import { READS } from '../workloads.ts'

export const readWithoutQuorum: Mutant = {
  name: 'read-without-quorum',
  what: 'A leader answers reads without asking whether it still leads.',
  edits: [
    {
      file: 'raft.go',
      before: `	switch r.readOnly.option {
	// If more`,
      after: `	switch ReadOnlyLeaseBased {
	// If more`,
    },
  ],
  variant: READS,
}
