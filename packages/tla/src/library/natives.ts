/** The natives of built-in modules. */
import type { Span } from '../error/span.ts'
import { isOwn } from './modules.ts'
import type { Native, NativeTable } from './native.ts'
import { BAGS } from './natives/bags.ts'
import { BITWISE } from './natives/bitwise.ts'
import { CSV } from './natives/csv.ts'
import { APALACHE, BAGS_EXT, FOLDS, FUNCTIONS } from './natives/folds.ts'
import { GRAPH_VIZ, GRAPHS, RELATION, UNDIRECTED_GRAPHS } from './natives/graphs.ts'
import { IO_UTILS } from './natives/io.ts'
import { JSON_MODULE } from './natives/json.ts'
import { INTEGERS, NATURALS, REALS } from './natives/numbers.ts'
import { COMBINATORICS, STATISTICS } from './natives/numbers-ext.ts'
import { RANDOMIZATION } from './natives/random.ts'
import { DYADIC_RATIONALS } from './natives/rationals.ts'
import { SEQUENCES } from './natives/sequences.ts'
import { SEQUENCES_EXT } from './natives/sequences-ext.ts'
import { FINITE_SETS, FINITE_SETS_EXT } from './natives/sets.ts'
import { SVG } from './natives/svg.ts'
import { TLC } from './natives/tlc.ts'
import { TLC_EXT, TOOLBOX } from './natives/tlc-ext.ts'
import { VECTOR_CLOCKS } from './natives/vector-clocks.ts'

const TABLES: ReadonlyMap<string, NativeTable> = new Map([
  ['Apalache', APALACHE],
  ['Bags', BAGS],
  ['BagsExt', BAGS_EXT],
  ['Bitwise', BITWISE],
  ['Combinatorics', COMBINATORICS],
  ['CSV', CSV],
  ['DyadicRationals', DYADIC_RATIONALS],
  ['FiniteSets', FINITE_SETS],
  ['FiniteSetsExt', FINITE_SETS_EXT],
  ['Folds', FOLDS],
  ['Functions', FUNCTIONS],
  ['Graphs', GRAPHS],
  ['GraphViz', GRAPH_VIZ],
  ['Integers', INTEGERS],
  ['IOUtils', IO_UTILS],
  ['Json', JSON_MODULE],
  ['Naturals', NATURALS],
  ['Randomization', RANDOMIZATION],
  ['Reals', REALS],
  ['Relation', RELATION],
  ['Sequences', SEQUENCES],
  ['SequencesExt', SEQUENCES_EXT],
  ['Statistics', STATISTICS],
  ['SVG', SVG],
  ['TLC', TLC],
  ['TLCExt', TLC_EXT],
  ['Toolbox', TOOLBOX],
  ['UndirectedGraphs', UNDIRECTED_GRAPHS],
  ['VectorClocks', VECTOR_CLOCKS],
])

/**
 * The native of a definition; undefined if its TLA+ text is evaluated.
 *
 * @param module the module with the definition, not one that extends it
 * @param name in canonical spelling: `+`, `-.`, `\\o`, `(+)`
 */
export function nativeOf(module: string, name: string): Native | undefined {
  const table = TABLES.get(module)
  return table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined
}

/** As in TLC, natives replace copies of these modules next to a specification too. */
const STANDARD = new Set(['Naturals', 'Integers', 'Sequences', 'FiniteSets', 'Bags', 'TLC', 'TLCExt', 'Randomization'])

interface Defined {
  readonly module: string
  readonly name: string
  readonly at: Span
}

/** The native of a definition in a loaded module. */
export function nativeFor({ module, name, at }: Defined): Native | undefined {
  return isOwn(at.source) || STANDARD.has(module) ? nativeOf(module, name) : undefined
}

/** For tests that compare them with the texts of the modules. */
export function nativeTables(): ReadonlyMap<string, NativeTable> {
  return TABLES
}
