package main

// names are the nodes' names; the library's id of a node is its position, from 1.
type names []string

// nobody is the name of the library's id 0.
const nobody = "none"

func (n names) of(id uint64) string {
	if id == 0 || id > uint64(len(n)) {
		return nobody
	}
	return n[id-1]
}

// id returns 0 for a name that no node has.
func (n names) id(name string) uint64 {
	for i, each := range n {
		if each == name {
			return uint64(i + 1)
		}
	}
	return 0
}

func (n names) listField(w *writer, field string, ids []uint64) {
	w.name(field)
	w.open('[')
	for _, id := range ids {
		w.word(n.of(id))
	}
	w.close(']')
}

func (n names) readList(r *reader) (ids []uint64) {
	r.list(func() { ids = append(ids, n.id(r.string())) })
	return ids
}
