/**
 * Reads the forms of a text that comes in chunks: one form an event, or one array of events.
 *
 * The text is kept only from the beginning of the event that is not complete yet. An event that the
 * text ends in is read again when more has come, at least twice as much, so reading is linear.
 */
import type { HistoryEvent } from '../history/event.ts'
import { HistoryError } from '../history/history-error.ts'
import { linesIn } from './utf8.ts'

/** Bound on an event, and on a line that is not a whole array of events. */
export const MAX_LENGTH = 16 * 2 ** 20
export const MAX_LENGTH_TEXT = '16 MB'

/** Bound on brackets inside each other; a parser that recurses would overflow its stack. */
const MAX_DEPTH = 200

/** Characters of a token that a message shows. */
const MAX_FOUND = 40

/** Thrown when the text ends inside a form and more may come. */
const INCOMPLETE = Symbol('incomplete')

const LINE_FEED = 10
const QUOTE = 34
const COMMA = 44
const MINUS = 45
const ZERO = 48
const NINE = 57

/** Digits that a number takes without loss. */
const SAFE_DIGITS = 15

/** Characters that end a token: white space, the comma, quotes, brackets, the comment. */
const DELIMITERS = new Uint8Array(128)
for (const delimiter of ' \t\n\r\f\v,"[]{}();') DELIMITERS[delimiter.charCodeAt(0)] = 1

const CLOSING: Readonly<Record<string, string>> = { '[': ']', '(': ')', '{': '}' }

interface Opened {
  readonly bracket: string
  readonly line: number
  readonly column: number
}

export abstract class FormReader {
  protected text = ''
  protected at = 0
  /** The place of `at`: the line from 1, and where it begins, relative to the text. */
  protected line = 1
  protected lineStart = 0
  /** Whether no more text will come. */
  #isLast = false
  #array: Opened | undefined
  /** The line that an array ends in: it may be long. */
  #arrayEndLine = 0
  /** Whether the array has had a value since its beginning or its last comma. */
  #isSeparated = true
  #nextTry = 0
  readonly #opened: Opened[] = []
  /** Elements of the arrays that are being read, those of the innermost last. */
  readonly #elements: unknown[] = []
  #elementCount = 0
  readonly #onEvent: (event: HistoryEvent) => void
  /** The name of the format in messages. */
  protected abstract readonly format: string

  /** @param line of the beginning of the text, from 1 */
  constructor(onEvent: (event: HistoryEvent) => void, line = 1) {
    this.#onEvent = onEvent
    this.line = line
  }

  /**
   * @param isNow whether to read what is there, however little
   * @throws HistoryError
   */
  push(text: string, isNow = false): void {
    this.text = this.text === '' ? text : this.text + text
    if (isNow || this.text.length >= this.#nextTry) this.#read()
  }

  /** @throws HistoryError if the text is not complete */
  end(): void {
    this.#isLast = true
    this.#read()
    if (this.#array !== undefined) this.failUnclosed(this.#array)
  }

  /** The line that the text so far ends in. */
  get lastLine(): number {
    return this.line + linesIn(this.text)
  }

  /**
   * Reads a single form that is the whole of a text.
   *
   * @param line its number, from 1
   * @param begin where the text begins in its line, from 0
   */
  protected single<Value>(text: string, line: number, begin: number, read: () => Value): Value {
    this.text = text
    this.at = 0
    this.line = line
    this.lineStart = -begin
    this.#isLast = true
    this.#opened.length = 0
    this.skip()
    const value = read()
    this.skip()
    if (this.at < text.length) this.fail(`expected the end of the value, found ${this.found()}`)
    return value
  }

  /** Passes over white space and comments. */
  protected abstract skip(): void
  /** Reads one event, which begins here; undefined if it is not one of a client. */
  protected abstract event(): HistoryEvent | undefined
  protected abstract readonly isCommaNeeded: boolean

  #read(): void {
    let { at, line, lineStart } = this
    try {
      for (;;) {
        this.skip()
        ;({ at, line, lineStart } = this)
        if (at === this.text.length) break
        this.#next(this.text[at]!)
      }
    } catch (error) {
      if (error !== INCOMPLETE) throw error
      this.#opened.length = 0
      this.#elementCount = 0
    }
    this.text = this.text.slice(at)
    this.at = 0
    this.line = line
    this.lineStart = lineStart - at
    this.#nextTry = Math.min(2 * this.text.length, MAX_LENGTH + 1)
    if (this.text.length > MAX_LENGTH)
      this.fail(`an event longer than ${MAX_LENGTH_TEXT}; expected ${this.format}, one event a line`, this.line)
    const isArray = this.#array !== undefined || this.line === this.#arrayEndLine
    if (!isArray && this.text.length - this.lineStart > MAX_LENGTH) this.failLongLine()
  }

  #next(found: string): void {
    const isOpening = found === '[' || found === '('
    if (this.#array === undefined) {
      if (!isOpening) {
        this.#emit()
        return
      }
      this.#array = { bracket: found, line: this.line, column: this.column }
      this.#isSeparated = true
      this.at++
      return
    }
    if (found === CLOSING[this.#array.bracket]) {
      this.#array = undefined
      this.#arrayEndLine = this.line
      this.at++
      return
    }
    if (this.isCommaNeeded && this.text.charCodeAt(this.at) === COMMA) {
      if (this.#isSeparated) this.fail('expected an event, found `,`')
      this.#isSeparated = true
      this.at++
      return
    }
    if (this.isCommaNeeded && !this.#isSeparated)
      this.fail(`expected \`,\` or \`]\` after an event, found ${this.found()}`)
    this.#emit()
    this.#isSeparated = false
  }

  #emit(): void {
    const event = this.event()
    if (event !== undefined) this.#onEvent(event)
  }

  protected get column(): number {
    return this.at - this.lineStart + 1
  }

  /** The code of the character here. */
  protected peek(): number {
    if (this.at >= this.text.length) this.endOfText()
    return this.text.charCodeAt(this.at)
  }

  /** The text has ended inside a form or a comment: begins it again if more text may come. */
  protected wait(): void {
    if (!this.#isLast) throw INCOMPLETE
  }

  /** The text has ended inside a form. */
  protected endOfText(): never {
    this.wait()
    const opened = this.#opened.at(-1)
    if (opened !== undefined) this.failUnclosed(opened)
    this.fail('the text ends within an event')
  }

  /** Passes over an opening bracket. */
  protected open(bracket: string, length = 1): void {
    if (this.#opened.length >= MAX_DEPTH) this.fail(`brackets inside each other more than ${MAX_DEPTH} deep`)
    const first = this.#opened[0]
    // Printers indent what is inside, so here a bracket was forgotten.
    if (first !== undefined && bracket === '{' && this.column === 1 && first.column === 1)
      this.failUnclosed(this.#opened.at(-1)!)
    this.#opened.push({ bracket, line: this.line, column: this.column })
    this.at += length
  }

  /** Whether the closing bracket is here; then passes over it. */
  protected closes(): boolean {
    const found = this.peek()
    if (found !== 93 && found !== 125 && found !== 41) return false
    const { bracket, line, column } = this.#opened.at(-1)!
    if (this.text[this.at] !== CLOSING[bracket])
      this.fail(
        `expected \`${CLOSING[bracket]}\` for the \`${bracket}\` in line ${line}, column ${column}, found ${this.found()}`,
      )
    this.#opened.pop()
    this.at++
    return true
  }

  /** The bracket opened last is not closed where it should be. */
  protected failOpen(): never {
    this.failUnclosed(this.#opened.at(-1)!)
  }

  protected failUnclosed({ bracket, line, column }: Opened): never {
    throw new HistoryError(`\`${bracket}\` is not closed: expected \`${CLOSING[bracket]}\``, line, column)
  }

  protected failLongLine(): never {
    this.fail(`a line longer than ${MAX_LENGTH_TEXT}; expected ${this.format}, one event a line`, this.line)
  }

  /** @throws HistoryError here, or for a whole line */
  protected fail(message: string, line?: number): never {
    throw line === undefined
      ? new HistoryError(message, this.line, Math.max(this.column, 1))
      : new HistoryError(message, line)
  }

  /** What is here, for messages: a token, cut short. */
  protected found(): string {
    if (this.at >= this.text.length) return 'the end of the text'
    let end = this.at + 1
    if (!isDelimiter(this.text.charCodeAt(this.at)))
      while (end < this.text.length && !isDelimiter(this.text.charCodeAt(end))) end++
    // More of the token may come.
    if (end === this.text.length && end <= this.at + MAX_FOUND) this.wait()
    const token = this.text.slice(this.at, Math.min(end, this.at + MAX_FOUND))
    return token === '\n' ? 'the end of the line' : `\`${token}\`${end > this.at + MAX_FOUND ? '…' : ''}`
  }

  /** The index after the token that begins here. */
  protected tokenEnd(): number {
    const { text } = this
    let end = this.at
    while (end < text.length && !isDelimiter(text.charCodeAt(end))) end++
    // More of the token may come.
    if (end === text.length) this.wait()
    return end
  }

  /** A whole number of few digits, which most numbers are; undefined, without moving, for others. */
  protected smallInteger(): number | undefined {
    const { text, at } = this
    const isNegative = text.charCodeAt(at) === MINUS
    const first = isNegative ? at + 1 : at
    let end = first
    let value = 0
    for (; end < text.length; end++) {
      const digit = text.charCodeAt(end)
      if (digit < ZERO || digit > NINE) break
      value = value * 10 + (digit - ZERO)
    }
    if (end === first || end - first > SAFE_DIGITS || end === text.length || !isDelimiter(text.charCodeAt(end)))
      return undefined
    this.at = end
    // Not -0, which is another value to some comparisons.
    return isNegative && value !== 0 ? -value : value
  }

  /** Where the elements of an array that begins here will be. */
  protected elementsBegin(): number {
    return this.#elementCount
  }

  protected element(value: unknown): void {
    this.#elements[this.#elementCount++] = value
  }

  /** An array of its elements and no more: one that grows has room for 17, and most have 3. */
  protected elementsFrom(begin: number): unknown[] {
    const elements = this.#elements.slice(begin, this.#elementCount)
    this.#elementCount = begin
    return elements
  }

  /** A string, whose opening quote is here. */
  protected string(): string {
    const { text } = this
    const begin = this.at + 1
    let end = begin
    for (; end < text.length; end++) {
      const code = text.charCodeAt(end)
      if (code === QUOTE) {
        this.at = end + 1
        return text.slice(begin, end)
      }
      if (code === 92 || code === LINE_FEED) break
    }
    return this.#escapedString(begin)
  }

  #escapedString(begin: number): string {
    const { text, line } = this
    const column = this.column
    const parts: string[] = []
    let from = begin
    for (let end = begin; end < text.length; end++) {
      const code = text.charCodeAt(end)
      if (code === QUOTE) {
        parts.push(text.slice(from, end))
        this.at = end + 1
        return parts.join('')
      }
      if (code === LINE_FEED) {
        if (this.isCommaNeeded)
          throw new HistoryError('a string that its line does not close: expected `"`', line, column)
        this.line++
        this.lineStart = end + 1
      }
      if (code !== 92) continue
      parts.push(text.slice(from, end))
      this.at = end
      const escaped = text[end + 1]
      if (escaped === undefined) break
      if (escaped === 'u') {
        const digits = text.slice(end + 2, end + 6)
        if (end + 6 > text.length) break
        if (!/^[0-9a-fA-F]{4}$/.test(digits))
          this.fail(`expected four hexadecimal digits after \`\\u\`, found \`${digits}\``)
        parts.push(String.fromCharCode(Number.parseInt(digits, 16)))
        end += 5
      } else {
        const character = ESCAPES[escaped]
        if (character === undefined) this.fail(`\`\\${escaped}\` is not an escape: expected \\n, \\t, \\" or \\\\`)
        parts.push(character)
        end++
      }
      from = end + 1
    }
    this.wait()
    throw new HistoryError('a string that is not closed: expected `"`', line, column)
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  ...{ n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' },
  ...{ '"': '"', '\\': '\\', '/': '/', "'": "'" },
}

export function isDelimiter(code: number): boolean {
  return code < 128 && DELIMITERS[code] === 1
}
