/** Lost updates: committed transactions that read one version of a key and then write the key. */
import { explainWith } from './explain.ts'
import type { Findings } from './findings.ts'
import { type Flat, OK } from './flat.ts'
import { showKey } from './words.ts'

/**
 * @param versionOf a number for the version that a read returned, below `count`; -1 if it has none
 * @param showVersion what a read returned, for people
 */
export function passLostUpdates(
  flat: Flat,
  count: number,
  versionOf: (micro: number) => number,
  showVersion: (transaction: number, micro: number) => string,
  findings: Findings,
): void {
  const { transactions, status, start, key, write, previous, keys } = flat
  /** By version: the first transaction that read it and wrote the key, plus 1. */
  const first = new Int32Array(count)
  const collisions = new Map<number, { micro: number; transactions: number[] }>()
  for (let index = 0; index < transactions.length; index++) {
    if (status[index] !== OK) continue
    for (let micro = start[index]!; micro < start[index + 1]!; micro++) {
      const before = previous[micro]!
      if (write[micro]! < 0 || before < 0) continue
      // Only the first write, and only if a read comes first.
      let read = before
      while (write[read]! < 0 && previous[read]! >= 0) read = previous[read]!
      if (write[read]! >= 0) continue
      const version = versionOf(read)
      if (version < 0) continue
      const other = first[version]! - 1
      if (other < 0) first[version] = index + 1
      else {
        const known = collisions.get(version)
        if (known === undefined) collisions.set(version, { micro: read, transactions: [other, index] })
        else known.transactions.push(index)
      }
    }
  }
  for (const { micro, transactions: involved } of collisions.values())
    findings.add('lost-update', () =>
      explainWith(flat, involved.slice(0, MAX_SHOWN), (names) => {
        const all =
          involved.length > MAX_SHOWN
            ? `${names.join(', ')} and ${involved.length - MAX_SHOWN} more`
            : names.join(' and ')
        const name = showKey(keys[key[micro]!])
        return `${all} read ${name} as ${showVersion(involved.at(1)!, micro)}, and each then wrote ${name}`
      }),
    )
}

const MAX_SHOWN = 8
