package main

import (
	"go.etcd.io/etcd/raft/confchange"
	pb "go.etcd.io/etcd/raft/raftpb"
	"go.etcd.io/etcd/raft/tracker"
)

// change is a configuration change as clients ask for it and as logs show it.
type change struct {
	// text is in the library's notation: `v4 l5 r1` makes 4 a voter, 5 a learner, and removes 1. Empty:
	// leaves a joint configuration.
	text string
	// transition is `auto`, `implicit` or `explicit`: whether to go through a joint configuration.
	transition string
	// number is the number of the request; undefined if the library itself made the change.
	number   uint64
	numbered bool
}

var transitions = []string{"auto", "implicit", "explicit"}

// readChange reads a change; `fields` of other names are ignored.
func readChange(text []byte) (c change, err error) {
	c.transition = transitions[0]
	err = reading(text, func(r *reader) {
		r.object(func(field string) {
			switch field {
			case "configure":
				c.text = r.string()
			case "transition":
				c.transition = r.string()
			case "number":
				c.number, c.numbered = r.uint(), true
			default:
				r.raw()
			}
		})
	})
	return c, err
}

func (c change) write(w *writer) {
	w.open('{')
	w.wordField("configure", c.text)
	if c.transition != transitions[0] {
		w.wordField("transition", c.transition)
	}
	if c.numbered {
		w.uintField("number", c.number)
	}
	w.close('}')
}

// toLibrary returns the library's form. The number travels as the context.
func (c change) toLibrary() (pb.ConfChangeV2, error) {
	changes, err := pb.ConfChangesFromString(c.text)
	if err != nil {
		return pb.ConfChangeV2{}, err
	}
	library := pb.ConfChangeV2{Changes: changes}
	for i, name := range transitions {
		if name == c.transition {
			library.Transition = pb.ConfChangeTransition(i)
		}
	}
	if c.numbered {
		var context writer
		context.uint(c.number)
		library.Context = context
	}
	return library, nil
}

func changeFrom(library pb.ConfChangeV2) change {
	c := change{text: pb.ConfChangesToString(library.Changes), transition: transitions[library.Transition]}
	if len(library.Context) > 0 {
		c.number, c.numbered = (&reader{text: library.Context}).uint(), true
	}
	return c
}

// applicable returns why a configuration cannot change so, such as that no voter would be left. It is
// the application's part to refuse such a change; that of the library is to refuse one in a wrong state.
func applicable(state pb.ConfState, library pb.ConfChangeV2) error {
	if library.LeaveJoint() {
		return nil
	}
	config, progress, err := confchange.Restore(confchange.Changer{Tracker: tracker.MakeProgressTracker(1)}, state)
	if err != nil {
		return err
	}
	changer := confchange.Changer{Tracker: tracker.ProgressTracker{Config: config, Progress: progress, MaxInflight: 1}}
	if autoLeave, joint := library.EnterJoint(); joint {
		_, _, err = changer.EnterJoint(autoLeave, library.Changes...)
	} else {
		_, _, err = changer.Simple(library.Changes...)
	}
	return err
}

// configurationFields writes the lists of a configuration; all but the voters only if they are not empty.
func (n names) configurationFields(w *writer, state pb.ConfState) {
	n.listField(w, "voters", state.Voters)
	n.optionalList(w, "learners", state.Learners)
	n.optionalList(w, "outgoing", state.VotersOutgoing)
	n.optionalList(w, "learnersNext", state.LearnersNext)
	w.trueField("autoLeave", state.AutoLeave)
}

func (n names) optionalList(w *writer, field string, ids []uint64) {
	if len(ids) > 0 {
		n.listField(w, field, ids)
	}
}
