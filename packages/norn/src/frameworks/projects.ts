/**
 * The projects of a configuration of vitest or jest, each with a configuration of its own.
 *
 * Follows vitest's resolveProjects: an object has what it says, and with `extends` what another configuration says; a
 * path leads to a configuration, or to a folder with or without one; a glob to many.
 */
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { globSync, isDynamicPattern } from 'tinyglobby'
import type { RunningProject } from '../loader/configured-aliases.ts'
import { realFiles } from '../loader/real-files.ts'
import {
  type Configuration,
  configurationAt,
  configurationIn,
  type Entries,
  GLOBAL_SETUP,
  nearestConfiguration,
  type ReadProject,
  rootOf,
  SETUPS,
  together,
} from './configuration-entries.ts'
import { selectionOf } from './test-selection.ts'

export interface ProjectConfiguration extends Configuration {
  /** Of a project that is declared as an object. */
  readonly project?: RunningProject | undefined
}

const byFolder = new Map<string, readonly ProjectConfiguration[]>()

/** The projects of the nearest folder with a configuration: that configuration itself, if it declares none. */
export function projectsAt(folder: string): readonly ProjectConfiguration[] {
  let found = byFolder.get(folder)
  if (found === undefined) byFolder.set(folder, (found = projectsOf(nearestConfiguration(folder))))
  return found
}

/**
 * The configuration that a file of tests runs with. Of several projects that take it, the first that runs in Node;
 * where none does, the configuration that declares them.
 */
export function configurationOfTests(file: string): ProjectConfiguration {
  const whole = nearestConfiguration(dirname(file))
  if (whole.declared === undefined) return whole
  const taking = projectsAt(dirname(file)).filter((each) => selectionOf(each).takes(file))
  return taking.find(runsInNode) ?? taking[0] ?? whole
}

/** Whether the tests of a project run in Node, not in a browser. */
export function runsInNode({ entries }: Configuration): boolean {
  return entries.browser?.[0] !== 'true'
}

function projectsOf(whole: Configuration): readonly ProjectConfiguration[] {
  const { declared } = whole
  if (declared === undefined) return [whole]
  const ignored = declared.flatMap(({ path }) => (path?.startsWith('!') ? [path.slice(1)] : []))
  const projects = declared.flatMap((each): readonly ProjectConfiguration[] => {
    if (each.path === undefined) return [inside(each, whole)]
    return each.path.startsWith('!') ? [] : placesOf(each.path, ignored, whole).map((place) => at(place, whole))
  })
  return projects.map((each) => (each === whole ? each : behindGlobalSetup(each, whole)))
}

/** That of the whole runs before all projects. */
function behindGlobalSetup(project: ProjectConfiguration, whole: Configuration): ProjectConfiguration {
  const first = whole.entries[GLOBAL_SETUP]?.map((path) => resolve(whole.folder, path)) ?? []
  if (first.length === 0) return project
  const entries = { ...project.entries, [GLOBAL_SETUP]: [...first, ...(project.entries[GLOBAL_SETUP] ?? [])] }
  return { ...project, entries }
}

/** A project that is an object. */
function inside(
  { key, entries: own, base: said }: ReadProject,
  { folder, entries, runner }: Configuration,
): ProjectConfiguration {
  const base = said ?? (runner === 'vitest' && extendsByDefault(folder))
  const extended = base === true ? entries : base === false ? {} : configurationIn(resolve(folder, base)).entries
  const all = completed(extended, own)
  const root =
    runner === 'jest' ? resolve(folder, own.rootDir?.[0]?.replace('<rootDir>', folder) ?? '') : rootOf(own, folder)
  return { folder: root, entries: all, runner, project: { key, isAlone: base !== true } }
}

const FIRST_TO_EXTEND = 5

/** Whether a project completes the configuration that declares it, where it says nothing of that. */
function extendsByDefault(folder: string): boolean {
  try {
    const { version } = createRequire(join(folder, 'package.json'))('vitest/package.json') as { version: string }
    return Number.parseInt(version, 10) >= FIRST_TO_EXTEND
  } catch {
    return false
  }
}

const LISTS: readonly string[] = [...SETUPS, 'include', 'exclude']
/** What is the own, or nothing. */
const OWN: readonly string[] = [GLOBAL_SETUP, 'root']

/** As Vite merges configurations: lists are joined, the base first; of settings, the own hold. */
function completed(all: Entries, own: Entries): Entries {
  const base = Object.fromEntries(Object.entries(all).filter(([name]) => !OWN.includes(name)))
  const lists = LISTS.map((name) => [name, [...(base[name] ?? []), ...(own[name] ?? [])]] as const)
  return { ...together(own, base), ...Object.fromEntries(lists.filter(([, values]) => values.length > 0)) }
}

function placesOf(path: string, ignored: readonly string[], { folder }: Configuration): readonly string[] {
  const asked = path.replace('<rootDir>', folder)
  if (!isDynamicPattern(asked)) return [resolve(folder, asked)]
  const options = { cwd: folder, absolute: true, dot: true, onlyFiles: false, expandDirectories: false }
  return globSync(asked, { ...options, ignore: ['**/node_modules/**', ...ignored] }).sort()
}

/** The project that a folder, or the configuration at a path, is. */
function at(place: string, whole: Configuration): Configuration {
  if (!realFiles.isDirectory(place)) return place === whole.file ? whole : configurationIn(place)
  const found = configurationAt(place)
  return found?.runner === whole.runner ? found! : { folder: join(place, '.'), entries: {}, runner: whole.runner }
}
