package main

func counters() (number uint64) {
	for _, file := range counted {
		number += uint64(len(file))
	}
	return number
}

// clearCoverage sets all counters to zero.
func clearCoverage() {
	for _, file := range counted {
		for i := range file {
			file[i] = 0
		}
	}
}

// writeCoverage writes the counters that were hit since it was called last, and sets them to zero.
func writeCoverage(w *writer) {
	var counter uint64
	isFirst := true
	for _, file := range counted {
		for i, hits := range file {
			if hits > 0 {
				if isFirst {
					w.name("coverage")
					w.open('[')
					isFirst = false
				}
				w.uint(counter + uint64(i))
				w.uint(uint64(hits))
				file[i] = 0
			}
		}
		counter += uint64(len(file))
	}
	if !isFirst {
		w.close(']')
	}
}
