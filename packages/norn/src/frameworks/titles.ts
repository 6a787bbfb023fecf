/**
 * Titles of tests declared from a table (`test.each`), with the placeholders of jest, vitest and
 * mocha.
 *
 * `%s %d %i %f %j %o %O %p` take the next value of the row; `%#` and `%$` are the index of the row
 * from 0 and from 1, `%%` is `%`. `$name` is a field of a row that is an object, `$#` the index.
 */
import { format, inspect } from 'node:util'
import { cut } from '../contract/text.ts'

const MAX_VALUE_TEXT = 100

/** How a title shows the text of a field: as it is, or as versions of vitest do. */
export type FieldStyle = 'whole' | 'cut' | 'in quotes'

/** Of longer texts vitest cuts the end. */
const MAX_FIELD = 40

/** @param index of the row in the table, from 0 */
export function rowTitle(title: string, row: readonly unknown[], index: number, style: FieldStyle = 'whole'): string {
  let next = 0
  const filled = title.replace(/%(?:[sdifjoOpc#$%])/g, (placeholder) => {
    if (placeholder === '%%') return '%'
    if (placeholder === '%#') return `${index}`
    if (placeholder === '%$') return `${index + 1}`
    if (next >= row.length) return placeholder
    const value = row[next++]
    return placeholder === '%p' ? pretty(value) : format(placeholder, value)
  })
  const [fields] = row
  return filled.replace(/\$(#|[A-Za-z_]\w*(?:\.\w+)*)/g, (placeholder, path: string) => {
    if (path === '#') return `${index}`
    const value = fieldOf(fields, path.split('.'))
    return value === undefined ? placeholder : fieldText(value, style)
  })
}

function fieldOf(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (holder, name) => (typeof holder === 'object' && holder !== null ? Reflect.get(holder, name) : undefined),
    value,
  )
}

/** As jest's `pretty-format`. */
function pretty(value: unknown): string {
  if (typeof value === 'function') return `[Function ${value.name === '' ? 'anonymous' : value.name}]`
  return typeof value === 'string' ? `"${value.replaceAll(/["\\]/g, '\\$&')}"` : shown(value)
}

function fieldText(value: unknown, style: FieldStyle): string {
  if (typeof value !== 'string' || style === 'whole') return shown(value)
  return style === 'cut' ? cut(value, MAX_FIELD) : `'${cut(value, MAX_FIELD - 2)}'`
}

function shown(value: unknown): string {
  return typeof value === 'string'
    ? value
    : inspect(value, { depth: 2, breakLength: Infinity }).slice(0, MAX_VALUE_TEXT)
}

/**
 * The rows of a table: an array whose elements are all arrays of values, or else single values, or a tagged
 * template whose first line names the columns.
 */
export function rowsOf(table: unknown, values: readonly unknown[]): (readonly unknown[])[] {
  if (!Array.isArray(table)) throw new TypeError('each() takes an array of rows or a tagged template')
  if (!isTemplate(table)) return table.every(Array.isArray) ? table : table.map((row) => [row])
  const names = (table[0] as string).split('\n').find((line) => line.trim() !== '')!
  const columns = names
    .split('|')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  if (columns.length === 0) throw new TypeError('each``: the first line of the template must name the columns')
  const rows: Record<string, unknown>[][] = []
  for (let start = 0; start + columns.length <= values.length; start += columns.length) {
    rows.push([Object.fromEntries(columns.map((name, column) => [name, values[start + column]]))])
  }
  return rows
}

/** What titles of vitest show of the rows: the values of a row that is an array, also where others are none. */
export function shownRows(table: unknown, rows: readonly (readonly unknown[])[]): readonly (readonly unknown[])[] {
  return isTemplate(table) ? rows : (table as unknown[]).map((row) => (Array.isArray(row) ? row : [row]))
}

function isTemplate(table: unknown): boolean {
  return Array.isArray((table as { raw?: unknown }).raw)
}
