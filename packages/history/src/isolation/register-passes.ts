/** Anomalies of rw-register that show in one pass over the reads, without the graph. */
import { isEqual } from '../models/canonical.ts'
import type { AnomalyType } from './anomaly.ts'
import { explainWith } from './explain.ts'
import type { Findings } from './findings.ts'
import { FAILED, type Flat, microOperation, OK } from './flat.ts'
import type { RegisterVersions } from './register-versions.ts'
import { showKey, showValue } from './words.ts'

export function passRegisters(flat: Flat, { read }: RegisterVersions, findings: Findings): void {
  const { transactions, status, start, key, write, previous, keys, writes } = flat
  const report = (type: AnomalyType, involved: readonly number[], say: (names: readonly string[]) => string) =>
    findings.add(type, () => explainWith(flat, involved, say))
  for (let index = 0; index < transactions.length; index++) {
    if (status[index] !== OK) continue
    let isInternal = false
    for (let micro = start[index]!; micro < start[index + 1]!; micro++) {
      if (write[micro]! >= 0) continue
      const version = read[micro]!
      const shown = () => `${showKey(keys[key[micro]!])} as ${showValue(microOperation(flat, index, micro)[2])}`
      const before = previous[micro]!
      if (!isInternal && before >= 0 && !agrees(index, micro, before)) {
        isInternal = true
        const what = write[before]! >= 0 ? 'wrote' : 'read'
        const value = () => showValue(microOperation(flat, index, before)[2])
        report('internal', [index], ([t]) => `${t} read ${shown()}, though it ${what} ${value()} before`)
      }
      if (version < 0)
        report(
          'garbage-read',
          [index],
          ([t]) =>
            `${t} read ${shown()}, which no transaction wrote ` +
            '(if registers begin with it, give it as the initial value)',
        )
      if (version < 0 || version >= writes.count) continue
      const writer = writes.transaction[version]!
      if (writer === index) {
        if (writes.micro[version]! > micro)
          report('future-read', [index], ([t]) => `${t} read ${shown()} before it wrote it`)
      } else if (status[writer] === FAILED)
        report(
          'G1a',
          [index, writer],
          ([t, other]) => `${t} read ${shown()}, which ${other} wrote; but ${other} aborted`,
        )
      else if (writes.isOverwritten[version] === 1)
        report(
          'G1b',
          [index, writer],
          ([t, other]) => `${t} read ${shown()}, which ${other} wrote, but not as its last write of this key`,
        )
    }
  }

  /** If a read returned what its transaction read or wrote before, be it a value that nobody wrote. */
  function agrees(index: number, micro: number, before: number): boolean {
    const version = read[micro]!
    if (write[before]! >= 0) return version === write[before]
    if (version >= 0 || read[before]! >= 0) return version === read[before]
    return isEqual(microOperation(flat, index, micro)[2], microOperation(flat, index, before)[2])
  }
}
