/**
 * What a program of 500 modules takes to load at its first start, and at the second, which finds what the
 * first has kept: processor time in fresh processes, of the build that lists the properties, the one that
 * counts branches and the one that traces comparisons. A figure is the least of the rounds: a busy machine only
 * adds time.
 */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { rounded } from '../../measure.ts'
import { printer } from '../../output.ts'
import { measuredInProcess } from '../../processes.ts'
import type { FilteredOptions } from '../../suite.ts'
import type { Loads } from './inside.ts'
import { FILE, writeProgram } from './program.ts'

const BUILDS = ['plain', 'counted', 'traced'] as const

export async function run({ smoke, json, only = '' }: FilteredOptions): Promise<void> {
  const modules = smoke ? 20 : 500
  const rounds = smoke ? 1 : 5
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'norn-bench-')))
  const root = join(folder, 'program')
  try {
    writeProgram(root, modules)
    const starts: (readonly [first: Loads, second: Loads])[] = []
    for (let round = 0; round < rounds; round++) {
      const args = [root, join(root, FILE), join(folder, `cache-${round}`)]
      const start = () => measuredInProcess<Loads>(resolve(import.meta.dirname, 'inside.ts'), args)
      starts.push([await start(), await start()])
    }
    const say = printer(json)
    for (const build of BUILDS.filter((each) => each.includes(only))) {
      const [firstMs, secondMs] = [0, 1].map((at) => Math.min(...starts.map((start) => start[at]![build])))
      const row = {
        suite: 'start',
        subject: `${modules} modules, ${build}`,
        firstMs: Math.round(firstMs!),
        secondMs: Math.round(secondMs!),
        ratio: rounded(secondMs! / firstMs!),
      }
      say(row, `${row.subject}: ${row.firstMs} ms, at the second start ${row.secondMs} ms: ${row.ratio} of it`)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
