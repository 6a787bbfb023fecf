/** Anomalies of list-append that show in one pass over the reads, without the graph. */

import { isEqual } from '../models/canonical.ts'
import type { AnomalyType } from './anomaly.ts'
import { explainWith } from './explain.ts'
import type { Findings } from './findings.ts'
import { FAILED, type Flat, microOperation, OK, writtenValue } from './flat.ts'
import { INCOMPATIBLE, type ListVersions } from './list-versions.ts'
import { showKey, showList, showValue } from './words.ts'

export function passLists(flat: Flat, versions: ListVersions, findings: Findings): void {
  const { transactions, status, start, key, write, previous, keys, writes } = flat
  const { length, longest, longestTransaction, start: first, order, repeated, aborted, garbage } = versions
  const listOf = (index: number, micro: number) => (microOperation(flat, index, micro)[2] ?? []) as readonly unknown[]
  const report = (type: AnomalyType, involved: readonly number[], say: (names: readonly string[]) => string) =>
    findings.add(type, () => explainWith(flat, involved, say))
  const isIncompatible = new Uint8Array(keys.length)

  for (let index = 0; index < transactions.length; index++) {
    if (status[index] !== OK) continue
    let isInternal = false
    for (let micro = start[index]!; micro < start[index + 1]!; micro++) {
      const id = key[micro]!
      const name = () => showKey(keys[id])
      if (write[micro]! >= 0) {
        futureRead(index, micro)
        continue
      }
      const at = length[micro]!
      if (at === INCOMPATIBLE) incompatible(index, micro)
      else {
        if (at >= repeated[id]!) twice(index, micro)
        if (at >= aborted[id]!) abortedRead(index, micro, order[first[id]! + aborted[id]! - 1]!)
        if (at >= garbage[id]!) garbageRead(index, micro, longest[id]![garbage[id]! - 1])
        if (at > 0) intermediateRead(index, micro, order[first[id]! + at - 1]!)
      }
      if (!isInternal && previous[micro]! >= 0 && !agrees(index, micro)) {
        isInternal = true
        report(
          'internal',
          [index],
          ([t]) =>
            `${t} read ${name()} as ${showList(listOf(index, micro))}, which disagrees with ${before(index, micro)}`,
        )
      }
    }
  }
  dirtyUpdates()
  ownOrder()

  /** What the transaction did to the key of a read before it. */
  function before(index: number, micro: number): string {
    const earlier = previous[micro]!
    return write[earlier]! >= 0
      ? `its own append of ${showValue(writtenValue(flat, write[earlier]!))} before`
      : `its read of ${showList(listOf(index, earlier))} before`
  }

  /** If a read returned what the last read and the appends since then make. */
  function agrees(index: number, micro: number): boolean {
    const list = listOf(index, micro)
    let at = list.length - 1
    let earlier = previous[micro]!
    for (; earlier >= 0 && write[earlier]! >= 0; earlier = previous[earlier]!, at--) {
      const value = writtenValue(flat, write[earlier]!)
      if (at < 0 || !isEqual(list[at], value)) return false
    }
    if (earlier < 0) return true
    if (length[earlier] !== INCOMPATIBLE && length[micro] !== INCOMPATIBLE) return length[earlier] === at + 1
    const expected = listOf(index, earlier)
    return expected.length === at + 1 && expected.every((element, place) => isEqual(element, list[place]))
  }

  function futureRead(index: number, micro: number): void {
    const append = write[micro]!
    for (let earlier = previous[micro]!; earlier >= 0; earlier = previous[earlier]!) {
      if (write[earlier]! >= 0) continue
      const place = versions.place[append]!
      const hasRead =
        length[earlier] === INCOMPATIBLE
          ? listOf(index, earlier).some((element) => writes.find(key[micro]!, element) === append)
          : place > 0 && place <= length[earlier]!
      if (!hasRead) continue
      report(
        'future-read',
        [index],
        ([t]) =>
          `${t} read ${showValue(writtenValue(flat, append))} in ${showKey(keys[key[micro]!])} before it appended it`,
      )
      return
    }
  }

  function incompatible(index: number, micro: number): void {
    const id = key[micro]!
    const list = listOf(index, micro)
    if (isIncompatible[id] === 0) {
      isIncompatible[id] = 1
      report(
        'incompatible-order',
        [index, longestTransaction[id]!],
        ([t, other]) =>
          `${t} read ${showKey(keys[id])} as ${showList(list)}, ${other} as ${showList(longest[id]!)}: ` +
          'neither is a prefix of the other',
      )
    }
    const appends = list.map((element) => writes.find(id, element))
    if (new Set(appends).size < appends.length && new Set(list).size < list.length) twice(index, micro)
    const failed = appends.find((append) => append >= 0 && status[writes.transaction[append]!] === FAILED)
    if (failed !== undefined) abortedRead(index, micro, failed)
    const unknown = appends.indexOf(-1)
    if (unknown >= 0) garbageRead(index, micro, list[unknown])
    if (appends.at(-1)! >= 0) intermediateRead(index, micro, appends.at(-1)!)
  }

  function twice(index: number, micro: number): void {
    const list = listOf(index, micro)
    report('duplicate-elements', [index], ([t]) => {
      const seen = new Set<unknown>()
      const element = list.find((one) => seen.size === seen.add(one).size)
      return `${t} read ${showValue(element)} twice in ${showKey(keys[key[micro]!])}: ${showList(list)}`
    })
  }

  function abortedRead(index: number, micro: number, append: number): void {
    report(
      'G1a',
      [index, writes.transaction[append]!],
      ([t, writer]) =>
        `${t} read ${showValue(writtenValue(flat, append))} in ${showKey(keys[key[micro]!])}, ` +
        `which ${writer} appended; but ${writer} aborted`,
    )
  }

  function garbageRead(index: number, micro: number, element: unknown): void {
    report(
      'garbage-read',
      [index],
      ([t]) => `${t} read ${showValue(element)} in ${showKey(keys[key[micro]!])}, which no transaction appended`,
    )
  }

  function intermediateRead(index: number, micro: number, append: number): void {
    const writer = append < 0 ? index : writes.transaction[append]!
    if (writer === index || writes.isOverwritten[append] === 0 || status[writer] === FAILED) return
    report(
      'G1b',
      [index, writer],
      ([t, other]) =>
        `${t} read ${showKey(keys[key[micro]!])} up to ${showValue(writtenValue(flat, append))}, ` +
        `an append of ${other} that is not the last of ${other} to this key`,
    )
  }

  /** Appends of committed transactions that follow one of an aborted transaction. */
  function dirtyUpdates(): void {
    for (let id = 0; id < keys.length; id++) {
      if (aborted[id]! > versions.agreed[id]!) continue
      let failed = -1
      for (let at = first[id]!; at < first[id]! + versions.agreed[id]!; at++) {
        const append = order[at]!
        if (append < 0) continue
        const writer = writes.transaction[append]!
        if (status[writer] === FAILED) failed = failed < 0 ? append : failed
        else if (status[writer] === OK) {
          const dirty = failed
          failed = -1
          if (dirty >= 0)
            report(
              'dirty-update',
              [writer, writes.transaction[dirty]!],
              ([t, other]) =>
                `${t} appended ${showValue(writtenValue(flat, append))} to ${showKey(keys[id])} after ` +
                `${showValue(writtenValue(flat, dirty))}, which ${other} appended; but ${other} aborted`,
            )
        }
      }
    }
  }

  /** Appends of a transaction that all reads show in another order than it made them. */
  function ownOrder(): void {
    for (let append = 0; append < writes.count; append++) {
      const index = writes.transaction[append]!
      if (status[index] === FAILED) continue
      let earlier = previous[writes.micro[append]!]!
      while (earlier >= 0 && write[earlier]! < 0) earlier = previous[earlier]!
      if (earlier < 0) continue
      const id = writes.key[append]!
      const place = versions.place[append]!
      const placeBefore = versions.place[write[earlier]!]!
      if (place === 0 || place > placeBefore || placeBefore > versions.agreed[id]!) continue
      report(
        'internal',
        [index, longestTransaction[id]!],
        ([t, reader]) =>
          `${t} appended ${showValue(writtenValue(flat, write[earlier]!))} to ${showKey(keys[id])} before ` +
          `${showValue(writtenValue(flat, append))}, and ${reader} read them the other way round`,
      )
    }
  }
}
