/** Parsers of option values, for commander: an invalid value is an error that says what was expected. */
import { InvalidArgumentError } from 'commander'
import { type Guide, parseGuide } from '../options/guide.ts'
import { strategyChooser } from '../schedule/portfolio.ts'
import { MAX_WORKERS, parseCount, parseDuration, parseSeed } from '../session/values.ts'

/** In milliseconds. */
export const duration = (text: string) => checked(() => parseDuration(text))

export const count = (text: string) => checked(() => parseCount(text))

export const seed = (text: string) => checked(() => parseSeed(text))

export function workers(text: string): number {
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < 1 || value > MAX_WORKERS)
    throw new InvalidArgumentError(`expected a whole number from 1 to ${MAX_WORKERS}.`)
  return value
}

export function guide(text: string): Guide {
  return checked(() => parseGuide(text))
}

export function strategy(text: string): string {
  return checked(() => {
    strategyChooser(text)
    return text
  })
}

/** The values of a repeatable option. */
export function collected(text: string, before: readonly string[]): string[] {
  return [...before, text]
}

export function checked<Value>(parse: () => Value): Value {
  try {
    return parse()
  } catch (error) {
    throw new InvalidArgumentError(`${(error as Error).message}.`)
  }
}
