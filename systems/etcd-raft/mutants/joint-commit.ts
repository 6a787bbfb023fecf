import type { Mutant } from '../mutant.ts'
import { MEMBERSHIP } from '../workloads.ts'

export const jointCommit: Mutant = {
  name: 'joint-commit',
  what: 'A leader of a joint configuration commits by the incoming voters alone.',
  edits: [
    {
      file: 'quorum/joint.go',
      before: `	idx1 := c[1].CommittedIndex(l)
`,
      after: `	idx1 := idx0
`,
    },
  ],
  variant: MEMBERSHIP,
}
