package main

import (
	"encoding/json"
	"strconv"
)

// writer appends JSON; it sets the commas itself.
type writer []byte

func (w *writer) open(bracket byte) {
	w.comma()
	*w = append(*w, bracket)
}

func (w *writer) close(bracket byte) { *w = append(*w, bracket) }

// comma separates a value from one before it. Strings end in a quote, so the last byte tells.
func (w *writer) comma() {
	if text := *w; len(text) > 0 {
		switch text[len(text)-1] {
		case '{', '[', ':':
		default:
			*w = append(text, ',')
		}
	}
}

// name begins a field; names need no escaping.
func (w *writer) name(name string) {
	w.comma()
	*w = append(*w, '"')
	*w = append(*w, name...)
	*w = append(*w, '"', ':')
}

func (w *writer) uint(value uint64) {
	w.comma()
	*w = strconv.AppendUint(*w, value, 10)
}

// word writes a string that needs no escaping: what this program itself names.
func (w *writer) word(word string) {
	w.comma()
	*w = append(*w, '"')
	*w = append(*w, word...)
	*w = append(*w, '"')
}

func (w *writer) string(text string) {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	w.raw(quoted)
}

func (w *writer) bool(value bool) {
	w.comma()
	*w = strconv.AppendBool(*w, value)
}

// raw writes a value that is JSON already.
func (w *writer) raw(value []byte) {
	w.comma()
	*w = append(*w, value...)
}

func (w *writer) uintField(name string, value uint64) {
	w.name(name)
	w.uint(value)
}

func (w *writer) wordField(name, word string) {
	w.name(name)
	w.word(word)
}

func (w *writer) trueField(name string, value bool) {
	if value {
		w.name(name)
		w.bool(true)
	}
}
