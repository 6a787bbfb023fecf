/**
 * Options whose value is read in several files: as `options.NAME`, or by a pattern `{ NAME }`. Names like
 * `runs` have other meanings too, so only records count that are called or typed as options, flags,
 * configuration, environment or limits.
 */
import type { Problem, SourceFile } from './sources.ts'

const ROOM = 'packages/norn/src/options/'

/** Those that exist: how many files read the option, and why. The list only shrinks. */
const KNOWN: Readonly<Record<string, readonly [files: number, why: string]>> = {
  timeMs: [5, 'norn fuzz shares it, the search and its process end at it, progress shows it; norn shrink has its own'],
  runs: [6, 'norn fuzz defaults it, workers share it, the campaign counts, progress shows it; frames have their own'],
  seed: [
    9,
    'workers, the planner, the campaign and strategies derive theirs; scenarios, frames and TLC have their own',
  ],
  strategy: [2, 'the project chooses it among levels, and the planner makes it'],
  guide: [7, 'each part of the feedback reads its own switch'],
  cover: [2, 'norn fuzz checks the names, the process that searches instruments them'],
  workers: [2, 'norn fuzz chooses, the session starts them'],
  corpus: [3, 'norn fuzz chooses, workers share it, the process that searches loads it'],
  property: [4, 'two commands select by it; the others mean a property'],
  alias: [4, 'flags and the configuration are resolved apart, and a failure brings its own; the tape means another'],
  open: [3, 'flags and the configuration are resolved apart; the world lets the addresses through'],
  openAnywhere: [2, 'norn fuzz and norn replay have different messages'],
  memoryMb: [2, 'the checker of histories has its own'],
  keepGoing: [6, 'each loop over failures ends at the first without it, and the summary says so'],
  shrink: [2, 'the search for frames has its own'],
  json: [4, 'each command that prints'],
  setup: [2, 'the loader has that of the test framework beside it'],
  network: [2, 'the property names it before the configuration'],
}

/** A row of the table begins with its name. */
const ROW = /^ {2}(\w+): \{$/

const RECORD = '(?:[oO]ptions|[fF]lags|[cC]onfiguration|environment|[lL]imits)'
const MEMBER = new RegExp(String.raw`${RECORD}\??\.(\w+)\b(?!\()`, 'g')
const PATTERN = new RegExp(String.raw`\{([^{}]*)\}(?: = [\w.#]*${RECORD}\b(?![.(])|: [\w&<]*${RECORD}\b)`, 'g')

export function scatteredOptions(files: readonly SourceFile[], known: typeof KNOWN = KNOWN): Problem[] {
  const table = files.find(({ path }) => path === `${ROOM}table.ts`)
  const names = (table?.lines ?? []).flatMap((line) => ROW.exec(line)?.[1] ?? [])
  const readers = new Map([...Object.keys(known), ...names].map((name) => [name, [] as string[]]))
  for (const { path, lines } of files) {
    if (!path.startsWith('packages/norn/src/') || path.startsWith(ROOM)) continue
    for (const name of namesRead(lines)) readers.get(name)?.push(path)
  }
  return [...readers].flatMap(([name, paths]) => {
    const [allowed, isListed] = Object.hasOwn(known, name) ? [known[name]![0], true] : [1, false]
    const where = 'scripts/tidiness/options.ts'
    if (isListed && !names.includes(name)) return [{ where, what: `${name} is not an option: remove its row` }]
    if (isListed && paths.length < allowed)
      return [{ where, what: `${paths.length} files read ${name}: correct its row` }]
    if (paths.length <= allowed) return []
    return [{ where: paths.at(-1)!, what: `${name} is read here, and in ${paths.slice(0, -1).join(', ')}` }]
  })
}

function namesRead(lines: readonly string[]): ReadonlySet<string> {
  const code = lines.filter((line) => !/^\s*(?:\/\/|\/?\*)/.test(line)).join('\n')
  const members = [...code.matchAll(MEMBER)].map(([, name = '']) => name)
  const patterns = [...code.matchAll(PATTERN)].flatMap(([, inside = '']) => inside.split(','))
  return new Set([...members, ...patterns.map((each) => /\w+/.exec(each)?.[0] ?? '')])
}
