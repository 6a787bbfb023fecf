/**
 * The public collection tlaplus/Examples in a folder: the models whose number of distinct states
 * its manifests give, and all of its modules. It is not part of the project.
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../../suite.ts'

export interface Example {
  /** The path of its configuration below `specifications/`: `transaction_commit/TCommit.cfg`. */
  readonly name: string
  /** Absolute paths. */
  readonly specification: string
  readonly configuration: string
  readonly distinct: number
  /** TLC's time by the manifest, with all workers: whole seconds, rounded up. */
  readonly seconds: number
}

interface Manifest {
  readonly modules: readonly {
    readonly path: string
    readonly models: readonly { readonly path: string; readonly runtime: string; readonly distinctStates?: number }[]
  }[]
}

const HOW_TO_GET = 'git clone --depth 1 https://github.com/tlaplus/Examples'

/** @throws UsageError unless the folder is such a collection */
export function assertCollection(folder: string | undefined): asserts folder is string {
  if (folder === undefined) throw new UsageError(`--examples DIR is missing; get a clone with ${HOW_TO_GET}`)
  if (globSync('specifications/*/manifest.json', { cwd: folder }).length > 0) return
  const why = existsSync(folder) ? 'no specifications/*/manifest.json' : 'no such folder'
  throw new UsageError(`--examples is not a clone of tlaplus/Examples: ${folder} (${why}); get one with ${HOW_TO_GET}`)
}

/** The models whose distinct states are known, by name. */
export function examples(folder: string): readonly Example[] {
  const found: Example[] = []
  for (const manifest of globSync('specifications/*/manifest.json', { cwd: folder })) {
    const { modules }: Manifest = JSON.parse(readFileSync(join(folder, manifest), 'utf8'))
    for (const { path: specification, models } of modules) {
      for (const { path, runtime, distinctStates } of models) {
        if (distinctStates === undefined) continue
        found.push({
          name: path.replace(/^specifications\//, ''),
          specification: join(folder, specification),
          configuration: join(folder, path),
          distinct: distinctStates,
          seconds: secondsOf(runtime),
        })
      }
    }
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** The paths of all modules, relative to the folder. */
export function modules(folder: string): readonly string[] {
  return globSync('specifications/**/*.tla', { cwd: folder }).sort()
}

/** `00:01:30` is 90. */
function secondsOf(runtime: string): number {
  return runtime.split(':').reduce((seconds, part) => 60 * seconds + Number(part), 0)
}
