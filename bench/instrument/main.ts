/**
 * The instrument suite: how much slower a program is when it counts its branches, and when it traces its comparisons.
 *
 * The ratio is the median over the rounds of several processes: what a compiler makes of the same code differs from one
 * process to the next, and the machine may be busy.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { EXECUTION_FLAGS } from '../../packages/norn/src/process/worker.ts'
import type { BenchOptions } from '../main.ts'
import { median } from '../statistics/summary.ts'
import type { Times } from './inside.ts'

const SUBJECTS = ['acorn', 'markdown-it', 'semver']

/** The most that each build may take of the plain one's time. */
const TARGETS = { counters: 1.3, comparisons: 3 }

export async function main({ smoke, json, only }: BenchOptions): Promise<void> {
  const [processes, rounds] = smoke ? [1, 3] : [3, 40]
  for (const subject of SUBJECTS) {
    if (!subject.includes(only ?? '')) continue
    const taken: Times[] = []
    for (let n = 0; n < processes; n++) taken.push(await inProcess(subject, rounds))
    const all = taken.flatMap((times) => times.rounds)
    const ratio = (build: number): number => Number(median(all.map((times) => times[build]! / times[0]!)).toFixed(2))
    const load = (build: number): number => Number(median(taken.map(({ loaded }) => loaded[build]!)).toFixed(1))
    const row = {
      suite: 'instrument',
      subject,
      plainMs: Number(median(all.map(([plain]) => plain!)).toFixed(3)),
      countersRatio: ratio(1),
      comparisonsRatio: ratio(2),
      counters: taken[0]!.counters,
      comparisons: taken[0]!.comparisons,
      plainLoadMs: load(0),
      countersLoadMs: load(1),
      comparisonsLoadMs: load(2),
    }
    const text =
      `${subject}: ${row.plainMs} ms; ${row.countersRatio} times that with ${row.counters} counters (target ${TARGETS.counters}), ` +
      `${row.comparisonsRatio} times with comparisons too (target ${TARGETS.comparisons}); ` +
      `loaded in ${row.plainLoadMs}, ${row.countersLoadMs} and ${row.comparisonsLoadMs} ms`
    console.log(json ? JSON.stringify(row) : text)
  }
}

async function inProcess(subject: string, rounds: number): Promise<Times> {
  const inside = fileURLToPath(new URL('./inside.ts', import.meta.url))
  const child = fork(inside, [subject, String(rounds)], { execArgv: EXECUTION_FLAGS })
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the process that measures ${subject} ended with ${code} and told nothing`)
  })
  ended.catch(() => {})
  const [times] = (await Promise.race([once(child, 'message'), ended])) as [Times]
  child.disconnect()
  return times
}
