/**
 * How much slower a program is when it counts its branches, and when it traces its comparisons.
 *
 * The ratio is the median over the rounds of several processes: what the compiler makes of the same
 * code differs from one process to the next.
 */
import { resolve } from 'node:path'
import { rounded } from '../../measure.ts'
import { printer } from '../../output.ts'
import { measuredInProcess } from '../../processes.ts'
import { median } from '../../statistics/summary.ts'
import type { FilteredOptions } from '../../suite.ts'
import type { Times } from './inside.ts'

const SUBJECTS = ['acorn', 'markdown-it', 'semver']
const INSIDE = resolve(import.meta.dirname, 'inside.ts')

/** Targets: at most this many times the plain build's time. */
const TARGETS = { counters: 1.3, comparisons: 3 }

export async function run({ smoke, json, only = '' }: FilteredOptions): Promise<void> {
  const [processes, rounds, warmUp] = smoke ? [1, 1, 2] : [3, 40, 12]
  const say = printer(json)
  for (const subject of SUBJECTS.filter((name) => name.includes(only))) {
    const taken: Times[] = []
    for (let n = 0; n < processes; n++) {
      taken.push(await measuredInProcess<Times>(INSIDE, [subject, String(rounds), String(warmUp)]))
    }
    const all = taken.flatMap((times) => times.rounds)
    const ratio = (build: number): number => rounded(median(all.map((times) => times[build]! / times[0]!)))
    const load = (build: number): number => rounded(median(taken.map(({ loaded }) => loaded[build]!)), 1)
    const row = {
      suite: 'instrument',
      subject,
      plainMs: rounded(median(all.map(([plain]) => plain!)), 3),
      countersRatio: ratio(1),
      comparisonsRatio: ratio(2),
      counters: taken[0]!.counters,
      comparisons: taken[0]!.comparisons,
      plainLoadMs: load(0),
      countersLoadMs: load(1),
      comparisonsLoadMs: load(2),
    }
    const parts = [
      `${subject}: ${row.plainMs} ms`,
      `${row.countersRatio} times that with ${row.counters} counters (target ${TARGETS.counters})`,
      `${row.comparisonsRatio} times with comparisons too (target ${TARGETS.comparisons})`,
      `loaded in ${row.plainLoadMs}, ${row.countersLoadMs} and ${row.comparisonsLoadMs} ms`,
    ]
    say(row, parts.join('; '))
  }
}
