package main

import (
	"math"
	"sort"

	"go.etcd.io/etcd/raft"
	pb "go.etcd.io/etcd/raft/raftpb"
)

// node is one node: its disk, and what it has in memory while it is up.
type node struct {
	id      uint64
	options *options
	names   names
	disk    *disk
	// library is nil while the node is down.
	library *raft.RawNode
	// configuration is that of the applied entries.
	configuration pb.ConfState
	machine       machine
	// proposed are the requests whose entries this node waits for.
	proposed []uint64
	reads    reads
	timer    timer
}

// electionTick is how many heartbeats a leader waits for a transfer of leadership. Only leaders tick;
// elections are started by norn's timers, so the library's random timeouts are drawn but never used.
const electionTick = 10

// boot starts the node from its disk.
func (n *node) boot() {
	snapshot := n.disk.snapshot()
	n.machine, n.configuration = newMachine(), n.disk.first
	if snapshot.Metadata.Index > 0 {
		n.machine, n.configuration = restored(snapshot.Data), snapshot.Metadata.ConfState
	}
	n.proposed, n.reads, n.timer = nil, reads{}, timer{}
	library, err := raft.NewRawNode(&raft.Config{
		ID:                       n.id,
		ElectionTick:             electionTick,
		HeartbeatTick:            1,
		Storage:                  n.disk,
		Applied:                  snapshot.Metadata.Index,
		MaxSizePerMsg:            n.options.messageBytes,
		MaxCommittedSizePerReady: math.MaxUint64,
		MaxInflightMsgs:          n.options.inflight,
		Logger:                   logger{},
	})
	must(err)
	n.library = library
}

func (n *node) crash() {
	n.library = nil
	if n.options.lose == "disk" {
		n.disk = newDisk(n.disk.first)
		return
	}
	n.disk.crash()
}

// ready does what the library asks for until it asks for nothing more: it stores, sends, applies.
func (n *node) ready(s *step) {
	var messages []pb.Message
	for n.library.HasReady() {
		ready := n.library.Ready()
		n.disk.save(ready)
		messages = append(messages, ready.Messages...)
		if !raft.IsEmptySnap(ready.Snapshot) {
			n.install(ready.Snapshot, s)
		}
		for _, entry := range ready.CommittedEntries {
			n.apply(entry, s)
		}
		s.confirmed = append(s.confirmed, ready.ReadStates...)
		n.reads.confirm(ready.ReadStates)
		n.library.Advance(ready)
	}
	applied := n.library.BasicStatus().Applied
	n.reads.answer(applied, n.machine.value, s)
	if n.wantsSnapshot(applied, s) {
		if n.options.lose != "snapshot" {
			n.disk.keepSnapshot(applied, n.configuration, n.machine.snapshot())
		}
		n.disk.compact(applied)
		s.created = applied
	}
	sort.SliceStable(messages, func(i, j int) bool { return messages[i].To < messages[j].To })
	for _, message := range messages {
		var w writer
		n.names.writeMessage(&w, message)
		s.out = append(s.out, sent{message.To, w})
	}
}

// wantsSnapshot tells whether enough entries were applied, or the configuration has changed: a node
// that is added ignores the snapshot of a configuration without it.
func (n *node) wantsSnapshot(applied uint64, s *step) bool {
	every := n.options.snapshotEvery
	return every > 0 && (len(s.configured) > 0 || applied >= n.disk.compacted()+every)
}

func (n *node) install(snapshot pb.Snapshot, s *step) {
	n.machine, n.configuration = restored(snapshot.Data), snapshot.Metadata.ConfState
	s.installed = snapshot.Metadata.Index
}

func (n *node) apply(entry pb.Entry, s *step) {
	s.applied = append(s.applied, entry)
	switch {
	case entry.Type == pb.EntryConfChangeV2:
		var library pb.ConfChangeV2
		must(library.Unmarshal(entry.Data))
		asked := changeFrom(library)
		if err := applicable(n.configuration, library); err != nil {
			n.settle(asked.number, asked.numbered, errorReply(err), s)
			return
		}
		n.configuration = *n.library.ApplyConfChange(library)
		s.configured = append(s.configured, n.configuration)
		n.settle(asked.number, asked.numbered, valueReply([]byte("null")), s)
	case len(entry.Data) > 0:
		number, result, isNew := n.machine.apply(entry.Data)
		n.settle(number, isNew, valueReply(result), s)
	}
}

// settle answers a proposal if this node took it.
func (n *node) settle(number uint64, isNew bool, answer []byte, s *step) {
	for i, each := range n.proposed {
		if isNew && each == number {
			n.proposed = append(n.proposed[:i], n.proposed[i+1:]...)
			s.replies = append(s.replies, reply{number, answer})
			return
		}
	}
}

func (n *node) summary() summary {
	status, snapshot := n.library.BasicStatus(), n.disk.snapshot().Metadata
	return summary{
		role:         roles[status.RaftState],
		term:         status.Term,
		vote:         status.Vote,
		commit:       status.Commit,
		index:        n.disk.lastIndex(),
		snapshot:     snapshot.Index,
		snapshotTerm: snapshot.Term,
	}
}

// writeState writes the visible state.
func (n *node) writeState(w *writer) {
	status, snapshot := n.library.BasicStatus(), n.disk.snapshot().Metadata
	entries := n.disk.entries()
	last := pb.Entry{Index: snapshot.Index, Term: snapshot.Term}
	if len(entries) > 0 {
		last = entries[len(entries)-1]
	}
	w.open('{')
	w.wordField("role", roles[status.RaftState])
	w.uintField("term", status.Term)
	w.wordField("vote", n.names.of(status.Vote))
	w.wordField("lead", n.names.of(status.Lead))
	w.uintField("commit", status.Commit)
	w.uintField("applied", status.Applied)
	w.uintField("index", last.Index)
	w.uintField("logTerm", last.Term)
	writeTerms(w, "log", entries)
	w.name("snapshot")
	w.open('{')
	w.uintField("index", snapshot.Index)
	w.uintField("term", snapshot.Term)
	w.close('}')
	w.name("configuration")
	w.open('{')
	n.names.configurationFields(w, n.configuration)
	w.close('}')
	w.close('}')
}
