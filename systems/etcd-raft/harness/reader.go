package main

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// reader reads JSON that norn wrote. Errors are panics of type syntaxError, caught by `reading`.
type reader struct {
	text []byte
	at   int
}

type syntaxError string

func (e syntaxError) Error() string { return string(e) }

// reading runs `read`, and returns the syntax error that it met.
func reading(text []byte, read func(*reader)) (err error) {
	r := &reader{text: text}
	defer func() {
		if met := recover(); met != nil {
			syntax, ok := met.(syntaxError)
			if !ok {
				panic(met)
			}
			err = syntax
		}
	}()
	read(r)
	return nil
}

func (r *reader) fail(expected string) {
	panic(syntaxError(fmt.Sprintf("expected %s at %d", expected, r.at)))
}

// peek returns the next byte that is not white space; 0 at the end.
func (r *reader) peek() byte {
	for ; r.at < len(r.text); r.at++ {
		switch c := r.text[r.at]; c {
		case ' ', '\t', '\n', '\r':
		default:
			return c
		}
	}
	return 0
}

func (r *reader) expect(c byte) {
	if r.peek() != c {
		r.fail(strconv.QuoteRune(rune(c)))
	}
	r.at++
}

// object calls `field` for each name; `field` reads the value.
func (r *reader) object(field func(name string)) {
	r.expect('{')
	for r.peek() != '}' {
		name := r.string()
		r.expect(':')
		field(name)
		if r.peek() == ',' {
			r.at++
		} else if r.peek() != '}' {
			r.fail("',' or '}'")
		}
	}
	r.at++
}

// list calls `item` for each item, which reads it.
func (r *reader) list(item func()) {
	r.expect('[')
	for r.peek() != ']' {
		item()
		if r.peek() == ',' {
			r.at++
		} else if r.peek() != ']' {
			r.fail("',' or ']'")
		}
	}
	r.at++
}

func (r *reader) uint() uint64 {
	r.peek()
	from := r.at
	for r.at < len(r.text) && r.text[r.at] >= '0' && r.text[r.at] <= '9' {
		r.at++
	}
	value, err := strconv.ParseUint(string(r.text[from:r.at]), 10, 64)
	if err != nil {
		r.fail("a whole number")
	}
	return value
}

func (r *reader) bool() bool {
	switch string(r.raw()) {
	case "true":
		return true
	case "false":
		return false
	}
	r.fail("true or false")
	return false
}

func (r *reader) string() string {
	quoted := r.quoted()
	for _, c := range quoted {
		if c == '\\' {
			var text string
			if json.Unmarshal(quoted, &text) != nil {
				r.fail("a string")
			}
			return text
		}
	}
	return string(quoted[1 : len(quoted)-1])
}

// quoted returns a string as it is written.
func (r *reader) quoted() []byte {
	r.expect('"')
	from := r.at - 1
	for ; r.at < len(r.text); r.at++ {
		switch r.text[r.at] {
		case '\\':
			r.at++
		case '"':
			r.at++
			return r.text[from:r.at]
		}
	}
	r.fail("the end of a string")
	return nil
}

// raw returns any value as it is written.
func (r *reader) raw() []byte {
	first := r.peek()
	from := r.at
	switch first {
	case '{':
		r.object(func(string) { r.raw() })
	case '[':
		r.list(func() { r.raw() })
	case '"':
		r.quoted()
	default:
		for r.at < len(r.text) && !isDelimiter(r.text[r.at]) {
			r.at++
		}
		if from == r.at {
			r.fail("a value")
		}
	}
	return r.text[from:r.at]
}

func isDelimiter(c byte) bool {
	switch c {
	case ',', '}', ']', ' ', '\t', '\n', '\r':
		return true
	}
	return false
}
