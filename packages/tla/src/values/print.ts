/**
 * Values as TLC prints them: `<<1, "a">>`, `{r1, r2}`, `[a |-> 1]`, `(r1 :> 0 @@ r2 :> 1)`.
 *
 * Sets that are not listed are written out if they are small, as TLC does, and described otherwise
 * (`SUBSET (1..20)`, `Nat`). Departs for functions over strings some of which are no names, which
 * are written with `:>`; and where TLC prints an interval as `1..3` for as long as nobody looked at
 * its elements: here `{1, 2, 3}`.
 */
import { TlaError } from '../error.ts'
import type { Canonical, RecordValue, RuleFunction, SymbolicSet, Value } from './value.ts'

/** What is nested deeper than this is printed as `...`. */
export const MOST_NESTED = 500
/** Symbolic sets below this many elements are written out. */
const WRITTEN_OUT = 2000
/** Characters of the text of a value, at most. */
export const MOST_CHARACTERS = 2 ** 24
/** Characters of a value in a message. */
const CUT = 240

/**
 * On one line. What shares its parts may be longer than any text could be: it is cut with `...`.
 */
export function printValue(value: Value): string {
  const text = new Printer(MOST_CHARACTERS, false).print(value)
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS - 3)}...`
}

/** On one line, cut with `...` if long: for messages. */
export function printCut(value: Value, characters = CUT): string {
  const text = new Printer(characters, true).print(value)
  return text.length <= characters ? text : `${text.slice(0, characters - 3)}...`
}

/** As part of the description of a larger set: `1..30` rather than its elements. */
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

/** `"` around it, with TLA+'s escapes. */
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

/** Whether all fields of a record can be written as such: `[my key |-> 1]` could not be read. */
export function hasFieldNames(record: RecordValue): boolean {
  return record.shape.names.every((name) => /^\w+$/.test(name))
}

/** What to print instead of a set or function that is not listed: its elements if they are few. */
export function writtenOut(value: Value): Canonical | SymbolicSet | RuleFunction {
  if (typeof value !== 'object') return value
  try {
    if (value.kind === 'symbolic set') {
      const size = value.size()
      return size !== undefined && size < WRITTEN_OUT ? value.toSet() : value
    }
    if (value.kind === 'rule function') return value.toFunction()
  } catch (error) {
    // What cannot be listed is described: printing is part of other messages.
    if (!(error instanceof TlaError)) throw error
  }
  return value
}

/**
 * Stops early once it has more than `limit` characters, so that a message about a set of a million
 * elements is cheap.
 */
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
          // A message about a function does not evaluate all of it.
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
