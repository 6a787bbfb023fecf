/** Natives of CSV. As in TLC, values are written in TLA+, strings with their quotes. */

import { printValue } from '../../values/print.ts'
import { refusal } from '../../values/refuse.ts'
import type { Value } from '../../values/value.ts'
import { appendText, readText } from '../files.ts'
import { impure, type NativeTable, pure } from '../native.ts'
import { boolean, listedFunction, sequence, text, wrongOperand } from '../operands.ts'
import type { Files } from '../platform.ts'

/** The conversions of Java's format for strings: `%s`, `%2$s`, width and precision, `%n`, `%%`. */
const PLACE = /%(?:(?:(\d+)\$)?(-)?(\d+)?(?:\.(\d+))?([sS])|([n%]))|%/g

const WIDEST = 10_000

/** Fills the texts into the conversions of a template. */
function format(template: string, texts: readonly string[]): string {
  let next = 0
  return template.replace(PLACE, (all, place, left, width, precision, kind, other) => {
    if (other !== undefined) return other === 'n' ? '\n' : '%'
    if (kind === undefined)
      throw refusal(`the template "${template}" has an unknown conversion: use %s, %1$s, %n or %%`)
    if (Number(width ?? 0) > WIDEST) throw refusal(`the template "${template}" has a place wider than ${WIDEST}`)
    const given = texts[place === undefined ? next++ : Number(place) - 1]
    if (given === undefined) throw refusal(`the template "${template}" has no value for ${all}: ${texts.length} given`)
    const cut = precision === undefined ? given : given.slice(0, Number(precision))
    const shown = kind === 'S' ? cut.toUpperCase() : cut
    return left === undefined ? shown.padStart(Number(width ?? 0)) : shown.padEnd(Number(width ?? 0))
  })
}

function linesOf(files: Files, path: string): string[] {
  if (!files.exists(path)) return []
  const lines = readText(files, path).split(/\r\n|\n|\r/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}

export const CSV: NativeTable = {
  CSVWrite: impure(({ platform }) => (template: Value, values: Value, file: Value) => {
    const texts = sequence(values, 'second', 'CSVWrite').map(printValue)
    appendText(
      platform.files,
      text(file, 'third', 'CSVWrite'),
      `${format(text(template, 'first', 'CSVWrite'), texts)}\n`,
    )
    return true
  }),
  CSVWriteRecord: impure(({ platform }) => (record: Value, delimiter: Value, headers: Value, file: Value) => {
    const listed = listedFunction(record, 'first', 'CSVWriteRecord')
    if (listed.kind !== 'record') throw wrongOperand('first', 'CSVWriteRecord', 'a record', record)
    const between = text(delimiter, 'second', 'CSVWriteRecord')
    const names = boolean(headers, 'third', 'CSVWriteRecord') ? `${listed.shape.names.join(between)}\n` : ''
    const path = text(file, 'fourth', 'CSVWriteRecord')
    appendText(platform.files, path, `${names}${listed.elements.map(printValue).join(between)}\n`)
    return true
  }),
  CSVRead: pure(({ arena, platform }) => (columns: Value, delimiter: Value, file: Value) => {
    const names = sequence(columns, 'first', 'CSVRead').map((name) => text(name, 'first', 'CSVRead'))
    const between = text(delimiter, 'second', 'CSVRead')
    const path = text(file, 'third', 'CSVRead')
    const shape = arena.shape(names)
    const records = linesOf(platform.files, path).map((line, at) => {
      const cells = line.split(between)
      if (cells.length < names.length) {
        throw refusal(`line ${at + 1} of the file ${path} has ${cells.length} columns instead of ${names.length}`)
      }
      return arena.record(
        shape,
        shape.names.map((name) => arena.string(cells[names.indexOf(name)]!)),
      )
    })
    return arena.tuple(records)
  }),
  CSVRecords: impure(
    ({ platform }) =>
      (file: Value) =>
        linesOf(platform.files, text(file, 'only', 'CSVRecords')).length,
  ),
}
