package main

import (
	"strconv"

	"go.etcd.io/etcd/raft"
)

// request is what a client asks of a node: an operation of the register, a change of the
// configuration, or a transfer of leadership.
type request struct {
	operation
	configures bool
	transfer   string
}

func readRequest(text []byte) (asked request, err error) {
	if asked.operation, err = readOperation(text); err != nil {
		return asked, err
	}
	err = reading(text, func(r *reader) {
		r.object(func(field string) {
			switch field {
			case "configure":
				asked.configures = true
				r.raw()
			case "transfer":
				asked.transfer = r.string()
			default:
				r.raw()
			}
		})
	})
	return asked, err
}

// request hands a request to the library. What the library drops without a word gets no reply.
func (n *node) request(number uint64, text []byte, s *step) {
	asked, err := readRequest(text)
	if err != nil {
		s.replies = append(s.replies, reply{number, errorReply(err)})
		return
	}
	switch {
	case asked.configures:
		err = n.configure(number, text)
	case asked.transfer != "":
		n.library.TransferLeader(n.names.id(asked.transfer))
		return
	case asked.f == "read":
		n.reads.begin(number)
		n.library.ReadIndex([]byte(strconv.FormatUint(number, 10)))
		return
	default:
		err = n.library.Propose(proposalOf(number, text))
	}
	if err != nil {
		s.replies = append(s.replies, reply{number, errorReply(err)})
		return
	}
	n.proposed = append(n.proposed, number)
}

func (n *node) configure(number uint64, text []byte) error {
	asked, err := readChange(text)
	if err != nil {
		return err
	}
	asked.number, asked.numbered = number, true
	library, err := asked.toLibrary()
	if err != nil {
		return err
	}
	if err := applicable(n.configuration, library); err != nil {
		return err
	}
	return n.library.ProposeConfChange(library)
}

func valueReply(json []byte) []byte {
	var w writer
	w.open('{')
	w.name("value")
	w.raw(json)
	w.close('}')
	return w
}

func errorReply(err error) []byte {
	var w writer
	w.open('{')
	w.name("error")
	w.string(err.Error())
	w.close('}')
	return w
}

// reads are the linearizable reads of a node: each waits for the leader to confirm its commit index,
// then until that index is applied.
type reads struct {
	asked     []uint64
	confirmed []confirmed
}

type confirmed struct{ number, index uint64 }

func (r *reads) begin(number uint64) { r.asked = append(r.asked, number) }

// confirm notes confirmations; those of reads that were not asked here, or are confirmed, are ignored.
func (r *reads) confirm(states []raft.ReadState) {
	for _, state := range states {
		number := (&reader{text: state.RequestCtx}).uint()
		for i, each := range r.asked {
			if each == number {
				r.asked = append(r.asked[:i], r.asked[i+1:]...)
				r.confirmed = append(r.confirmed, confirmed{number, state.Index})
				break
			}
		}
	}
}

func (r *reads) answer(applied uint64, value []byte, s *step) {
	waiting := r.confirmed[:0]
	for _, each := range r.confirmed {
		if each.index > applied {
			waiting = append(waiting, each)
			continue
		}
		s.replies = append(s.replies, reply{each.number, valueReply(value)})
	}
	r.confirmed = waiting
}
