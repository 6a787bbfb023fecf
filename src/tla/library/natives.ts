/** Which definitions of norn's own modules have natives. */
import type { Native, NativeTable } from './native.ts'
import { BAGS } from './natives/bags.ts'
import { INTEGERS, NATURALS, REALS } from './natives/numbers.ts'
import { SEQUENCES } from './natives/sequences.ts'
import { FINITE_SETS } from './natives/sets.ts'
import { TLC } from './natives/tlc.ts'

const TABLES: ReadonlyMap<string, NativeTable> = new Map([
  ['Bags', BAGS],
  ['FiniteSets', FINITE_SETS],
  ['Integers', INTEGERS],
  ['Naturals', NATURALS],
  ['Reals', REALS],
  ['Sequences', SEQUENCES],
  ['TLC', TLC],
])

/**
 * The native of a definition; undefined if its text is evaluated.
 *
 * @param module the module it stands in, not one that extends it
 * @param name as the parser gives it: `+`, `-.`, `\\o`, `(+)`
 */
export function nativeOf(module: string, name: string): Native | undefined {
  const table = TABLES.get(module)
  return table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined
}

/** All of them: for tests that hold them to the texts of the modules. */
export function nativeTables(): ReadonlyMap<string, NativeTable> {
  return TABLES
}
