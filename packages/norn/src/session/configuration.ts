/**
 * The configuration: defaults of options for a project, in `norn.config.ts` (or .mjs, .js) or under
 * the key `norn` of package.json.
 *
 * It is found from the working directory upwards to the nearest folder with a package.json; without
 * one, in the working directory alone: a file further up belongs to somebody else.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { unknownText } from '../contract/known-names.ts'
import { parseGuide } from '../options/guide.ts'
import { MAX_MEMORY_MB, MIN_MEMORY_MB } from '../process/memory.ts'
import { checkNetwork } from '../property/check-latencies.ts'
import {
  isBetween,
  isIntegerBetween,
  MAX_TIME_MS,
  type OptionRule,
  SEARCH_LIMITS,
  shown,
} from '../property/search-options.ts'
import { strategyChooser } from '../schedule/portfolio.ts'
import { evaluateModule } from './configuration-module.ts'
import type { NornConfiguration } from './define-config.ts'
import { UsageError } from './errors.ts'
import { MAX_WORKERS, parseDuration } from './values.ts'

export interface LoadedConfiguration {
  /** The file, relative to the working directory, for messages. */
  readonly file: string
  /** Its folder, at which relative paths in it begin. */
  readonly folder: string
  readonly options: NornConfiguration
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

const RULES: Readonly<Record<Exclude<keyof NornConfiguration, 'network'>, OptionRule>> = {
  ...SEARCH_LIMITS,
  hangMs: [`a number of milliseconds from 1 to ${MAX_TIME_MS}`, isBetween(1, MAX_TIME_MS)],
  memoryMb: [
    `an integer of MB from ${MIN_MEMORY_MB} to ${MAX_MEMORY_MB}`,
    isIntegerBetween(MIN_MEMORY_MB, MAX_MEMORY_MB),
  ],
  workers: [`an integer from 1 to ${MAX_WORKERS}`, isIntegerBetween(1, MAX_WORKERS)],
  strategy: ['portfolio, natural, random, pct or pct:DEPTH', isParsedBy(strategyChooser)],
  guide: ['some of edges,order,compare,trace,model, or all, or none', isParsedBy(parseGuide)],
  corpus: ['true or false', (value) => typeof value === 'boolean'],
  cover: ['an array of package names', (value) => Array.isArray(value) && value.every(isName)],
  open: [
    'an array of addresses HOST:PORT or paths of Unix sockets',
    (value) => Array.isArray(value) && value.every(isName),
  ],
  setup: ['an array of paths', (value) => Array.isArray(value) && value.every(isName)],
  allowedAddons: ['an array of package names or paths', (value) => Array.isArray(value) && value.every(isName)],
  alias: [
    'an object of module specifiers by module specifier',
    (value) =>
      typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every(isName),
  ],
}

const KEYS = [...Object.keys(RULES), 'network']

/** Options whose flag takes a duration with a unit. */
const DURATIONS = ['timeMs', 'hangMs']

/**
 * @param where names the file in messages
 * @throws UsageError
 */
export function checkConfiguration(value: unknown, where: string): NornConfiguration {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError(`${where}: expected an object of options, found ${shown(value)}`)
  const refuse = (why: string): never => {
    throw new UsageError(`${where}: ${why}`)
  }
  for (const [key, given] of Object.entries(value)) {
    if (key === 'network') {
      checkNetwork(given, refuse)
      continue
    }
    if (!KEYS.includes(key)) throw new UsageError(`${where}: ${unknownText(key, KEYS)}`)
    const [expected, holds] = RULES[key as keyof typeof RULES]
    if (given === undefined || holds(given)) continue
    throw new UsageError(`${where}: option ${key} must be ${expected}: ${shown(given)}${unitHint(key, given)}`)
  }
  return value
}

/** `'30s'` is what the flag takes; here the unit is in the name. */
function unitHint(key: string, value: unknown): string {
  if (!DURATIONS.includes(key) || typeof value !== 'string') return ''
  try {
    return `. Write ${parseDuration(value)}`
  } catch {
    return ''
  }
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

function isParsedBy(parse: (text: string) => unknown): (value: unknown) => boolean {
  return (value) => {
    if (typeof value !== 'string') return false
    try {
      parse(value)
      return true
    } catch {
      return false
    }
  }
}
