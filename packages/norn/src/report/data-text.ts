/**
 * Plain data in little room: `Append term=3 entries=[{key: x}, … 4 more]`. Not meant to be parsed.
 *
 * Invariant: the room bounds the work, not the data: deep and late parts are never visited.
 */
import { messageType, typeField } from '../cluster/message-type.ts'
import { cut } from '../contract/text.ts'
import { printableLine } from './printable.ts'

const MAX_DEPTH = 3
const MAX_ITEMS = 6
const MAX_TEXT = 40

/** Data in one line of at most `room` characters: the type of a message first, then its fields. */
export function dataText(data: unknown, room: number): string {
  return cut(printableLine(topLevel(data)), room)
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

/** The first wanted fields of an object, as text; a last one counts the others. */
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

/** Quotes a text that could be taken for another value. */
function quoted(text: string): string {
  const short = cut(text, MAX_TEXT)
  return /^[\p{L}_][\p{L}\p{N}_.:/-]*…?$/u.test(short) && !/^(?:null|true|false|undefined)$/.test(short)
    ? short
    : `'${short}'`
}
