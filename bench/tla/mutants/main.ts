/**
 * Modules one token away from those of tlaplus/Examples (with --smoke, from our own). Each is
 * parsed, or refused with a place in its text. Status 1 if one crashes or hangs the parser.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MODELS } from '../../../models/counts.ts'
import { chance } from '../../engine.ts'
import { type FilteredOptions, UsageError } from '../../suite.ts'
import { assertCollection, modules } from '../examples/collection.ts'
import { Parser } from '../examples/parser.ts'
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

export interface Options extends FilteredOptions {
  readonly examples: string | undefined
  readonly trials: number | undefined
}

export async function run({ examples, smoke, json, only = '', trials }: Options): Promise<void> {
  if (!smoke) assertCollection(examples)
  const folder = smoke ? MODELS : examples!
  const all = smoke ? globSync('**/*.tla', { cwd: folder }).sort() : modules(folder)
  const paths = all.filter((path) => path.includes(only))
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
