/**
 * The configuration: defaults of options for a project, in `norn.config.ts` (or .mjs, .js) or under
 * the key `norn` of package.json.
 *
 * It is found from the working directory upwards to the nearest folder with a package.json; without
 * one, in the working directory alone: a file further up belongs to somebody else.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { ConfiguredOptions } from '../options/table.ts'
import { checkConfiguration as checkValues } from '../options/values.ts'
import { evaluateModule } from './configuration-module.ts'
import { UsageError } from './errors.ts'

export interface LoadedConfiguration {
  /** The file, relative to the working directory, for messages. */
  readonly file: string
  /** Its folder, at which relative paths in it begin. */
  readonly folder: string
  readonly options: ConfiguredOptions
}

const FILES = ['norn.config.ts', 'norn.config.mjs', 'norn.config.js']
const PACKAGE = 'package.json'

const loaded = new Map<string, LoadedConfiguration>()

/**
 * The configuration of a working directory; read once.
 *
 * @throws UsageError that names the file, the key and what was expected
 */
export function loadConfiguration(from: string = process.cwd()): LoadedConfiguration {
  let configuration = loaded.get(from)
  if (configuration === undefined) loaded.set(from, (configuration = read(from)))
  return configuration
}

function read(from: string): LoadedConfiguration {
  for (const folder of foldersFrom(from)) {
    const named = FILES.filter((name) => existsSync(join(folder, name)))
    const inPackage = packageKey(folder)
    const all = inPackage === undefined ? named : [...named, `${PACKAGE} (key "norn")`]
    const shownPath = (name: string) => relative(from, join(folder, name))
    if (all.length > 1) throw new UsageError(`${all.map(shownPath).join(' and ')} both configure norn. Keep one`)
    const [name] = named
    if (name === undefined && inPackage === undefined) continue
    const file = shownPath(name ?? PACKAGE)
    const options = name === undefined ? inPackage : evaluateModule(join(folder, name), file)
    return { file, folder, options: checkConfiguration(options, name === undefined ? `${file}: norn` : file) }
  }
  return { file: '', folder: from, options: {} }
}

/** The folders to look in: up to the nearest one with a package.json, or only the first. */
function foldersFrom(from: string): string[] {
  const folders = [from]
  while (!existsSync(join(folders.at(-1)!, PACKAGE))) {
    const above = dirname(folders.at(-1)!)
    if (above === folders.at(-1)) return [from]
    folders.push(above)
  }
  return folders
}

/** What package.json holds for norn. */
function packageKey(folder: string): unknown {
  try {
    return (JSON.parse(readFileSync(join(folder, PACKAGE), 'utf8')) as { norn?: unknown }).norn
  } catch {
    // Whoever needs package.json says what is wrong with it.
    return undefined
  }
}

/**
 * @param where names the file in messages
 * @throws UsageError
 */
export function checkConfiguration(value: unknown, where: string): ConfiguredOptions {
  return checkValues(value, (why) => {
    throw new UsageError(`${where}: ${why}`)
  })
}
