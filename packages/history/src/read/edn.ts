/**
 * Reads histories in EDN, as Jepsen writes them: maps with the keys `:process`, `:type`, `:f` and
 * `:value`, alone or in one vector, or records with these fields (`#jepsen.history.Op{…}`).
 *
 * Values become data of JavaScript: nil becomes null; keywords, symbols and characters their text;
 * lists and vectors arrays; a set an array in a fixed order; maps objects; a tagged value the value.
 * Numbers that a JavaScript number cannot hold (ratios, large integers) become their text.
 */
import type { HistoryEvent } from '../history/event.ts'
import { type EventFields, eventOf } from './event-fields.ts'
import { FormReader, isDelimiter } from './form-reader.ts'

const QUOTE = 34
const HASH = 35
const COLON = 58
const SEMICOLON = 59
const BACKSLASH = 92
const UNDERSCORE = 95

/** Names kept: a power of two. */
const NAMES = 256

/** The keys of an event by their text in a log. */
const FIELDS: ReadonlySet<string> = new Set<keyof EventFields>(['process', 'type', 'f', 'key', 'value'])

const NUMBER = /^[+-]?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?[NM]?$/
const NUMBER_LIKE = /^[+-]?\d/

const CHARACTERS: ReadonlyMap<string, string> = new Map([
  ['newline', '\n'],
  ['return', '\r'],
  ['space', ' '],
  ['tab', '\t'],
  ['formfeed', '\f'],
  ['backspace', '\b'],
])

export class EdnReader extends FormReader {
  protected override readonly format: string = 'EDN'
  protected override readonly isCommaNeeded = false
  readonly #names: string[] = new Array<string>(NAMES).fill('')

  protected override skip(): void {
    const { text } = this
    /** Values that `#_` discards and that are still to come: `#_ #_ a b` discards both. */
    let discarded = 0
    for (; this.at < text.length; this.at++) {
      const code = text.charCodeAt(this.at)
      if (code === 32 || code === 44 || code === 9 || code === 13 || code === 12 || code === 11) continue
      if (code === 10) {
        this.line++
        this.lineStart = this.at + 1
      } else if (code === SEMICOLON) {
        const end = text.indexOf('\n', this.at)
        if (end === -1) this.wait()
        this.at = (end === -1 ? text.length : end) - 1
      } else if (code === HASH && text.charCodeAt(this.at + 1) === UNDERSCORE) {
        discarded++
        this.at++
      } else if (discarded > 0) {
        discarded--
        this.value()
        this.at--
      } else return
    }
    if (discarded > 0) this.endOfText()
  }

  protected override event(): HistoryEvent | undefined {
    while (this.peek() === HASH && this.#next() !== 123) this.#tag()
    if (this.peek() !== 123)
      this.fail(
        `expected an event, a map such as {:process 0, :type :invoke, :f :read, :value nil}, found ${this.found()}`,
      )
    const { line } = this
    this.open('{')
    const fields: EventFields = { process: undefined, type: undefined, f: undefined, key: undefined, value: undefined }
    for (;;) {
      this.skip()
      if (this.closes()) return eventOf(fields, line)
      const first = this.peek()
      // A map as a key: most likely the next event, after one that is not closed.
      if (first === 123) this.failOpen()
      const key = this.value()
      this.skip()
      const after = this.peek()
      if (after === 125) this.fail(`expected a value for the key ${String(key)}, found \`}\``)
      if (FIELDS.has(key as string)) fields[key as keyof EventFields] = this.value()
      else this.value()
    }
  }

  /** The value that begins here. */
  value(): unknown {
    const code = this.peek()
    switch (code) {
      case QUOTE:
        return this.string()
      case COLON:
        return this.#keyword()
      case 91:
        return this.#elements('[')
      case 40:
        return this.#elements('(')
      case 123:
        return this.#map()
      case HASH:
        return this.#dispatch()
      case BACKSLASH:
        return this.#character()
      case 93:
      case 125:
      case 41:
        return this.fail(`expected a value, found ${this.found()}`)
    }
    return this.smallInteger() ?? this.#token()
  }

  #elements(bracket: string, length = 1): unknown[] {
    const begin = this.elementsBegin()
    this.open(bracket, length)
    for (;;) {
      this.skip()
      if (this.closes()) return this.elementsFrom(begin)
      this.element(this.value())
    }
  }

  #map(): unknown {
    const entries: [string, unknown][] = []
    this.open('{')
    for (;;) {
      this.skip()
      if (this.closes()) break
      const key = this.value()
      this.skip()
      if (this.peek() === 125) this.fail(`expected a value for the key ${textOf(key)}, found \`}\``)
      entries.push([textOf(key), this.value()])
    }
    return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  #dispatch(): unknown {
    while (this.#next() !== 123 && this.#next() !== HASH) {
      this.#tag()
      if (this.peek() !== HASH) return this.value()
    }
    if (this.#next() === 123) return sorted(this.#elements('{', 2))
    // ##Inf, ##NaN
    this.at += 2
    return `##${this.#symbol()}`
  }

  /** The code of the character behind the one here. */
  #next(): number {
    if (this.at + 1 >= this.text.length) this.endOfText()
    return this.text.charCodeAt(this.at + 1)
  }

  /** Passes over a tag. */
  #tag(): void {
    this.at++
    if (isDelimiter(this.peek())) this.fail(`expected a tag behind \`#\`, found ${this.found()}`)
    this.at = this.tokenEnd()
    this.skip()
  }

  #keyword(): string {
    this.at++
    const begin = this.at
    const end = this.tokenEnd()
    if (end === begin) this.fail('expected a name behind `:`')
    this.at = end
    return this.#interned(begin, end)
  }

  /** A part of the text; names that come again are the same string, found without making one. */
  #interned(begin: number, end: number): string {
    const { text } = this
    const slot = (text.charCodeAt(begin) * 31 + text.charCodeAt(end - 1) * 7 + end - begin) & (NAMES - 1)
    const known = this.#names[slot]!
    if (known.length === end - begin && text.startsWith(known, begin)) return known
    return (this.#names[slot] = text.slice(begin, end))
  }

  #character(): string {
    this.#next()
    const begin = this.at + 1
    this.at += 2
    // A delimiter can be a character: `\(`.
    const end = this.tokenEnd()
    const name = this.text.slice(begin, Math.max(end, begin + 1))
    this.at = end
    if (/^u[0-9a-fA-F]{4}$/.test(name)) return String.fromCharCode(Number.parseInt(name.slice(1), 16))
    return CHARACTERS.get(name) ?? name
  }

  /** A symbol, a constant or a number. */
  #token(): unknown {
    const text = this.#symbol()
    if (text === 'nil') return null
    if (text === 'true') return true
    if (text === 'false') return false
    return NUMBER_LIKE.test(text) ? numberOf(text) : text
  }

  #symbol(): string {
    const begin = this.at
    this.at = this.tokenEnd()
    return this.text.slice(begin, this.at)
  }
}

/** A number, or the text of one that a number cannot hold. */
export function numberOf(text: string): number | string {
  if (!NUMBER.test(text)) return text
  const plain = text.replace(/[NM]$/, '')
  const value = Number(plain)
  const isInteger = !/[.eE]/.test(plain)
  if (isInteger && !Number.isSafeInteger(value)) return plain.replace(/^\+/, '')
  return value === 0 ? 0 : value
}

/** The text of a key: that of a name is itself. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** In a fixed order, so that equal sets are equal arrays. */
function sorted(elements: unknown[]): unknown[] {
  if (elements.every((each) => typeof each === 'number')) return (elements as number[]).sort((a, b) => a - b)
  const keyed = elements.map((element) => ({ element, text: JSON.stringify(element) }))
  return keyed.sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0)).map(({ element }) => element)
}
