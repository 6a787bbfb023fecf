package main

// command is one command of norn.
type command struct {
	id      uint64
	name    string
	node    string
	from    string
	timer   string
	number  uint64
	nodes   []string
	request []byte
	message []byte
	batch   []command
}

// parseCommand reads a command; unknown fields are ignored. Its fields are slices of `line`.
func parseCommand(line []byte) (parsed command, err error) {
	err = reading(line, func(r *reader) { parsed = readCommand(r) })
	return parsed, err
}

func readCommand(r *reader) (c command) {
	r.object(func(field string) {
		switch field {
		case "id":
			c.id = r.uint()
		case "command":
			c.name = r.string()
		case "node":
			c.node = r.string()
		case "from":
			c.from = r.string()
		case "timer":
			c.timer = r.string()
		case "number":
			c.number = r.uint()
		case "nodes":
			r.list(func() { c.nodes = append(c.nodes, r.string()) })
		case "request":
			c.request = r.raw()
		case "message":
			c.message = r.raw()
		case "commands":
			r.list(func() { c.batch = append(c.batch, readCommand(r)) })
		default:
			r.raw()
		}
	})
	return c
}
