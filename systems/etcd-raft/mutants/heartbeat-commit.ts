import type { Mutant } from '../mutant.ts'
import { OPERATIONS } from '../workloads.ts'

export const heartbeatCommit: Mutant = {
  name: 'heartbeat-commit',
  what: 'A heartbeat for a read commits entries that were not matched.',
  edits: [
    {
      file: 'raft.go',
      before: `	commit := min(r.prs.Progress[to].Match, r.raftLog.committed)
`,
      after: `	commit := min(r.prs.Progress[to].Match, r.raftLog.committed)
	if len(ctx) > 0 {
		commit = r.raftLog.committed
	}
`,
    },
    {
      file: 'raft.go',
      before: '	r.raftLog.commitTo(m.Commit)',
      after: '	r.raftLog.commitTo(min(m.Commit, r.raftLog.lastIndex()))',
    },
  ],
  variant: { requests: OPERATIONS.slice(0, 4) },
}
