package main

import (
	"bytes"
	"fmt"
)

// machine is the state machine that the log drives: a register with write and compare-and-set. It
// remembers which requests it has carried out, because the network may duplicate a proposal.
type machine struct {
	// value is JSON.
	value []byte
	// done are the numbers of the requests, in the order of the log.
	done []uint64
}

func newMachine() machine { return machine{value: []byte("null")} }

// operation is what a client asks of the register.
type operation struct {
	f        string
	value    []byte
	from, to []byte
}

func readOperation(text []byte) (o operation, err error) {
	err = reading(text, func(r *reader) {
		r.object(func(field string) {
			switch field {
			case "f":
				o.f = r.string()
			case "value":
				o.value = r.raw()
			case "from":
				o.from = r.raw()
			case "to":
				o.to = r.raw()
			default:
				r.raw()
			}
		})
	})
	return o, err
}

// proposalOf returns the content of an entry, `[number, request]`.
func proposalOf(number uint64, request []byte) []byte {
	var w writer
	w.open('[')
	w.uint(number)
	w.raw(request)
	w.close(']')
	return w
}

// apply carries out a proposal, unless that happened before; it returns the result, which is JSON.
func (m *machine) apply(proposal []byte) (number uint64, result []byte, isNew bool) {
	var request []byte
	must(reading(proposal, func(r *reader) {
		r.expect('[')
		number = r.uint()
		r.expect(',')
		request = r.raw()
	}))
	for _, done := range m.done {
		if done == number {
			return number, nil, false
		}
	}
	m.done = append(m.done, number)
	asked, err := readOperation(request)
	must(err)
	result = []byte("null")
	switch asked.f {
	case "write":
		m.value = asked.value
	case "cas":
		result = []byte("false")
		if bytes.Equal(m.value, asked.from) {
			m.value, result = asked.to, []byte("true")
		}
	default:
		panic(fmt.Sprintf("the state machine has no operation %q", asked.f))
	}
	return number, result, true
}

func (m *machine) snapshot() []byte {
	var w writer
	w.open('{')
	w.name("value")
	w.raw(m.value)
	w.name("done")
	w.open('[')
	for _, number := range m.done {
		w.uint(number)
	}
	w.close(']')
	w.close('}')
	return w
}

// restored returns the machine of a snapshot.
func restored(snapshot []byte) machine {
	m := newMachine()
	must(reading(snapshot, func(r *reader) {
		r.object(func(field string) {
			switch field {
			case "value":
				m.value = r.raw()
			case "done":
				r.list(func() { m.done = append(m.done, r.uint()) })
			}
		})
	}))
	return m
}
