/**
 * Plain data on little room: `Append term=3 entries=[{key: x}, … 4 more]`. For a glance, not to be
 * read back.
 *
 * Invariant: the work is bounded by the room, not by the data: what lies deep or far back is never
 * looked at.
 */
import { messageType, typeField } from '../cluster/message-type.ts'
import { printableLine } from './printable.ts'

const MAX_DEPTH = 3
const MAX_ITEMS = 6
const MAX_TEXT = 40

/**
 * Data in one line of at most `room` characters; what begins with its type is told by it, then by
 * its fields.
 */
export function dataText(data: unknown, room: number): string {
  return cut(printableLine(topLevel(data)), room)
}

/** A text in so many characters: a longer one ends in `…`. */
export function cut(text: string, room: number): string {
  if (text.length <= room) return text
  return room < 1 ? '' : `${text.slice(0, room - 1).trimEnd()}…`
}

function topLevel(data: unknown): string {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return nested(data, 0)
  const named = typeField(data)
  const fields = fieldsOf(data, (key) => key !== named).map(([key, value]) => `${key}=${value}`)
  const parts = [...(named === undefined ? [] : [messageType(data)]), ...fields]
  return parts.length === 0 ? '{}' : parts.join(' ')
}

function nested(data: unknown, depth: number): string {
  switch (typeof data) {
    case 'string':
      return quoted(data)
    case 'object':
      if (data === null) return 'null'
      if (depth >= MAX_DEPTH) return Array.isArray(data) ? '[…]' : '{…}'
      if (Array.isArray(data)) {
        const items = data.slice(0, MAX_ITEMS).map((item) => nested(item, depth + 1))
        return `[${[...items, ...more(data.length)].join(', ')}]`
      }
      return `{${fieldsOf(data, () => true, depth)
        .map(([key, value]) => `${key}: ${value}`)
        .join(', ')}}`
    default:
      return String(data)
  }
}

/**
 * The first fields of an object that `wanted` lets through, as text; the last one counts those left
 * out.
 */
function fieldsOf(data: object, wanted: (key: string) => boolean, depth = 0): [string, string][] {
  const keys = Object.keys(data).filter(wanted)
  const shown = keys.slice(0, MAX_ITEMS).map((key): [string, string] => {
    return [cut(key, MAX_TEXT), nested((data as Record<string, unknown>)[key], depth + 1)]
  })
  return keys.length > MAX_ITEMS ? [...shown, ['…', `${keys.length - MAX_ITEMS} more`]] : shown
}

function more(length: number): string[] {
  return length > MAX_ITEMS ? [`… ${length - MAX_ITEMS} more`] : []
}

/** A text that could be taken for something else stands in quotes. */
function quoted(text: string): string {
  const short = cut(text, MAX_TEXT)
  return /^[\p{L}_][\p{L}\p{N}_.:/-]*…?$/u.test(short) && !/^(?:null|true|false|undefined)$/.test(short)
    ? short
    : `'${short}'`
}
