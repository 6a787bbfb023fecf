/** The built-in operators: every module has them, and none can redefine them. */
import type { PrimitiveName } from './term.ts'

/** How many arguments each takes. */
export const PRIMITIVES: ReadonlyMap<string, number> = new Map<PrimitiveName, number>([
  ['=', 2],
  ['#', 2],
  ['\\in', 2],
  ['\\notin', 2],
  ['~', 1],
  ['=>', 2],
  ['<=>', 2],
  ['\\cup', 2],
  ['\\cap', 2],
  ['\\', 2],
  ['\\subseteq', 2],
  ['SUBSET', 1],
  ['UNION', 1],
  ['DOMAIN', 1],
  ["'", 1],
  ['ENABLED', 1],
  ['UNCHANGED', 1],
  ['\\cdot', 2],
  ['[]', 1],
  ['<>', 1],
  ['~>', 2],
  ['-+->', 2],
])

/**
 * Operators that have terms of their own, as they take any number of arguments when they are
 * written in a row.
 */
export const CHAINS: ReadonlyMap<string, 'and' | 'or' | 'product'> = new Map([
  ['/\\', 'and'],
  ['\\/', 'or'],
  ['\\X', 'product'],
] as const)

/** Names of values. */
const CONSTANTS: ReadonlySet<string> = new Set(['TRUE', 'FALSE', 'BOOLEAN', 'STRING'])

export function isBuiltin(name: string): boolean {
  return PRIMITIVES.has(name) || CHAINS.has(name) || CONSTANTS.has(name)
}
