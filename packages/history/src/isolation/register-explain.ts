/** Edges of rw-register in words. */
import { RW, WR } from './edges.ts'
import type { ExplainEdge } from './explain.ts'
import { type Flat, microOperation, writtenValue } from './flat.ts'
import type { RegisterVersions } from './register-versions.ts'
import { showKey, showValue } from './words.ts'

export function explainRegisterEdge(flat: Flat, versions: RegisterVersions): ExplainEdge {
  const { writes, keys, start, key, write } = flat
  const { read, start: first, next } = versions
  const precedes = (before: number, after: number) =>
    before >= writes.count || next.subarray(first[before]!, first[before + 1]!).includes(after)
  /** A micro-operation of the transaction on the key that has a version which precedes the given one. */
  const earlier = (transaction: number, version: number, versionOf: (micro: number) => number): number => {
    for (let micro = start[transaction]!; micro < start[transaction + 1]!; micro++) {
      const before = versionOf(micro)
      if (key[micro] === writes.key[version] && before >= 0 && precedes(before, version)) return before
    }
    throw new Error(`no version before ${version} in transaction ${transaction}`)
  }
  /** What a transaction read as the initial version: registers may begin with a value. */
  const initialOf = (transaction: number, version: number): unknown => {
    for (let micro = start[transaction]!; micro < start[transaction + 1]!; micro++)
      if (write[micro]! < 0 && read[micro] === version) return microOperation(flat, transaction, micro)[2]
    throw new Error(`transaction ${transaction} did not read the version ${version}`)
  }
  return ({ type, write: version }, from, to) => {
    const name = showKey(keys[writes.key[version]!])
    const value = showValue(writtenValue(flat, version))
    if (type === WR) return `${from.name} wrote ${value} to ${name}, and ${to.name} read it`
    const isRead = type === RW
    const before = earlier(from.transaction, version, (micro) =>
      isRead ? (write[micro]! < 0 ? read[micro]! : -1) : write[micro]!,
    )
    if (before >= writes.count) {
      const initial = showValue(initialOf(from.transaction, before))
      return `${from.name} read ${name} as ${initial}, before its first write, and ${to.name} wrote ${value} to it`
    }
    const shown = showValue(writtenValue(flat, before))
    const did = isRead ? `read ${name} as ${shown}` : `wrote ${shown} to ${name}`
    let hasRead = false
    for (let micro = start[to.transaction]!; micro < start[to.transaction + 1]!; micro++)
      if (write[micro]! < 0 && read[micro] === before) hasRead = true
    const why = hasRead
      ? `${to.name} read ${shown} and then wrote ${value}`
      : `${to.name} wrote ${value}, a later version`
    return `${from.name} ${did}, and ${why}`
  }
}
