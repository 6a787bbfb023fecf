/** Parses the values of options; errors say what was expected. */
import { InvalidArgumentError } from 'commander'

const MAX_DURATION_MS = 500 * 3_600_000
const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** `500ms`, `30s`, `5m`, `1h`, or a number of seconds; in milliseconds. */
export function duration(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text)
  if (match === null) throw new InvalidArgumentError('expected a duration such as 500ms, 30s or 5m.')
  const ms = Number(match[1]) * UNITS_MS[match[2] ?? 's']!
  if (ms >= 1 && ms <= MAX_DURATION_MS) return ms
  throw new InvalidArgumentError('expected a duration from 1ms to 500h.')
}

/** A whole number from 1. */
export function count(text: string): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value >= 1) return value
  throw new InvalidArgumentError('expected a whole number from 1.')
}

/** A value as histories have them: JSON, `nil`, or a text. */
export function historyValue(text: string): unknown {
  if (text === 'nil') return null
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
