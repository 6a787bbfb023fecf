import type { Mutant } from '../mutant.ts'
import { TRANSFERS } from '../workloads.ts'

export const transferVote: Mutant = {
  name: 'transfer-vote',
  what: 'A node votes for a candidate to which leadership is transferred without comparing logs.',
  edits: [
    {
      file: 'raft.go',
      before: '		if canVote && r.raftLog.isUpToDate(m.Index, m.LogTerm) {',
      after: '		if canVote && (len(m.Context) > 0 || r.raftLog.isUpToDate(m.Index, m.LogTerm)) {',
    },
  ],
  variant: TRANSFERS,
}
