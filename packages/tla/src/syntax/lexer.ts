/**
 * The lexer, after the lexical grammar of "Specifying Systems" (15.1) and SANY: the longest symbol
 * wins (`\otherSet` is `\o` and `therSet`, `1..2` is three tokens), a name is letters, digits and
 * underscores with at least one letter, `WF_` and `SF_` are tokens.
 *
 * Text before the module and after its end is skipped. An invalid token ends the list as an `error`
 * token, so that the parser reports the first mistake in the text.
 */

import type { Source, Span } from '../error/span.ts'
import { adviceAt } from './advice.ts'
import { SYNONYMS } from './operators.ts'
import { RESERVED, SYMBOLS, type Token, type TokenKind } from './token.ts'

const TAB_WIDTH = 8

const BEGIN_MODULE = /-{4,} *MODULE/y
const LINE = /(-{4,}|={4,})/y
/** A digit or an underscore may begin a name if a letter follows somewhere in it. */
const NAME = /[0-9_]*[A-Za-z][A-Za-z0-9_]*/y
const NAMELESS = /[0-9_]+/y
const DIGITS = /[0-9]+/y
const BASED_NUMBER = /\\(?:[bB][01]+|[oO][0-7]+|[hH][0-9a-fA-F]+)/y
const STEP = /<(?:[0-9]+|\*|\+)>(?:[A-Za-z0-9_]+\.*|\*\.*|-\.*|\.+)?/y
const STRING = /"((?:[^"\\\r\n]|\\[ntrf\\"])*)"/y
const NUMBER_SETS: ReadonlyMap<string, string> = new Map([
  ['ℕ', 'Nat'],
  ['ℤ', 'Int'],
  ['ℝ', 'Real'],
])
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', f: '\f', '\\': '\\', '"': '"' }

/**
 * The tokens of a module, from its `---- MODULE` to the `====` that ends it; only an `end` if the
 * text has no such module.
 *
 * @param name of the module; its header begins a line, as comments may contain it too (in TLC's
 *   traces); default: the first module of the text
 */
export function moduleTokens(source: Source, name?: string): readonly Token[] {
  // Not from amid a line of `-`: trying each of its places would be quadratic.
  const header =
    name === undefined ? /(?<!-)-{4,} *MODULE/ : new RegExp(`^[ \\t]*-{4,}[ \\t]*MODULE[ \\t]+${name}\\b`, 'm')
  const begin = header.exec(source.text)
  const lexer = new Lexer(source)
  if (begin === null) {
    lexer.push('end', '', 0)
    return lexer.tokens
  }
  lexer.skipTo(begin.index)
  lexer.run(true)
  return lexer.tokens
}

/** The tokens of a text that is an expression or a configuration: all of it. */
export function tokensOf(source: Source): readonly Token[] {
  const lexer = new Lexer(source)
  lexer.run(false)
  return lexer.tokens
}

class Lexer {
  readonly tokens: Token[] = []
  offset = 0
  private line = 1
  /** Where the line begins. */
  private lineStart = 0
  /** Where digits and underscores end that were found to begin no name. */
  private namelessUntil = 0
  /** How many columns tabs have added to those of UTF-16 units so far in the line. */
  private tabColumns = 0
  private readonly source: Source
  private readonly text: string

  constructor(source: Source) {
    this.source = source
    this.text = source.text
  }

  /** @param isModule whether to stop at the `====` that belongs to the first `---- MODULE` */
  run(isModule: boolean): void {
    let depth = 0
    for (;;) {
      if (!this.skipBlanks()) return
      if (this.offset >= this.text.length) {
        this.push('end', '', this.offset)
        return
      }
      if (!this.token()) return
      if (!isModule) continue
      const kind = this.tokens[this.tokens.length - 1]!.kind
      if (kind === 'begin module') depth++
      else if (kind === 'end module' && --depth === 0) {
        this.push('end', '', this.offset)
        return
      }
    }
  }

  /** Moves to an offset further on, keeping count of lines and tabs. */
  skipTo(end: number): void {
    const { text } = this
    for (let i = this.offset; i < end; i++) {
      const code = text.charCodeAt(i)
      if (code === 10 || (code === 13 && text.charCodeAt(i + 1) !== 10)) this.newLine(i + 1)
      else if (code === 9) this.tab(i)
    }
    this.offset = end
  }

  push(kind: TokenKind, text: string, end: number, isBullet = false): void {
    const column = this.offset - this.lineStart + 1
    const { source, line } = this
    const endColumn = Math.max(column, end - this.lineStart)
    this.tokens.push({
      kind,
      text,
      at: { source, line, column, endLine: line, endColumn },
      indent: column + this.tabColumns,
      isBullet,
    })
    this.offset = end
  }

  private newLine(start: number): void {
    this.line++
    this.lineStart = start
    this.tabColumns = 0
  }

  private tab(offset: number): void {
    const column = offset - this.lineStart + this.tabColumns
    this.tabColumns += TAB_WIDTH - (column % TAB_WIDTH) - 1
  }

  private at(offset: number, line: number, lineStart: number, length: number): Span {
    const column = offset - lineStart + 1
    return { source: this.source, line, column, endLine: line, endColumn: column + length - 1 }
  }

  private error(message: string, at: Span): false {
    this.tokens.push({ kind: 'error', text: message, at, indent: at.column + this.tabColumns, isBullet: false })
    return false
  }

  /**
   * Skips white space and comments.
   * @returns false if a comment does not end: then the error has been pushed.
   */
  private skipBlanks(): boolean {
    const { text } = this
    for (;;) {
      const code = text.charCodeAt(this.offset)
      if (code === 32) this.offset++
      else if (code === 10 || code === 13 || code === 9) this.skipTo(this.offset + 1)
      else if (code === 92 && text.charCodeAt(this.offset + 1) === 42) this.skipTo(this.endOfLine(this.offset))
      else if (code === 40 && text.charCodeAt(this.offset + 1) === 42) {
        if (!this.skipComment()) return false
      } else return true
    }
  }

  private endOfLine(offset: number): number {
    const { text } = this
    let end = offset
    while (end < text.length && text.charCodeAt(end) !== 10 && text.charCodeAt(end) !== 13) end++
    return end
  }

  private skipComment(): boolean {
    const { text, line, lineStart } = this
    const start = this.offset
    let depth = 0
    let i = start
    while (i < text.length) {
      const code = text.charCodeAt(i)
      if (code === 40 && text.charCodeAt(i + 1) === 42) {
        depth++
        i += 2
      } else if (code === 42 && text.charCodeAt(i + 1) === 41) {
        i += 2
        if (--depth === 0) {
          this.skipTo(i)
          return true
        }
      } else i++
    }
    return this.error(
      'the comment that starts here is not closed: expected a `*)` for each `(*`, since comments nest',
      this.at(start, line, lineStart, 2),
    )
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.offset
    return pattern.exec(this.text)?.[0]
  }

  private token(): boolean {
    const { text, offset } = this
    const code = text.charCodeAt(offset)
    if (isWordCode(code)) return this.word()
    if (code === 34) return this.string()
    if (code === 45 || code === 61) {
      const begin = this.match(BEGIN_MODULE)
      if (begin !== undefined) {
        this.push('begin module', begin, offset + begin.length)
        return true
      }
      const line = this.match(LINE)
      if (line !== undefined) {
        this.push(code === 45 ? 'separator' : 'end module', line, offset + line.length)
        return true
      }
    }
    if (code === 60) {
      const step = this.match(STEP)
      if (step !== undefined) {
        this.push('step', step, offset + step.length)
        return true
      }
    }
    if (code === 92) {
      const number = this.match(BASED_NUMBER)
      if (number !== undefined) {
        this.push('number', number, offset + number.length)
        return true
      }
    }
    const first = text[offset]!
    const symbols = SYMBOLS.get(first)
    if (symbols !== undefined) {
      for (const symbol of symbols) {
        if (!text.startsWith(symbol, offset)) continue
        const kind = SYNONYMS.get(symbol) ?? symbol
        const isBullet = (kind === '/\\' || kind === '\\/') && symbol !== '\\land' && symbol !== '\\lor'
        this.push(kind, symbol, offset + symbol.length, isBullet)
        return true
      }
    }
    const numbers = NUMBER_SETS.get(first)
    if (numbers !== undefined) {
      this.push('identifier', numbers, offset + 1)
      return true
    }
    const character = String.fromCodePoint(text.codePointAt(offset)!)
    const at = this.at(offset, this.line, this.lineStart, character.length)
    const advice = adviceAt(at)
    const message = `${quoteCharacter(character)} is not part of TLA+`
    return this.error(advice === undefined ? message : `${message}: ${advice}`, at)
  }

  /** A name, a reserved word, a number, `WF_` or `_`. */
  private word(): boolean {
    const { offset } = this
    const name = offset < this.namelessUntil ? undefined : this.match(NAME)
    if (name === undefined) {
      if (offset >= this.namelessUntil) this.namelessUntil = offset + this.match(NAMELESS)!.length
      const digits = this.match(DIGITS)
      if (digits !== undefined) this.push('number', digits, offset + digits.length)
      else this.push('_', '_', offset + 1)
      return true
    }
    if (name.startsWith('WF_') || name.startsWith('SF_')) {
      const fairness = name.slice(0, 3)
      this.push(fairness, fairness, offset + 3)
      return true
    }
    this.push(RESERVED.get(name) ?? 'identifier', name, offset + name.length)
    return true
  }

  private string(): boolean {
    const { text, offset } = this
    STRING.lastIndex = offset
    const match = STRING.exec(text)
    if (match !== null) {
      const value = match[1]!.replace(/\\(.)/g, (_, escaped: string) => ESCAPES[escaped]!)
      this.push('string', value, offset + match[0].length)
      return true
    }
    const end = this.endOfLine(offset)
    const line = text.slice(offset, end)
    const wrong = /^"(?:[^"\\]|\\[ntrf\\"])*(\\.?)/.exec(line)
    if (wrong !== null && /"/.test(line.slice(1))) {
      const start = offset + wrong[0].length - wrong[1]!.length
      return this.error(
        `\`${wrong[1]}\` is not an escape sequence: expected \\n, \\t, \\r, \\f, \\\\ or \\"`,
        this.at(start, this.line, this.lineStart, wrong[1]!.length),
      )
    }
    return this.error(
      'the string that starts here is not closed: expected `"` on the same line',
      this.at(offset, this.line, this.lineStart, line.length),
    )
  }
}

function isWordCode(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95
}

function quoteCharacter(character: string): string {
  const code = character.codePointAt(0)!
  const shown = code < 32 || code === 127 ? '' : `\`${character}\` `
  return `the character ${shown}(U+${code.toString(16).toUpperCase().padStart(4, '0')})`
}
