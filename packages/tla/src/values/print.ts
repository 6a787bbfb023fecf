/**
 * Values as TLC prints them: `<<1, "a">>`, `{r1, r2}`, `[a |-> 1]`, `(r1 :> 0 @@ r2 :> 1)`.
 *
 * Symbolic sets are enumerated if they are small, as in TLC, and described otherwise (`SUBSET
 * (1..20)`, `Nat`). Departs for functions over strings that are not all names, which are printed
 * with `:>`; and for intervals, which TLC prints as `1..3` until their elements are used: here `{1,
 * 2, 3}`.
 */
import { TlaError } from '../error/error.ts'
import type { Canonical, RecordValue, RuleFunction, SymbolicSet, Value } from './value.ts'

/** Deeper values are printed as `...`. */
export const MOST_NESTED = 500
/** Symbolic sets below this size are enumerated. */
const WRITTEN_OUT = 2000
/** Bound on the text of a value. */
export const MOST_CHARACTERS = 2 ** 24
/** Bound on the text of a value in a message. */
const CUT = 240

/** On one line; cut with `...` beyond `MOST_CHARACTERS`, as values with shared parts may be. */
export function printValue(value: Value): string {
  return cut(value, MOST_CHARACTERS, false)
}

/** On one line, cut with `...` if long: for messages. */
export function printCut(value: Value, characters = CUT): string {
  return cut(value, characters, true)
}

function cut(value: Value, characters: number, isMessage: boolean): string {
  const text = new Printer(characters, isMessage).print(value)
  return text.length <= characters ? text : `${text.slice(0, characters - 3)}...`
}

/** As part of a description; intervals as `1..30`. */
export function printPart(value: Value): string {
  if (typeof value === 'object' && value.kind === 'set') {
    const { elements } = value
    const [first, last] = [elements[0], elements[elements.length - 1]]
    if (typeof first === 'number' && typeof last === 'number' && last - first === elements.length - 1 && first < last) {
      return `${first}..${last}`
    }
  }
  return printCut(value)
}

/** In quotes, with TLA+'s escapes. */
function printString(text: string): string {
  return `"${text.replace(/[\\"\n\t\f\r]/g, (character) => ESCAPES[character]!)}"`
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '"': '\\"',
  '\n': '\\n',
  '\t': '\\t',
  '\f': '\\f',
  '\r': '\\r',
}

/** Whether all fields of a record are names: `[my key |-> 1]` is not valid syntax. */
export function hasFieldNames(record: RecordValue): boolean {
  return record.shape.names.every((name) => /^\w+$/.test(name))
}

/** A symbolic set or lazy function as an interned value, if it is small enough to print. */
export function writtenOut(value: Value): Canonical | SymbolicSet | RuleFunction {
  if (typeof value !== 'object') return value
  try {
    if (value.kind === 'symbolic set') {
      const size = value.size()
      return size !== undefined && size < WRITTEN_OUT ? value.toSet() : value
    }
    if (value.kind === 'rule function') return value.toFunction()
  } catch (error) {
    // Falls back to the description, since printing is part of other messages.
    if (!(error instanceof TlaError)) throw error
  }
  return value
}

/** Stops once it exceeds `limit` characters, so that messages about large sets are cheap. */
class Printer {
  readonly #limit: number
  readonly #isMessage: boolean
  #text = ''
  #depth = 0

  constructor(limit: number, isMessage: boolean) {
    this.#limit = limit
    this.#isMessage = isMessage
  }

  print(value: Value): string {
    this.#value(value)
    return this.#text
  }

  #value(value: Value): void {
    if (typeof value === 'number') this.#text += value
    else if (typeof value === 'boolean') this.#text += value ? 'TRUE' : 'FALSE'
    else {
      switch (value.kind) {
        case 'string':
          this.#text += printString(value.text)
          return
        case 'model value':
          this.#text += value.text
          return
        case 'set':
          this.#list('{', value.elements, '}')
          return
        case 'tuple':
          this.#list('<<', value.elements, '>>')
          return
        case 'record':
          if (hasFieldNames(value)) this.#pairs('[', value.shape.names, ' |-> ', value.elements, ', ', ']')
          else this.#pairs('(', value.shape.domain.elements, ' :> ', value.elements, ' @@ ', ')')
          return
        case 'function':
          this.#pairs('(', value.domain.elements, ' :> ', value.elements, ' @@ ', ')')
          return
        case 'symbolic set':
        case 'rule function': {
          // A message does not evaluate a whole function.
          const written = this.#isMessage && value.kind === 'rule function' ? value : writtenOut(value)
          if (written === value) this.#text += value.describe()
          else this.#value(written)
        }
      }
    }
  }

  #list(open: string, elements: readonly Canonical[], close: string): void {
    this.#text += open
    for (let at = 0; at < elements.length; at++) {
      if (this.#text.length > this.#limit) return
      if (at > 0) this.#text += ', '
      this.#part(elements[at]!)
    }
    this.#text += close
  }

  #pairs(
    open: string,
    keys: readonly (Canonical | string)[],
    arrow: string,
    elements: readonly Canonical[],
    separator: string,
    close: string,
  ): void {
    this.#text += open
    for (let at = 0; at < elements.length; at++) {
      if (this.#text.length > this.#limit) return
      if (at > 0) this.#text += separator
      const key = keys[at]!
      if (typeof key === 'string') this.#text += key
      else this.#part(key)
      this.#text += arrow
      this.#part(elements[at]!)
    }
    this.#text += close
  }

  #part(value: Canonical): void {
    this.#depth++
    if (this.#depth > MOST_NESTED) this.#text += '...'
    else this.#value(value)
    this.#depth--
  }
}
