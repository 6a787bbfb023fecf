package main

import (
	"go.etcd.io/etcd/raft"
	pb "go.etcd.io/etcd/raft/raftpb"
)

// disk is what a node has stored. The library reads what was written; a crash keeps what was synced.
//
// As in etcd, which writes hard states and entries to one file, a sync covers all that was written
// before. The library asks for one by MustSync; a snapshot is always synced. So a crash loses at most
// commit indices.
type disk struct {
	*raft.MemoryStorage
	// first is the configuration before any entry.
	first  pb.ConfState
	synced stored
}

type stored struct {
	hard     pb.HardState
	snapshot pb.Snapshot
	entries  []pb.Entry
}

func newDisk(first pb.ConfState) *disk {
	return &disk{MemoryStorage: raft.NewMemoryStorage(), first: first}
}

// InitialState returns the configuration at the snapshot, as the library wants it: it is told of the
// changes in later entries when these are applied again.
func (d *disk) InitialState() (pb.HardState, pb.ConfState, error) {
	hard, state, err := d.MemoryStorage.InitialState()
	if d.snapshot().Metadata.Index == 0 {
		state = d.first
	}
	return hard, state, err
}

func (d *disk) snapshot() pb.Snapshot {
	snapshot, err := d.Snapshot()
	must(err)
	return snapshot
}

func (d *disk) lastIndex() uint64 {
	index, err := d.LastIndex()
	must(err)
	return index
}

// compacted returns the index of the last entry that the log has no more; that of the snapshot.
func (d *disk) compacted() uint64 {
	first, err := d.FirstIndex()
	must(err)
	return first - 1
}

// entries returns the entries after the snapshot.
func (d *disk) entries() []pb.Entry {
	first, last := d.compacted()+1, d.lastIndex()
	if first > last {
		return nil
	}
	entries, err := d.Entries(first, last+1, ^uint64(0))
	must(err)
	return entries
}

// save writes what has to be stored before the messages of this Ready may be sent.
func (d *disk) save(ready raft.Ready) {
	if !raft.IsEmptySnap(ready.Snapshot) {
		must(d.ApplySnapshot(ready.Snapshot))
	}
	must(d.Append(ready.Entries))
	if !raft.IsEmptyHardState(ready.HardState) {
		must(d.SetHardState(ready.HardState))
	}
	if ready.MustSync || !raft.IsEmptySnap(ready.Snapshot) {
		d.sync()
	}
}

// keepSnapshot stores a snapshot of the entries up to `index`.
func (d *disk) keepSnapshot(index uint64, state pb.ConfState, data []byte) {
	_, err := d.CreateSnapshot(index, &state, data)
	must(err)
	d.sync()
}

// compact removes the entries up to `index`.
func (d *disk) compact(index uint64) {
	must(d.Compact(index))
	d.sync()
}

// sync keeps slices of the log: the library replaces the array of a log that it cuts.
func (d *disk) sync() {
	hard, _, err := d.MemoryStorage.InitialState()
	must(err)
	entries := d.entries()
	d.synced = stored{hard, d.snapshot(), entries[:len(entries):len(entries)]}
}

// crash goes back to what was synced.
func (d *disk) crash() {
	d.MemoryStorage = raft.NewMemoryStorage()
	if d.synced.snapshot.Metadata.Index > 0 {
		must(d.ApplySnapshot(d.synced.snapshot))
	}
	must(d.Append(d.synced.entries))
	must(d.SetHardState(d.synced.hard))
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
