/**
 * The parser's position in the tokens.
 *
 * Junction lists are aligned by column: within an item, a token at or left of the column of the
 * bullets is outside of the list. The cursor hides such tokens (their kind reads `outside`), so
 * whatever is parsed inside ends there.
 *
 * Nesting is bounded, so that neither the parser nor the passes over its tree run out of stack.
 */
import { TlaError } from '../error/error.ts'
import { type Span, spanOf } from '../error/span.ts'
import { adviceAt } from './advice.ts'
import type { Expression, Identifier } from './ast.ts'
import { isWord, type Token, type TokenKind } from './token.ts'

/** How deep parentheses, IFs and the like may be nested. */
const NESTING_LIMIT = 500
/** How high a tree may be: chains like `a + b + c + …` lean to the left and count each operator. */
export const HEIGHT_LIMIT = 1500

export class Cursor {
  /** The kind of the current token; `outside` if the junction list around has ended before it. */
  kind: TokenKind = 'end'
  token: Token
  /** The column that tokens must be right of; 0 outside of junction lists. */
  private floor = 0
  /** The bullet that set it. */
  private bullet: Token | undefined
  private index = 0
  private nesting = 0
  /** The highest of the trees parsed so far for the node under way. */
  tallest = 0
  /** How tightly the operator binds that was read last; labels go by it. */
  lastPrecedence = 0
  readonly tokens: readonly Token[]
  readonly #parseExpression: (cursor: Cursor) => Expression

  /**
   * @param parseExpression the rule that all others recurse through, so that they need not import
   * it
   */
  constructor(tokens: readonly Token[], parseExpression: (cursor: Cursor) => Expression) {
    this.tokens = tokens
    this.#parseExpression = parseExpression
    this.token = tokens[0]!
    this.settle()
  }

  /** The token just taken. */
  get last(): Token {
    return this.tokens[Math.max(this.index - 1, 0)]!
  }

  private settle(): void {
    const token = this.tokens[this.index]!
    this.token = token
    this.kind = token.indent > this.floor || token.kind === 'end' ? token.kind : 'outside'
  }

  /** Takes the current token. */
  next(): Token {
    const { token } = this
    if (token.kind === 'error') this.unexpected('')
    if (this.index < this.tokens.length - 1) this.index++
    this.settle()
    return token
  }

  /** The kind of a token further on, hidden ones as they are; `end` past the last. */
  ahead(distance: number): TokenKind {
    return this.tokens[this.index + distance]?.kind ?? 'end'
  }

  is(kind: TokenKind): boolean {
    return this.kind === kind
  }

  /** Takes the current token if it is of that kind. */
  skip(kind: TokenKind): Token | undefined {
    return this.kind === kind ? this.next() : undefined
  }

  /** @param expected names the expected token in messages: `` `)` `` */
  expect(kind: TokenKind, expected = quote(kind)): Token {
    return this.kind === kind ? this.next() : this.unexpected(expected)
  }

  /** The mark that closes `open`. @param also names other valid tokens: `` `,` or `` */
  close(kind: TokenKind, open: Token, also = ''): Token {
    return this.kind === kind ? this.next() : this.unclosed(kind, open, also)
  }

  /** @param what describes the name: `the name of a constant` */
  identifier(what: string): Identifier {
    if (this.kind === 'identifier') return identifierOf(this.next())
    if (isWord(this.kind)) {
      const advice = adviceAt(this.token.at) ?? 'choose another name'
      this.fail(`expected ${what}, found the reserved word ${quote(this.token.text)}: ${advice}`)
    }
    return this.unexpected(what)
  }

  /** A name that may be a reserved word: of a field or a module. */
  word(what: string): Identifier {
    if (isWord(this.kind)) return identifierOf(this.next())
    return this.unexpected(what)
  }

  /** From a token to the last one taken. */
  spanFrom(first: Span): Span {
    return spanOf(first, this.last.at)
  }

  expression(): Expression {
    return this.#parseExpression(this)
  }

  /** Expressions with commas between, at least one. */
  expressions(): Expression[] {
    const list = [this.expression()]
    while (this.skip(',')) list.push(this.expression())
    return list
  }

  // Junction lists

  /**
   * Parses an item of the list that `bullet` belongs to: tokens at or left of its column are out of
   * it.
   */
  within<Result>(bullet: Token, parse: () => Result): Result {
    const { floor, bullet: outer } = this
    this.floor = bullet.indent
    this.bullet = bullet
    this.settle()
    const result = parse()
    this.floor = floor
    this.bullet = outer
    this.settle()
    return result
  }

  /** The latest bullet of the junction list around, if there is one. */
  listAround(): Token | undefined {
    return this.bullet
  }

  // Bounds

  /** To be called on the way into whatever can hold itself, with `leave` on the way out. */
  enter(): void {
    if (++this.nesting > NESTING_LIMIT) {
      this.fail(`this is nested more than ${NESTING_LIMIT} deep: define parts of it as operators of their own`)
    }
  }

  leave(): void {
    this.nesting--
  }

  // Errors

  fail(message: string, at: Span = this.token.at): never {
    throw new TlaError('syntax', message, at)
  }

  /** Fails because the closing mark of `open` is missing. */
  unclosed(kind: TokenKind, open: Token, also: string): never {
    const { line, column } = open.at
    this.unexpected(`${also}${quote(kind)} to close ${quote(open.text)} of ${line}:${column}`)
  }

  /** Fails at the current token. @param otherwise the advice if the mistake is not a known one */
  failWithAdvice(message: string, otherwise?: string): never {
    const advice = adviceAt(this.token.at) ?? otherwise
    this.fail(advice === undefined ? message : `${message}: ${advice}`)
  }

  /** Fails with the expected and the found token. */
  unexpected(expected: string): never {
    const { token } = this
    if (token.kind === 'error') this.fail(token.text)
    const found = describeToken(token)
    if (this.kind !== 'outside') this.failWithAdvice(`expected ${expected}, found ${found}`)
    const bullet = this.bullet!
    const list = `the list of ${quote(bullet.text)} of ${bullet.at.line}:${bullet.at.column}`
    const isItem = token.isBullet && token.kind === bullet.kind && token.indent === bullet.indent
    this.fail(
      isItem
        ? `expected ${expected}, found ${found}, which starts the next item of ${list}`
        : `expected ${expected}, found ${found} at or left of the column of ${list}: indent it further`,
    )
  }
}

function identifierOf({ text, at }: Token): Identifier {
  return { name: text, at }
}

export function quote(text: string): string {
  return `\`${text}\``
}

/** As messages name a token. */
export function describeToken({ kind, text }: Token): string {
  switch (kind) {
    case 'end':
      return 'the end of the text'
    case 'string':
      return `the string ${quote(JSON.stringify(text))}`
    case 'end module':
      return `${quote('====')}, the end of the module`
    case 'step':
      return `the step ${quote(text)} of a proof`
    default:
      return quote(text)
  }
}
