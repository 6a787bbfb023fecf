/**
 * The type of a message, for whoever counts messages or tells of them: most systems name it
 * themselves.
 *
 * Taken, in this order: the field `type`, or `kind`, if it is a text; of a list its first item, if
 * that is a name; a text that is a name; else the shape of the data, which varies far less than the
 * data.
 */
import type { Data } from './system.ts'

/** A word or a few joined ones: a text that has digits or blanks is more likely a value. */
const NAME = /^[\p{L}_][\p{L}_.:/-]{0,39}$/u

/** Of a shape this many fields are named. */
const MAX_FIELDS = 8

/** Of a type that a message names this much is taken. */
const MAX_LENGTH = 60

/**
 * The type of a message, at most 60 characters where the message names it; `{term, vote}`, `[…]`,
 * `number` and so on where not.
 */
export function messageType(data: Data): string {
  if (typeof data === 'object' && data !== null) {
    const named = typeField(data)
    if (named !== undefined) {
      const { [named]: type } = data as Record<string, string>
      return type!.length <= MAX_LENGTH ? type! : type!.slice(0, MAX_LENGTH)
    }
    if (Array.isArray(data)) return typeof data[0] === 'string' && NAME.test(data[0]) ? data[0] : '[…]'
    const fields = Object.keys(data)
    return `{${fields.slice(0, MAX_FIELDS).join(', ')}${fields.length > MAX_FIELDS ? ', …' : ''}}`
  }
  if (data === null || data === undefined) return 'nothing'
  if (typeof data === 'string') return NAME.test(data) ? data : 'text'
  return typeof data
}

/** The field in which a message names its type, if it does. */
export function typeField(data: object): 'type' | 'kind' | undefined {
  const { type, kind } = data as { type?: unknown; kind?: unknown }
  if (typeof type === 'string') return 'type'
  return typeof kind === 'string' ? 'kind' : undefined
}
