/** Values of rows and parameters, for people. */
import type { Reader } from './packets.ts'

const MAX_VALUE = 40

/** Types of columns. */
const TINY = 1
const SHORT = 2
const LONG = 3
const FLOAT = 4
const DOUBLE = 5
const NULL = 6
const TIMESTAMP = 7
const LONGLONG = 8
const INT24 = 9
const DATE = 10
const TIME = 11
const DATETIME = 12
const YEAR = 13
const NUMBERS = new Set([TINY, SHORT, LONG, FLOAT, DOUBLE, LONGLONG, INT24, YEAR, 0, 246])

/** A value of the text protocol. */
export function textOfValue(type: number, value: Buffer | undefined): string {
  if (value === undefined) return 'NULL'
  if (NUMBERS.has(type)) return value.toString('latin1')
  const text = value.toString('utf8', 0, 4 * MAX_VALUE)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these make bytes no text
  if (/[\0-\x08\x0e-\x1f\ufffd]/.test(text)) return `${value.length} bytes`
  return `'${text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text}'`
}

/** A value of the binary protocol. */
export function binaryValue(type: number, reader: Reader): string {
  switch (type) {
    case NULL:
      return 'NULL'
    case TINY:
      return `${reader.bytes(1).readInt8()}`
    case SHORT:
    case YEAR:
      return `${reader.bytes(2).readInt16LE()}`
    case LONG:
    case INT24:
      return `${reader.bytes(4).readInt32LE()}`
    case LONGLONG:
      return `${reader.bytes(8).readBigInt64LE()}`
    case FLOAT:
      return `${reader.bytes(4).readFloatLE()}`
    case DOUBLE:
      return `${reader.bytes(8).readDoubleLE()}`
    case DATE:
    case DATETIME:
    case TIMESTAMP:
      return moment(reader)
    case TIME:
      return `a time of ${reader.value()!.length} bytes`
    default:
      return textOfValue(type, reader.value())
  }
}

function moment(reader: Reader): string {
  const length = reader.number(1)
  const end = reader.at + length
  const two = (bytes = 1) => String(reader.number(bytes)).padStart(2, '0')
  const date = length === 0 ? '0000-00-00' : `${reader.number(2)}-${two()}-${two()}`
  const time = length > 4 ? ` ${two()}:${two()}:${two()}` : ''
  const fraction = length > 7 ? `.${String(reader.number(4)).padStart(6, '0')}` : ''
  reader.at = end
  return `'${date}${time}${fraction}'`
}
