/** Edges of list-append in words. */
import { RW, WR } from './edges.ts'
import type { ExplainEdge } from './explain.ts'
import { type Flat, microOperation, writtenValue } from './flat.ts'
import type { ListVersions } from './list-versions.ts'
import { showKey, showList, showValue } from './words.ts'

export function explainListEdge(flat: Flat, versions: ListVersions): ExplainEdge {
  const { writes, keys, start, key, write } = flat
  return ({ type, write: append }, from, to) => {
    const id = writes.key[append]!
    const name = showKey(keys[id])
    const value = showValue(writtenValue(flat, append))
    if (type === WR) return `${from.name} appended ${value} to ${name}, and ${to.name} read it`
    const isSeen = versions.place[append]! > 0
    /** How many versions precede it, as far as is known. */
    const before = isSeen ? versions.place[append]! - 1 : versions.longest[id]!.length
    const unseen = isSeen || before === 0 ? '' : ' (no read shows it, so it follows all that reads show)'
    if (type === RW) {
      let read = start[from.transaction]!
      while (key[read] !== id || write[read]! >= 0 || versions.length[read] !== before) read++
      const list = (microOperation(flat, from.transaction, read)[2] ?? []) as readonly unknown[]
      return `${from.name} read ${name} as ${showList(list)} and did not see ${value}, which ${to.name} appended${unseen}`
    }
    const earlier = showValue(writtenValue(flat, versions.order[versions.start[id]! + before - 1]!))
    return `${from.name} appended ${earlier} to ${name}, and ${to.name} appended ${value} after it${unseen}`
  }
}
