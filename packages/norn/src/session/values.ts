/**
 * Parsers for options and environment variables: durations, counts, seeds. Each throws an `Error`
 * that says what was expected.
 */
import { MAX_TIME_MS } from '../property/search-options.ts'

/** `500ms`, `30s`, `5m`, `1h`, or a number of seconds; in milliseconds. */
export function parseDuration(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text)
  if (match === null) throw new Error('expected a duration such as 500ms, 30s or 5m')
  const unit = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }[match[2] ?? 's']!
  const ms = Number(match[1]) * unit
  if (!(ms >= 1 && ms <= MAX_TIME_MS)) throw new Error('expected a duration from 1ms to 500h')
  return ms
}

/** A whole number from 1. */
export function parseCount(text: string): number {
  const value = Number(text)
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value) || value < 1)
    throw new Error('expected a whole number from 1')
  return value
}

/** A seed of 32 bits, decimal or hexadecimal. */
export function parseSeed(text: string): number {
  const value = Number(text)
  if (!/^(?:\d+|0x[0-9a-f]+)$/i.test(text) || value > 0xffff_ffff) {
    throw new Error('expected a whole number from 0 to 4294967295')
  }
  return value
}

/** More than any machine has processors. */
export const MAX_WORKERS = 256
