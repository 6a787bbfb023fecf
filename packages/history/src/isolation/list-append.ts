/**
 * The list-append workload: each version of a list tells all versions before it, so that reads tell the
 * order of appends (Kingsbury & Alvaro, Elle, VLDB 2020).
 */
import type { EdgeList } from './edges.ts'
import { RW, WR } from './edges.ts'
import { FAILED, type Flat, microOperation, OK, wwType } from './flat.ts'
import { groupsOf } from './groups.ts'
import { INCOMPATIBLE, type ListVersions } from './list-versions.ts'

/**
 * Edges `ww` from the append of a version to that of the next, `wr` from it to the reads of the version,
 * `rw` from those reads to the next append. An append that no read has seen follows the last one seen.
 */
export function addListEdges(flat: Flat, versions: ListVersions, edges: EdgeList): void {
  const { status, start, key, write, keys, writes, transactions } = flat
  const { length, longest, start: first, order, place, agreed } = versions
  /** Who appended it, if it has or may have committed; otherwise -1. */
  const writerOf = (append: number) => {
    if (append < 0) return -1
    const writer = writes.transaction[append]!
    return status[writer] === FAILED ? -1 : writer
  }
  const isComplete = (id: number) => agreed[id] === longest[id]!.length

  for (let id = 0; id < keys.length; id++)
    for (let at = first[id]! + 1; at < first[id]! + agreed[id]!; at++) {
      const writer = writerOf(order[at - 1]!)
      const next = writerOf(order[at]!)
      if (writer >= 0 && next >= 0) edges.add(writer, next, wwType(flat, writer, next), order[at]!)
    }

  const unseen = groupsOf(writes.count, keys.length, (append) =>
    place[append] === 0 && isComplete(writes.key[append]!) && writerOf(append) >= 0 ? writes.key[append]! : -1,
  )
  const hasUnseen = (id: number) => unseen.start[id + 1]! > unseen.start[id]!
  /** Reads of the last version, where appends follow it that nobody has seen; and who read. */
  const lastReads: number[] = []
  const lastReaders: number[] = []
  for (let index = 0; index < transactions.length; index++) {
    if (status[index] !== OK) continue
    for (let micro = start[index]!; micro < start[index + 1]!; micro++) {
      if (write[micro]! >= 0) continue
      const id = key[micro]!
      const at = length[micro]!
      let last: number
      if (at === INCOMPATIBLE) {
        const list = microOperation(flat, index, micro)[2] as readonly unknown[]
        last = writes.find(id, list.at(-1))
      } else last = at > 0 ? order[first[id]! + at - 1]! : -1
      const writer = writerOf(last)
      if (writer >= 0) edges.add(writer, index, WR, last)
      if (at === INCOMPATIBLE || writer === index) continue
      if (at < agreed[id]!) {
        const next = order[first[id]! + at]!
        const overwriter = writerOf(next)
        if (overwriter >= 0) edges.add(index, overwriter, RW, next)
      } else if (at === longest[id]!.length && hasUnseen(id)) {
        lastReads.push(micro)
        lastReaders.push(index)
      }
    }
  }

  const readers = groupsOf(lastReads.length, keys.length, (at) => key[lastReads[at]!]!)
  for (let id = 0; id < keys.length; id++) {
    if (!hasUnseen(id)) continue
    const appends: number[] = []
    const writers: number[] = []
    for (let at = unseen.start[id]!; at < unseen.start[id + 1]!; at++) {
      const append = unseen.items[at]!
      const writer = writes.transaction[append]!
      if (writer === writers.at(-1)) continue
      appends.push(append)
      writers.push(writer)
    }
    const count = longest[id]!.length
    const lastWriter = count === 0 ? -1 : writerOf(order[first[id]! + count - 1]!)
    if (lastWriter >= 0)
      for (const [at, writer] of writers.entries())
        edges.add(lastWriter, writer, wwType(flat, lastWriter, writer), appends[at]!)
    const who: number[] = []
    for (let at = readers.start[id]!; at < readers.start[id + 1]!; at++) {
      const reader = lastReaders[readers.items[at]!]!
      if (reader !== who.at(-1)) who.push(reader)
    }
    edges.readersBeforeWriters(who, writers, appends)
  }
}
