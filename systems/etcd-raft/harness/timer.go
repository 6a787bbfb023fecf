package main

import pb "go.etcd.io/etcd/raft/raftpb"

// timer is the one timer that a node has set: `election`, or `heartbeat` while it leads.
type timer struct{ name string }

const heartbeatMs = 50

// electionMs differs between the nodes, and which of them is first between terms: instead of by
// chance, an election ends because the next term is another node's.
func electionMs(id, term, nodes uint64) uint64 { return 150 + 37*((id-1+term)%nodes) }

// write writes how the timer changes: it starts again when it fired, and an election's also when the
// node heard of its leader, or changed its term or vote.
func (t *timer) write(w *writer, n *node, s *step, message *pb.Message) {
	wanted, ms := "election", electionMs(n.id, s.after.term, uint64(len(n.names)))
	if s.after.role == "leader" {
		wanted, ms = "heartbeat", heartbeatMs
	}
	hasFired := s.kind == "election" || s.kind == "heartbeat"
	if wanted == t.name && !hasFired && (wanted == "heartbeat" || !restartsElection(s, message)) {
		return
	}
	w.name("timers")
	w.open('[')
	if t.name != "" && t.name != wanted && !hasFired {
		w.open('{')
		w.wordField("clear", t.name)
		w.close('}')
	}
	w.open('{')
	w.wordField("set", wanted)
	w.uintField("ms", ms)
	w.close('}')
	w.close(']')
	t.name = wanted
}

func restartsElection(s *step, message *pb.Message) bool {
	if s.before.term != s.after.term || s.before.vote != s.after.vote {
		return true
	}
	if message == nil || message.Term != s.after.term {
		return false
	}
	return message.Type == pb.MsgApp || message.Type == pb.MsgHeartbeat || message.Type == pb.MsgSnap
}
