/** Prints a row as JSON, or as text. */
export type Say = (row: object, text: string) => void

export function printer(json: boolean): Say {
  return (row, text) => console.log(json ? JSON.stringify(row) : text)
}

/** Prints a line for each row with aligned columns; a missing value is a dash. */
export function printTable<Row extends object>(rows: readonly Row[], columns: readonly (keyof Row & string)[]): void {
  const cells = [columns, ...rows.map((row) => columns.map((column) => String(row[column] ?? '-')))]
  const widths = columns.map((_, at) => Math.max(...cells.map((line) => line[at]!.length)))
  for (const line of cells)
    console.log(
      line
        .map((cell, at) => cell.padEnd(widths[at]!))
        .join('  ')
        .trimEnd(),
    )
}
