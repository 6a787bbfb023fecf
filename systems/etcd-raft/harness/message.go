package main

import (
	"fmt"

	pb "go.etcd.io/etcd/raft/raftpb"
)

// writeMessage writes the fields that the type of the message uses.
func (n names) writeMessage(w *writer, m pb.Message) {
	w.open('{')
	w.wordField("type", m.Type.String())
	w.wordField("from", n.of(m.From))
	w.wordField("to", n.of(m.To))
	if m.Type != pb.MsgProp && m.Type != pb.MsgReadIndex {
		w.uintField("term", m.Term)
	}
	switch m.Type {
	case pb.MsgVote:
		w.uintField("logTerm", m.LogTerm)
		w.uintField("index", m.Index)
	case pb.MsgApp:
		w.uintField("logTerm", m.LogTerm)
		w.uintField("index", m.Index)
		w.uintField("commit", m.Commit)
		writeTerms(w, "entries", m.Entries)
		writeData(w, m.Entries)
	case pb.MsgProp:
		writeTerms(w, "entries", m.Entries)
		writeData(w, m.Entries)
	case pb.MsgReadIndex:
		writeData(w, m.Entries)
	case pb.MsgReadIndexResp:
		w.uintField("index", m.Index)
		writeData(w, m.Entries)
	case pb.MsgAppResp:
		w.uintField("index", m.Index)
	case pb.MsgHeartbeat:
		w.uintField("commit", m.Commit)
	case pb.MsgSnap:
		n.writeSnapshot(w, m.Snapshot)
	}
	w.trueField("reject", m.Reject)
	if m.Type == pb.MsgAppResp && m.Reject {
		w.uintField("hint", m.RejectHint)
	}
	if len(m.Context) > 0 {
		w.wordField("context", string(m.Context))
	}
	w.close('}')
}

func writeTerms(w *writer, name string, entries []pb.Entry) {
	w.name(name)
	w.open('[')
	for i := range entries {
		w.uint(entries[i].Term)
	}
	w.close(']')
}

func writeData(w *writer, entries []pb.Entry) {
	w.name("data")
	w.open('[')
	for i := range entries {
		writeContent(w, entries[i])
	}
	w.close(']')
}

func (n names) writeSnapshot(w *writer, s pb.Snapshot) {
	w.name("snapshot")
	w.open('{')
	w.uintField("index", s.Metadata.Index)
	w.uintField("term", s.Metadata.Term)
	n.configurationFields(w, s.Metadata.ConfState)
	w.name("data")
	w.raw(s.Data)
	w.close('}')
}

// readMessage is the inverse of writeMessage.
func (n names) readMessage(text []byte) (m pb.Message, err error) {
	var terms []uint64
	err = reading(text, func(r *reader) {
		r.object(func(field string) {
			switch field {
			case "type":
				kind := r.string()
				number, known := pb.MessageType_value[kind]
				if !known {
					panic(syntaxError(fmt.Sprintf("%q is not a type of message", kind)))
				}
				m.Type = pb.MessageType(number)
			case "from":
				m.From = n.id(r.string())
			case "to":
				m.To = n.id(r.string())
			case "term":
				m.Term = r.uint()
			case "logTerm":
				m.LogTerm = r.uint()
			case "index":
				m.Index = r.uint()
			case "commit":
				m.Commit = r.uint()
			case "entries":
				r.list(func() { terms = append(terms, r.uint()) })
			case "data":
				r.list(func() { m.Entries = append(m.Entries, readContent(r)) })
			case "reject":
				m.Reject = r.bool()
			case "hint":
				m.RejectHint = r.uint()
			case "context":
				m.Context = []byte(r.string())
			case "snapshot":
				m.Snapshot = n.readSnapshot(r)
			default:
				r.raw()
			}
		})
	})
	if m.Type == pb.MsgApp {
		for i := range m.Entries {
			m.Entries[i].Index = m.Index + uint64(i) + 1
			if i < len(terms) {
				m.Entries[i].Term = terms[i]
			}
		}
	}
	return m, err
}

func (n names) readSnapshot(r *reader) (s pb.Snapshot) {
	state := &s.Metadata.ConfState
	r.object(func(field string) {
		switch field {
		case "index":
			s.Metadata.Index = r.uint()
		case "term":
			s.Metadata.Term = r.uint()
		case "voters":
			state.Voters = n.readList(r)
		case "learners":
			state.Learners = n.readList(r)
		case "outgoing":
			state.VotersOutgoing = n.readList(r)
		case "learnersNext":
			state.LearnersNext = n.readList(r)
		case "autoLeave":
			state.AutoLeave = r.bool()
		case "data":
			s.Data = append([]byte(nil), r.raw()...)
		default:
			r.raw()
		}
	})
	return s
}
