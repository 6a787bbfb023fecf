package main

import (
	"fmt"
	"path"
	"runtime"
	"strings"

	"go.etcd.io/etcd/raft"
	pb "go.etcd.io/etcd/raft/raftpb"
)

// cluster is all nodes, and answers norn's commands to them.
type cluster struct {
	options options
	names   names
	nodes   []*node
}

func newCluster(options options) *cluster {
	return &cluster{options: options, names: names{"a", "b", "c"}}
}

// answer writes the fields of the answer to a command, or to each of a batch. A panic, which is how
// the library reports that an invariant is broken, becomes an error.
func (c *cluster) answer(command *command, w *writer) {
	if command.name != "batch" {
		c.guarded(command, w)
		return
	}
	w.name("answers")
	w.open('[')
	for i := range command.batch {
		w.open('{')
		failed := c.guarded(&command.batch[i], w)
		w.close('}')
		if failed {
			break
		}
	}
	w.close(']')
}

func (c *cluster) guarded(command *command, w *writer) (failed bool) {
	begun := len(*w)
	defer func() {
		if met := recover(); met != nil {
			*w = (*w)[:begun]
			writeError(w, "Panic", fmt.Sprint(met), stack())
			failed = true
		}
	}()
	return c.perform(command, w)
}

func (c *cluster) perform(command *command, w *writer) (failed bool) {
	switch command.name {
	case "hello":
		c.hello(command.nodes, w)
	case "reset":
		clearCoverage()
		c.reset()
	case "crash":
		c.node(command.node).crash()
	case "drop":
		c.lost(command)
	case "start", "restart", "deliver", "timeout", "request":
		c.step(c.node(command.node), command, w)
	default:
		writeError(w, "UnknownCommand", "unknown command: "+command.name, "")
		return true
	}
	return false
}

func (c *cluster) hello(nodes []string, w *writer) {
	for _, name := range nodes {
		if strings.ContainsAny(name, "\"\\") {
			panic(fmt.Sprintf("a name of a node with a quote or a backslash: %q", name))
		}
	}
	if len(nodes) > 0 {
		c.names = nodes
	}
	w.uintField("protocol", 1)
	w.name("nodes")
	w.open('[')
	for _, name := range c.names {
		w.word(name)
	}
	w.close(']')
	w.trueField("drops", true)
	w.trueField("batches", true)
	if number := counters(); number > 0 {
		w.uintField("counters", number)
	}
}

// reset begins an execution: all disks are empty.
func (c *cluster) reset() {
	voters := c.options.voters
	if voters <= 0 || voters > len(c.names) {
		voters = len(c.names)
	}
	var first pb.ConfState
	for id := 1; id <= voters; id++ {
		first.Voters = append(first.Voters, uint64(id))
	}
	for id := voters + 1; id <= voters+c.options.learners && id <= len(c.names); id++ {
		first.Learners = append(first.Learners, uint64(id))
	}
	c.nodes = nil
	for i := range c.names {
		c.nodes = append(c.nodes, &node{id: uint64(i + 1), options: &c.options, names: c.names, disk: newDisk(first)})
	}
}

func (c *cluster) node(name string) *node {
	id := c.names.id(name)
	if id == 0 || id > uint64(len(c.nodes)) {
		panic(fmt.Sprintf("there is no node %q", name))
	}
	return c.nodes[id-1]
}

// step performs a command at a node that is up, or starts it.
func (c *cluster) step(n *node, command *command, w *writer) {
	s := &step{kind: command.name}
	if s.kind == "start" || s.kind == "restart" {
		n.boot()
	}
	s.before = n.summary()
	var message *pb.Message
	switch s.kind {
	case "deliver":
		read, err := c.names.readMessage(command.message)
		must(err)
		s.in, message = command.message, &read
		c.deliver(n, read)
	case "timeout":
		s.kind = command.timer
		n.timeout(command.timer)
	case "request":
		n.request(command.number, command.request, s)
	}
	n.ready(s)
	s.after = n.summary()

	c.names.writeEvents(w, s)
	c.writeSent(w, s)
	n.timer.write(w, n, s, message)
	writeReplies(w, s)
	w.name("states")
	w.open('{')
	w.name(c.names.of(n.id))
	n.writeState(w)
	w.close('}')
}

func (n *node) timeout(timer string) {
	if timer == "heartbeat" {
		n.library.Tick()
		return
	}
	must(n.library.Campaign())
}

// deliver gives a message to the library. As in etcd, whose transport hears that a snapshot was
// taken, the sender of one learns of its arrival.
func (c *cluster) deliver(n *node, message pb.Message) {
	switch err := n.library.Step(message); err {
	case nil, raft.ErrProposalDropped, raft.ErrStepPeerNotFound:
	default:
		panic(err)
	}
	if message.Type == pb.MsgSnap {
		c.report(message, raft.SnapshotFinish)
	}
}

// lost hears that a message was lost. etcd's transport reports that of a snapshot.
func (c *cluster) lost(command *command) {
	message, err := c.names.readMessage(command.message)
	must(err)
	if message.Type == pb.MsgSnap {
		c.report(message, raft.SnapshotFailure)
	}
}

func (c *cluster) report(message pb.Message, status raft.SnapshotStatus) {
	if sender := c.nodes[message.From-1]; sender.library != nil {
		sender.library.ReportSnapshot(message.To, status)
	}
}

func (c *cluster) writeSent(w *writer, s *step) {
	if len(s.out) == 0 {
		return
	}
	w.name("sent")
	w.open('[')
	for _, each := range s.out {
		w.open('{')
		w.wordField("to", c.names.of(each.to))
		w.name("message")
		w.raw(each.message)
		w.close('}')
	}
	w.close(']')
}

func writeReplies(w *writer, s *step) {
	if len(s.replies) == 0 {
		return
	}
	w.name("replies")
	w.open('[')
	for _, each := range s.replies {
		w.open('{')
		w.uintField("number", each.number)
		w.name("reply")
		w.raw(each.json)
		w.close('}')
	}
	w.close(']')
}

func writeError(w *writer, name, message, stack string) {
	w.name("error")
	w.open('{')
	w.wordField("name", name)
	w.name("message")
	w.string(message)
	if stack != "" {
		w.name("stack")
		w.string(stack)
	}
	w.close('}')
}

// stack returns the calls that led to a panic, without addresses and folders, which differ.
func stack() string {
	counters := make([]uintptr, 64)
	frames := runtime.CallersFrames(counters[:runtime.Callers(3, counters)])
	var lines []string
	for {
		frame, more := frames.Next()
		if !strings.HasPrefix(frame.Function, "runtime.") {
			file := frame.File
			if strings.HasPrefix(frame.Function, "main.") {
				file = path.Base(file)
			}
			lines = append(lines, fmt.Sprintf("    at %s (%s:%d)", frame.Function, file, frame.Line))
		}
		if !more {
			return strings.Join(lines, "\n")
		}
	}
}
