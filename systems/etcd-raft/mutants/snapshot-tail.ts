import type { Mutant } from '../mutant.ts'

export const snapshotTail: Mutant = {
  name: 'snapshot-tail',
  what: 'A node that replaces its log by a snapshot acknowledges the entries that it had after it.',
  edits: [
    {
      file: 'raft.go',
      before: `	if r.restore(m.Snapshot) {
`,
      after: `	last := r.raftLog.lastIndex()
	if r.restore(m.Snapshot) {
`,
    },
    {
      file: 'raft.go',
      before: `		r.send(pb.Message{To: m.From, Type: pb.MsgAppResp, Index: r.raftLog.lastIndex()})
	} else {
		r.logger.Infof("%x [commit: %d] ignored snapshot`,
      after: `		r.send(pb.Message{To: m.From, Type: pb.MsgAppResp, Index: max(last, r.raftLog.lastIndex())})
	} else {
		r.logger.Infof("%x [commit: %d] ignored snapshot`,
    },
  ],
}
