/** What PostgreSQL's isolation tester prints of results, errors and notices: as libpq does. */

/** The rows of a statement. */
export interface ResultSet {
  readonly names: readonly string[]
  /** NULL is empty. */
  readonly rows: readonly (readonly string[])[]
}

/** Aligned columns: numbers at the right, all else at the left. A result without columns is not printed. */
export function resultText({ names, rows }: ResultSet): string {
  if (names.length === 0) return ''
  const columns = names.map((name, at) => {
    const values = rows.map((row) => row[at]!)
    const width = Math.max(...[name, ...values].map((value) => Buffer.byteLength(value)))
    return { width, isText: values.some((value) => value !== '' && !isNumber(value)) }
  })
  const line = (values: readonly string[]) => values.map((value, at) => padded(value, columns[at]!)).join('|')
  const border = columns.map(({ width }) => '-'.repeat(width)).join('+')
  const count = `(${rows.length} ${rows.length === 1 ? 'row' : 'rows'})`
  return `${[line(names), border, ...rows.map(line), count].join('\n')}\n\n`
}

function padded(value: string, { width, isText }: { readonly width: number; readonly isText: boolean }): string {
  const pad = ' '.repeat(width - Buffer.byteLength(value))
  return isText ? value + pad : pad + value
}

function isNumber(value: string): boolean {
  return /^(?![Ee])[\d.Ee -]*\d$/.test(value)
}

/** An error, by its first line. */
export function errorText({ S: severity = '', M: text = '' }: Readonly<Record<string, string>>): string {
  return `${severity}:  ${text}\n`
}

export function noticeText({
  S: severity = '',
  M: text = '',
  D: detail,
  H: hint,
}: Readonly<Record<string, string>>): string {
  const details = detail === undefined ? '' : `DETAIL:  ${detail}\n`
  return `${severity}:  ${text}\n${details}${hint === undefined ? '' : `HINT:  ${hint}\n`}`
}
