/** Which definitions of norn's own modules have natives. */
import type { Native, NativeTable } from './native.ts'

const TABLES = new Map<string, NativeTable>([])

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
