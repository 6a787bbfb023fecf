import type { Mutant } from '../mutant.ts'
import { MEMBERSHIP } from '../workloads.ts'

export const pendingChange: Mutant = {
  name: 'pending-change',
  what: 'A leader accepts a change of the configuration while another is pending.',
  edits: [
    {
      file: 'raft.go',
      before: `				alreadyPending := r.pendingConfIndex > r.raftLog.applied
`,
      after: `				alreadyPending := false
`,
    },
  ],
  variant: MEMBERSHIP,
}
