/**
 * The public collection tlaplus/Examples as it lies in a folder: the models whose number of distinct states its manifests
 * tell, and all of its modules. It is not part of the project; whoever has a copy gives its path.
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../../packages/norn/src/cli/exit-status.ts'

export interface Example {
  /** The path of its configuration below `specifications/`: `transaction_commit/TCommit.cfg`. */
  readonly name: string
  /** Absolute paths. */
  readonly specification: string
  readonly configuration: string
  readonly distinct: number
  /** What the manifest says that TLC took, with all workers: whole seconds, rounded up. */
  readonly seconds: number
}

interface Manifest {
  readonly modules: readonly {
    readonly path: string
    readonly models: readonly { readonly path: string; readonly runtime: string; readonly distinctStates?: number }[]
  }[]
}

export const HOW_TO_GET = 'git clone --depth 1 https://github.com/tlaplus/Examples gives one'

/** @throws UsageError if the folder is no such collection */
export function assertCollection(folder: string | undefined): asserts folder is string {
  if (folder === undefined) throw new UsageError(`wants the folder of a copy of tlaplus/Examples: ${HOW_TO_GET}`)
  if (globSync('specifications/*/manifest.json', { cwd: folder }).length > 0) return
  const why = existsSync(folder) ? 'has no specifications/*/manifest.json' : 'does not exist'
  throw new UsageError(`${folder} ${why}, so it is no copy of tlaplus/Examples: ${HOW_TO_GET}`)
}

/** Those whose distinct states are known, by name. */
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
