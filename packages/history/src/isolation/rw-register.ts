/** The rw-register workload: the edges of its dependencies (Kingsbury & Alvaro, Elle, VLDB 2020). */
import { type EdgeList, WR } from './edges.ts'
import { FAILED, type Flat, OK, wwType } from './flat.ts'
import { groupsOf } from './groups.ts'
import type { RegisterVersions } from './register-versions.ts'

/**
 * Edges `wr` from the write of a version to its reads; and where one version is known to precede another,
 * `ww` from write to write and `rw` from the reads of the former to the write of the latter.
 */
export function addRegisterEdges(flat: Flat, versions: RegisterVersions, edges: EdgeList): void {
  const { status, key, write, keys, writes } = flat
  const { read, transaction, start, next } = versions
  /** Who wrote the version for others to see, if it has or may have committed; otherwise -1. */
  const writerOf = (version: number) => {
    if (version < 0 || version >= writes.count || writes.isOverwritten[version] === 1) return -1
    const writer = writes.transaction[version]!
    return status[writer] === FAILED ? -1 : writer
  }
  const isForeignRead = (micro: number) => {
    const version = read[micro]!
    if (version < 0 || write[micro]! >= 0 || status[transaction[micro]!] !== OK) return false
    return version >= writes.count || writes.transaction[version] !== transaction[micro]
  }

  const readers = groupsOf(key.length, writes.count + keys.length, (micro) =>
    isForeignRead(micro) ? read[micro]! : -1,
  )
  const readersOf = (version: number) => {
    const who: number[] = []
    for (let at = readers.start[version]!; at < readers.start[version + 1]!; at++) {
      const reader = transaction[readers.items[at]!]!
      if (reader !== who.at(-1)) who.push(reader)
    }
    return who
  }
  /** By version: 1 if it follows another one by an edge `ww`, so that it need not follow the initial one. */
  const isFollower = new Uint8Array(writes.count)
  for (let version = 0; version < writes.count; version++) {
    const writer = writes.transaction[version]!
    if (status[writer] === FAILED) continue
    const who = readersOf(version)
    for (const reader of who) edges.add(writer, reader, WR, version)
    if (start[version] === start[version + 1]) continue
    const later = [...new Set(next.subarray(start[version]!, start[version + 1]!))].filter((one) => writerOf(one) >= 0)
    const isFinal = writerOf(version) >= 0
    for (const one of later) {
      if (!isFinal) continue
      edges.add(writer, writerOf(one), wwType(flat, writer, writerOf(one)), one)
      isFollower[one] = 1
    }
    edges.readersBeforeWriters(who, later.map(writerOf), later)
  }

  const roots = groupsOf(writes.count, keys.length, (version) =>
    writerOf(version) >= 0 && isFollower[version] === 0 ? writes.key[version]! : -1,
  )
  for (let id = 0; id < keys.length; id++) {
    const later = [...roots.items.subarray(roots.start[id]!, roots.start[id + 1]!)]
    edges.readersBeforeWriters(readersOf(writes.count + id), later.map(writerOf), later)
  }
}
