/**
 * The tla-mutants suite: modules that are a token away from those of tlaplus/Examples (with --smoke, from our own). Each is
 * parsed or refused with a place; it never takes the process with it, and never hangs.
 *
 *     npm run bench -- tla-mutants DIR [--trials 200] [--only TEXT] [--json]
 *
 * Exits with 1 if one of them does otherwise.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MODELS } from '../../models/counts.ts'
import { UsageError } from '../../packages/norn/src/cli/exit-status.ts'
import { chance } from '../../packages/norn/src/tape/chance.ts'
import type { BenchOptions } from '../main.ts'
import { assertCollection, modules } from '../tla-examples/collection.ts'
import { Parser } from '../tla-examples/parser.ts'
import { mutant } from './mutations.ts'

export interface Row {
  readonly suite: 'tla-mutants'
  readonly module: string
  readonly seed: number
  readonly mutation: string
  readonly line: number
  readonly token: string
  readonly result: 'parsed' | 'refused' | 'crashed' | 'hung'
  readonly message?: string
}

export async function main({ directory, smoke, json, only, trials }: BenchOptions): Promise<void> {
  if (!smoke) assertCollection(directory)
  const folder = smoke ? MODELS : directory!
  const paths = (smoke ? globSync('**/*.tla', { cwd: folder }).sort() : modules(folder)).filter((path) =>
    path.includes(only ?? ''),
  )
  if (paths.length === 0) throw new UsageError(`no module's path contains "${only}"`)
  const counts = { parsed: 0, refused: 0, crashed: 0, hung: 0 }
  const parser = new Parser()
  try {
    for (let seed = 1; seed <= (trials ?? (smoke ? 30 : 200)); seed++) {
      const module = paths[chance(seed).integer(0, paths.length - 1)]!
      const { text, ...where } = mutant(readFileSync(join(folder, module), 'utf8'), seed)
      const row: Row = { suite: 'tla-mutants', module, seed, ...where, ...(await parser.parse(module, text)) }
      counts[row.result]++
      if (json) console.log(JSON.stringify(row))
      else if (row.result === 'crashed' || row.result === 'hung') {
        console.log(
          `${module}:${row.line}: ${row.token} ${row.mutation} (seed ${seed}): ${row.result}\n${row.message ?? ''}`,
        )
      }
    }
  } finally {
    parser.close()
  }
  const { parsed, refused, crashed, hung } = counts
  if (!json) console.log(`${parsed} parsed, ${refused} refused with a place, ${crashed} crashed, ${hung} hung`)
  if (crashed + hung > 0) process.exitCode = 1
}
