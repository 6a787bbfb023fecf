package main

import pb "go.etcd.io/etcd/raft/raftpb"

// writeContent writes what an entry holds: null, `[number, request]`, or a configuration change.
func writeContent(w *writer, entry pb.Entry) {
	switch {
	case entry.Type == pb.EntryConfChangeV2:
		var library pb.ConfChangeV2
		if err := library.Unmarshal(entry.Data); err != nil {
			panic(err)
		}
		changeFrom(library).write(w)
	case len(entry.Data) == 0:
		w.raw([]byte("null"))
	default:
		w.raw(entry.Data)
	}
}

// readContent is the inverse of writeContent; it leaves term and index open.
func readContent(r *reader) pb.Entry {
	text := r.raw()
	switch text[0] {
	case 'n':
		return pb.Entry{}
	case '{':
		asked, err := readChange(text)
		if err != nil {
			panic(err)
		}
		library, err := asked.toLibrary()
		if err != nil {
			panic(err)
		}
		kind, data, err := pb.MarshalConfChange(library)
		if err != nil {
			panic(err)
		}
		return pb.Entry{Type: kind, Data: data}
	}
	return pb.Entry{Data: append([]byte(nil), text...)}
}
