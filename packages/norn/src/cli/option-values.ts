/** Parsers of option values, for commander: an invalid value is an error that says what was expected. */
import { InvalidArgumentError } from 'commander'
import { parseCount, parseDuration, parseSeed } from '../session/values.ts'

/** In milliseconds. */
export const duration = (text: string) => checked(() => parseDuration(text))

export const count = (text: string) => checked(() => parseCount(text))

export const seed = (text: string) => checked(() => parseSeed(text))

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
