package main

import (
	"go.etcd.io/etcd/raft"
	pb "go.etcd.io/etcd/raft/raftpb"
)

// summary is a node in the event `step`.
type summary struct {
	role         string
	term, vote   uint64
	commit       uint64
	index        uint64
	snapshot     uint64
	snapshotTerm uint64
}

// step is what a node did in answer to one command.
type step struct {
	kind string
	// in is the message delivered, as norn wrote it.
	in            []byte
	before, after summary
	// out are the messages sent, as JSON, and where to; by receiver.
	out []sent
	// applied are the entries applied.
	applied []pb.Entry
	// created and installed are indices of snapshots; 0: none.
	created, installed uint64
	// confirmed are the reads that the library has answered to this node.
	confirmed []raft.ReadState
	// configured is the configuration after each change applied.
	configured []pb.ConfState
	replies    []reply
}

type sent struct {
	to      uint64
	message []byte
}

type reply struct {
	number uint64
	json   []byte
}

var roles = map[raft.StateType]string{
	raft.StateFollower:  "follower",
	raft.StateCandidate: "candidate",
	raft.StateLeader:    "leader",
}

func (s *step) isElected() bool {
	return s.after.role == "leader" && (s.before.role != "leader" || s.after.term > s.before.term)
}

func (n names) writeSummary(w *writer, s summary) {
	w.open('{')
	w.wordField("role", s.role)
	w.uintField("term", s.term)
	w.wordField("vote", n.of(s.vote))
	w.uintField("commit", s.commit)
	w.uintField("index", s.index)
	w.uintField("snapshot", s.snapshot)
	w.uintField("snapshotTerm", s.snapshotTerm)
	w.close('}')
}

// writeEvents writes the quiet event of the step, then the loud ones.
func (n names) writeEvents(w *writer, s *step) {
	w.name("events")
	w.open('[')
	w.open('{')
	w.wordField("event", "step")
	w.name("data")
	w.open('{')
	w.wordField("kind", s.kind)
	if s.in != nil {
		w.name("in")
		w.raw(s.in)
	}
	w.name("before")
	n.writeSummary(w, s.before)
	w.name("after")
	n.writeSummary(w, s.after)
	if len(s.out) > 0 {
		w.name("out")
		w.open('[')
		for _, each := range s.out {
			w.raw(each.message)
		}
		w.close(']')
	}
	if len(s.applied) > 0 {
		w.name("applied")
		w.open('[')
		for _, entry := range s.applied {
			w.open('{')
			w.uintField("index", entry.Index)
			w.uintField("term", entry.Term)
			w.name("data")
			writeContent(w, entry)
			w.close('}')
		}
		w.close(']')
	}
	if s.created > 0 {
		w.uintField("created", s.created)
	}
	if s.installed > 0 {
		w.uintField("installed", s.installed)
	}
	if len(s.confirmed) > 0 {
		w.name("confirmed")
		w.open('[')
		for _, read := range s.confirmed {
			w.open('{')
			w.wordField("context", string(read.RequestCtx))
			w.uintField("index", read.Index)
			w.close('}')
		}
		w.close(']')
	}
	w.close('}')
	w.close('}')
	n.writeLoudEvents(w, s)
	w.close(']')
}

func (n names) writeLoudEvents(w *writer, s *step) {
	event := func(name string, data func()) {
		w.open('{')
		w.wordField("event", name)
		if data != nil {
			w.name("data")
			w.open('{')
			data()
			w.close('}')
		}
		w.close('}')
	}
	if s.kind == "restart" {
		event("restarted", nil)
	}
	if s.isElected() {
		event("elected", func() { w.uintField("term", s.after.term) })
	}
	if s.installed > 0 {
		event("snapshot installed", func() { w.uintField("index", s.installed) })
	}
	if s.after.role == "leader" && s.after.commit > s.before.commit {
		event("committed", func() { w.uintField("index", s.after.commit) })
	}
	for _, state := range s.configured {
		event("configured", func() { n.configurationFields(w, state) })
	}
}
