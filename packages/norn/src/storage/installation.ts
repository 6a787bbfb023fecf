/**
 * What decides the results of the norn that runs here: its own files, the packages that it uses, and Node. Its version
 * does not tell, which stays while norn is developed.
 *
 * Invariant: the texts hold no absolute path and no time, so they are the same on each machine with the same norn.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { join, resolve } from 'node:path'

const SOURCE = resolve(import.meta.dirname, '..')
const OWN_PACKAGE = resolve(SOURCE, '../package.json')

/** Identifies all that decides the results of norn. */
export function installationId(): string {
  const { dependencies } = JSON.parse(textOf(OWN_PACKAGE)) as { dependencies: object }
  // An import would load it before the world is installed.
  return process.getBuiltinModule('crypto').hash('sha256', decidingText([SOURCE], Object.keys(dependencies)))
}

/**
 * What decides the results of parts of norn.
 *
 * @param paths of their files, and of folders, of which all files count
 * @param packages that they use
 */
export function decidingText(paths: readonly string[], packages: readonly string[]): string {
  const { node, v8, amaro = '' } = process.versions
  const used = packages.flatMap((name) => findPackageJSON(name, import.meta.url) ?? [])
  return [node, v8, amaro, ...[...paths.flatMap(filesOf), OWN_PACKAGE, ...used].map(textOf)].join('\n')
}

function filesOf(path: string): readonly string[] {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesOf(join(path, name)))
}

function textOf(path: string): string {
  return readFileSync(path, 'utf8')
}
