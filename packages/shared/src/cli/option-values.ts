/** Parses the values of options; errors say what was expected. */
import { InvalidArgumentError, Option } from 'commander'

/** A timer of Node can take some 596 hours. */
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

/** 32 bits, decimal or hexadecimal. */
export function seed(text: string): number {
  const value = Number(text)
  if (/^(?:\d+|0x[0-9a-f]+)$/i.test(text) && value <= 0xffff_ffff) return value
  throw new InvalidArgumentError('expected a whole number from 0 to 4294967295.')
}

/** An option that may be repeated. */
export function repeated(flags: string, description: string): Option {
  return new Option(flags, `${description} (may be repeated)`)
    .default([], 'none')
    .argParser((text: string, before: readonly string[]) => {
      if (text === '') throw new InvalidArgumentError('expected a text.')
      return [...before, text]
    })
}
