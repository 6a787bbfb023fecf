/**
 * Declares a property for every collected test, and one for the whole file, whose tests may build
 * on each other.
 */
import { fuzz } from 'norn'
import { WHOLE_FILE } from '../whole-file.ts'
import { root } from './collected.ts'
import { fullTitle, runAlone, runTogether } from './group.ts'

/** A suite may keep the loop busy for any time: its own time limits bound it. */
const maxSteps = 1_000_000

export function declareCollected(): void {
  const { all } = root
  const counts = new Map<string, number>()
  const only = all.some(({ mode }) => mode === 'only')
  for (const test of all) {
    const title = fullTitle(test) || 'anonymous'
    const count = (counts.get(title) ?? 0) + 1
    counts.set(title, count)
    const name = count === 1 ? title : `${title} (${count})`
    const declare = test.mode === 'skip' || (only && test.mode !== 'only') ? fuzz.skip : fuzz
    declare(name, {}, () => runAlone(test), { maxSteps })
  }
  fuzz(WHOLE_FILE, {}, () => runTogether(root), { maxSteps })
}
