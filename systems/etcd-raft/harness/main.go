// A cluster of etcd's raft library behind norn's stdio protocol (docs/stdio-protocol.md). The events
// and states that it reports are specified in ../README.md.
//
// The same commands get the same answers, byte for byte: nothing here reads a clock, draws a random
// number, or depends on the order of a map.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"

	"go.etcd.io/etcd/raft"
)

func main() {
	// Nothing runs in parallel, and the heap is small: collect rarely, on the one thread.
	runtime.GOMAXPROCS(1)
	debug.SetGCPercent(800)
	raft.SetLogger(logger{})
	options, err := parseOptions(os.Args[1:])
	if err == nil {
		err = serve(pipe(os.Stdin.Fd()), pipe(os.Stdout.Fd()), newCluster(options))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

// serve answers commands, one line each, until the input ends.
func serve(input io.Reader, output io.Writer, cluster *cluster) error {
	reader := bufio.NewReaderSize(input, 1<<16)
	var answers writer
	for {
		line, err := reader.ReadBytes('\n')
		if err == io.EOF && len(line) == 0 {
			return nil
		}
		if err != nil && err != io.EOF {
			return err
		}
		command, err := parseCommand(line)
		if err != nil {
			return fmt.Errorf("not a command: %w: %.200s", err, line)
		}
		answers = answers[:0]
		answers.open('{')
		answers.name("id")
		answers.uint(command.id)
		cluster.answer(&command, &answers)
		if command.name != "hello" {
			writeCoverage(&answers)
		}
		answers.close('}')
		answers = append(answers, '\n')
		if _, err := output.Write(answers); err != nil {
			return err
		}
	}
}
