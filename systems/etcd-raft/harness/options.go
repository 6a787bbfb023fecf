package main

import (
	"flag"
	"math"
)

// options are the settings of all nodes.
type options struct {
	// voters is the number of nodes in the first configuration, the first of `hello`; 0: all.
	voters int
	// learners is the number of nodes after these that learn in the first configuration.
	learners int
	// snapshotEvery is the number of applied entries after which a node makes a snapshot; 0: never.
	snapshotEvery uint64
	// messageBytes limits the entries of a message; 0: one entry.
	messageBytes uint64
	// inflight is the number of MsgApp that a leader sends ahead.
	inflight int
	// lose is what nodes lose though they may not: `disk`, in a crash, or `snapshot`, when they make one.
	lose string
}

func parseOptions(arguments []string) (options, error) {
	var parsed options
	flags := flag.NewFlagSet("host", flag.ContinueOnError)
	flags.IntVar(&parsed.voters, "voters", 0, "`number` of voters in the first configuration (0: all nodes)")
	flags.IntVar(&parsed.learners, "learners", 0, "`number` of learners after these")
	flags.Uint64Var(&parsed.snapshotEvery, "snapshot-every", 5, "applied `entries` after which a node makes a snapshot (0: never)")
	flags.Uint64Var(&parsed.messageBytes, "message-bytes", 0, "`size` of the entries in one message (0: one entry)")
	flags.IntVar(&parsed.inflight, "inflight", 256, "`messages` with entries that a leader sends ahead")
	flags.StringVar(&parsed.lose, "lose", "", "unsound: lose the `disk` in a crash, or each snapshot made")
	err := flags.Parse(arguments)
	if parsed.messageBytes > math.MaxInt64 {
		parsed.messageBytes = math.MaxUint64
	}
	return parsed, err
}
