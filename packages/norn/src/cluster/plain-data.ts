/**
 * Copies of plain data: what one node sends, another gets as a copy, as over a real network; so no
 * node can change what another holds.
 */
import { complaint, hasClass, isPlain, MAX_DEPTH, NOT_PLAIN, setOwn } from '../model/plain.ts'

/**
 * A deep copy of plain data.
 *
 * @param what what it is, for the error; asked only then
 * @throws TypeError that names the place of what is no plain data
 */
export function copyData(value: unknown, what: () => string): unknown {
  try {
    return copied(value, 0)
  } catch (error) {
    if (error !== NOT_PLAIN) throw error
    throw new TypeError(`${what()} is no plain data: ${complaint(value) ?? 'it is not what it was a moment ago'}`)
  }
}

function copied(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) {
    if (isPlain(value)) return value
    throw NOT_PLAIN
  }
  if (depth > MAX_DEPTH) throw NOT_PLAIN
  if (Array.isArray(value)) {
    const items: unknown[] = []
    for (let at = 0; at < value.length; at++) items.push(copied(value[at], depth + 1))
    return items
  }
  if (hasClass(value)) throw NOT_PLAIN
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
    setOwn(copy, key, copied((value as Record<string, unknown>)[key], depth + 1))
  }
  return copy
}
