/**
 * The order of rooms and packages. A room uses only itself and the rooms before it in its package;
 * norn-tla and norn-history use nothing of norn; norn-maelstrom and norn-fleet use what norn exports for
 * them, and norn loads them by name; `#shared/…` is for all; tests and bench are used by nobody.
 */
import type { Problem, SourceFile } from './sources.ts'

/** The folders of the world, from the bottom; the files beside them stand above all. */
const WORLD: readonly string[] = [
  'world/realm',
  'world/loop',
  'world/trace',
  'world/time',
  'world/isolation',
  'world/isolates',
  'world/files',
  'world/crypto',
  'world/network',
  'world/devices',
  'world/open',
  'world/streams',
  'world/udp',
  'world/dns',
  'world/http',
  'world/threads',
  'world/processes',
  'world/builtins',
]

/** The rooms of norn, from the bottom. */
export const ROOMS: readonly string[] = [
  'contract',
  'tape',
  'schedule',
  'options',
  'search',
  'shrink',
  'model',
  'loader',
  'devices',
  ...WORLD,
  'world',
  'property',
  'frameworks',
  'storage',
  'watch',
  'domains/latency',
  'cluster',
  'domains/cluster',
  'domains',
  'execution',
  'process',
  'session',
  'report',
  'tla',
  'history',
  'cli',
  'runners',
  'internal',
]

/** The rooms of norn-history, from the bottom. All but `node` and `cli` run in a browser. */
const HISTORY_ROOMS: readonly string[] = [
  'history',
  'read',
  'models',
  'linearizability',
  'isolation',
  'picture',
  'node',
  'cli',
]

/** The rooms of norn-tla, from the bottom. All but `node` and `cli` run in a browser. */
const TLA_ROOMS: readonly string[] = [
  'error',
  'syntax',
  'configuration',
  'values',
  'library',
  'semantics',
  'evaluate',
  'follow',
  'check',
  'validate',
  'node',
  'cli',
]

const ROOMS_OF: Readonly<Record<string, readonly string[]>> = {
  norn: ROOMS,
  history: HISTORY_ROOMS,
  tla: TLA_ROOMS,
}

/** What a package may import of the others: a package, or one entry point. */
const USES: Readonly<Record<string, readonly string[]>> = {
  norn: ['norn-tla', 'norn-history'],
  tla: [],
  history: [],
  shared: [],
  maelstrom: ['norn-history', 'norn/cluster', 'norn/history', 'norn/internal/cluster'],
  fleet: ['norn/internal/session'],
}
const NAMES = ['norn', 'norn-tla', 'norn-history', 'norn-maelstrom', 'norn-fleet', 'norn-shared']

export function brokenLayers(files: readonly SourceFile[]): Problem[] {
  return files.flatMap((file) => {
    const from = placeOf(file.path)
    if (from === undefined) return []
    const problems: Problem[] = []
    const rooms = ROOMS_OF[from.package]
    if (rooms !== undefined && from.room !== undefined && !rooms.includes(from.room))
      problems.push({ where: file.path, what: `the room ${from.room} has no place in the order of rooms` })
    for (const { to, line, specifier } of file.references) {
      const what = crossed(from, to)
      if (what !== undefined) problems.push({ where: `${file.path}:${line}`, what: `'${specifier}': ${what}` })
    }
    for (const { name, line } of file.modules) {
      if (NAMES.some((each) => isWithin(name, each)) && !USES[from.package]!.some((each) => isWithin(name, each)))
        problems.push({ where: `${file.path}:${line}`, what: `packages/${from.package} may not use '${name}'` })
    }
    return problems
  })
}

/** Whether a specifier is a package or an entry point, or one below it. */
function isWithin(specifier: string, name: string): boolean {
  return specifier === name || specifier.startsWith(`${name}/`)
}

interface Place {
  readonly package: string
  /** Undefined for a file directly in `src`, which is an entry point. */
  readonly room: string | undefined
}

/** A room is the first folder, or the first two where the order lists rooms within the first. */
function placeOf(path: string): Place | undefined {
  const match = /^packages\/([^/]+)\/src\/(?:([^/]+)\/(?:([^/]+)\/)?)?[^/]/.exec(path)
  if (match === null) return undefined
  const [, name, outer, inner] = match
  const isDivided = inner !== undefined && ROOMS_OF[name!]?.some((room) => room.startsWith(`${outer}/`))
  return { package: name!, room: isDivided ? `${outer}/${inner}` : outer }
}

/** Why a place may not use a file; undefined if it may. */
function crossed(from: Place, to: string): string | undefined {
  const target = placeOf(to)
  if (target === undefined) return 'sources use no file outside of packages/*/src'
  if (target.package !== from.package) return `packages use each other by name, not by path`
  const rooms = ROOMS_OF[from.package]
  if (rooms === undefined || from.room === undefined) return undefined
  if (target.room === undefined) return `a room may not use an entry point`
  const isBelow = rooms.indexOf(target.room) <= rooms.indexOf(from.room)
  return isBelow ? undefined : `${from.room} stands below ${target.room}`
}
