/**
 * Writes models/counts.json: TLC's counts of every configuration in models/.
 *
 *     node scripts/record-model-counts.ts path/to/tla2tools.jar [TEXT] [--library DIR]
 *
 * DIR holds modules that TLC lacks, such as TLAPS. With TEXT, only configurations whose path
 * contains it are run; the others keep their counts. A configuration belongs to the specification
 * with the longest name that its own begins with. Configurations that TLC does not finish in a
 * minute are left out.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { runTlc } from '../bench/tla/examples/tlc.ts'
import { COUNTS, MODELS, type ModelCounts } from '../models/counts.ts'

const { positionals, values } = parseArgs({ allowPositionals: true, options: { library: { type: 'string' } } })
const [jar, text = ''] = positionals
if (jar === undefined || !existsSync(jar)) {
  console.error('usage: node scripts/record-model-counts.ts path/to/tla2tools.jar [TEXT] [--library DIR]')
  process.exit(2)
}

const specifications = globSync('**/*.tla', { cwd: MODELS })
const models: ModelCounts[] = []
for (const configuration of globSync('**/*.cfg', { cwd: MODELS }).sort()) {
  const known = COUNTS.models.find((model) => model.configuration === configuration)
  if (!configuration.includes(text)) {
    if (known !== undefined) models.push(known)
    continue
  }
  const specification = specificationOf(configuration)
  const run = runTlc(join(MODELS, specification), join(MODELS, configuration), {
    jar,
    library: values.library === undefined ? [] : [resolve(values.library)],
    timeMs: 60_000,
  })
  const { generated, distinct, depth, trace } = run
  const isEvaluation = run.result.startsWith('error') && trace !== undefined
  if (run.result.startsWith('error') && !isEvaluation) throw new Error(`${configuration}: ${run.result}`)
  const result = isEvaluation ? 'error' : run.result
  const seconds = Math.ceil(run.seconds)
  console.error(`${configuration}: ${result} ${generated} ${distinct} ${depth} ${trace ?? ''} ${run.seconds} s`)
  if (result === 'unfinished') continue
  const counts = result === 'passes' ? { generated, distinct, depth } : { trace }
  models.push({ specification, configuration, result, ...counts, seconds })
}
writeFileSync(join(MODELS, 'counts.json'), `${JSON.stringify({ by: version(jar), models }, null, 2)}\n`)

function specificationOf(configuration: string): string {
  const stem = basename(configuration, '.cfg')
  const candidates = specifications
    .filter((path) => dirname(path) === dirname(configuration) && stem.startsWith(basename(path, '.tla')))
    .sort((a, b) => b.length - a.length)
  if (candidates[0] === undefined)
    throw new Error(`no specification for ${configuration}: none has a name that it begins with`)
  return candidates[0]
}

/** By the jar's manifest: development builds of TLC print no version. */
function version(jar: string): string {
  const { stdout } = spawnSync('unzip', ['-p', resolve(jar), 'META-INF/MANIFEST.MF'], { encoding: 'utf8' })
  const field = (name: string) => new RegExp(`^${name}: (.*?)\\r?$`, 'm').exec(stdout)?.[1] ?? 'unknown'
  return `TLC of the TLA+ Tools ${field('Implementation-Version')}, -workers 1`
}
