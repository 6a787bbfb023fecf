/**
 * The type of a message, for statistics and diagrams.
 *
 * The first of: the field `type` or `kind`, if it is a string; the first item of an array, if it is
 * a name; a string that is a name; the shape of the data.
 */
import type { Data } from './system.ts'

/** Words; a string with digits or blanks is more likely a value. */
const NAME = /^[\p{L}_][\p{L}_.:/-]{0,39}$/u

/** Fields that a shape names. */
const MAX_FIELDS = 8

/** Characters; longer types are cut. */
const MAX_LENGTH = 60

/** The name that a message gives itself, or a shape: `{term, vote}`, `[…]`, `number`, … */
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

/** The field in which a message names its type. */
export function typeField(data: object): 'type' | 'kind' | undefined {
  const { type, kind } = data as { type?: unknown; kind?: unknown }
  if (typeof type === 'string') return 'type'
  return typeof kind === 'string' ? 'kind' : undefined
}
