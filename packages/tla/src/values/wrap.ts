/**
 * Prints long values on several lines, in TLC's layout: one element per line, and the value of a
 * field below its name if they do not fit on one line.
 */
import { hasFieldNames, MOST_CHARACTERS, printCut, printValue } from './print.ts'
import type { Canonical, Value } from './value.ts'

/** Columns of the page. */
const WIDTH = 80
/** Characters shown of a value that exceeds `MOST_CHARACTERS`. */
const MUCH = 10_000
/** Indentation of a value below its field or argument. */
const BELOW = 4

/** @param indent columns before all lines but the first, which the caller has begun */
export function printWrapped(value: Value, indent = 0): string {
  // Wrapping would print the value again at each level.
  if (printValue(value).length >= MOST_CHARACTERS) return printCut(value, MUCH)
  return wrapped(value, { width: WIDTH - indent, trailer: 0, indent })
}

interface Room {
  /** Columns available from the first column of the value. */
  readonly width: number
  /** Columns to leave free at the end of the last line. */
  readonly trailer: number
  /** Columns before each line but the first. */
  readonly indent: number
}

function wrapped(value: Value, room: Room): string {
  const text = printValue(value)
  const fits = text.length <= room.width - room.trailer
  // Do not wrap values without any column left.
  if (fits || room.width <= 0 || typeof value !== 'object') return text
  switch (value.kind) {
    case 'set':
      return list('{ ', value.elements, ' }', room)
    case 'tuple':
      return list('<< ', value.elements, ' >>', room)
    case 'record':
      if (!hasFieldNames(value))
        return pairs('( ', value.shape.domain.elements, ' :>', value.elements, ' @@', ' )', room)
      return pairs('[ ', value.shape.names, ' |->', value.elements, ',', ' ]', room)
    case 'function':
      return pairs('( ', value.domain.elements, ' :>', value.elements, ' @@', ' )', room)
    default:
      return text
  }
}

function list(open: string, elements: readonly Canonical[], close: string, { width, trailer, indent }: Room): string {
  const inner = { width: width - open.length, indent: indent + open.length }
  const last = elements.length - 1
  const lines = elements.map((element, at) =>
    wrapped(element, { ...inner, trailer: at === last ? trailer + close.length : 1 }),
  )
  return `${open}${lines.join(`,${newLine(inner.indent)}`)}${close}`
}

function pairs(
  open: string,
  keys: readonly (Canonical | string)[],
  arrow: string,
  elements: readonly Canonical[],
  separator: string,
  close: string,
  room: Room,
): string {
  const inner = { width: room.width - open.length, indent: room.indent + open.length }
  const last = elements.length - 1
  const lines = elements.map((element, at) => {
    const trailer = at === last ? room.trailer + close.length : separator.length
    return pair(keys[at]!, arrow, element, { ...inner, trailer })
  })
  return `${open}${lines.join(`${separator}${newLine(inner.indent)}`)}${close}`
}

function pair(key: Canonical | string, arrow: string, element: Canonical, room: Room): string {
  const name = typeof key === 'string' ? key : printValue(key)
  const text = printValue(element)
  if (name.length + arrow.length + 1 + text.length <= room.width - room.trailer) return `${name}${arrow} ${text}`
  const fits = typeof key === 'string' || name.length + arrow.length <= room.width
  const first = fits ? name : wrapped(key, { ...room, trailer: room.trailer + arrow.length })
  const below = { width: room.width - BELOW, trailer: room.trailer, indent: room.indent + BELOW }
  return `${first}${arrow}${newLine(below.indent)}${wrapped(element, below)}`
}

function newLine(indent: number): string {
  return `\n${' '.repeat(indent)}`
}
