/**
 * Where the parser stands in the tokens of a text.
 *
 * Junction lists go by columns: within an item, a token at or left of the column of the list's bullets is out of the list.
 * The cursor hides such tokens (their kind reads `outside`), so that whatever is parsed inside simply ends there.
 *
 * Nesting is bounded, so that neither the parser nor those who walk its tree run out of stack.
 */
import { TlaError } from '../error.ts'
import { adviceOn } from './advice.ts'
import type { Identifier } from './ast.ts'
import type { About } from './failure.ts'
import { type Span, spanOf } from './span.ts'
import { isWord, type Token, type TokenKind } from './token.ts'

/** How deep parentheses, IFs and the like may be nested. */
export const NESTING_LIMIT = 500
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
  /** The levels of the proofs around, outermost first; -1 while unknown. */
  readonly proofLevels: number[] = []
  readonly tokens: readonly Token[]

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens
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

  /** Whether another token stands on the line of the current one, after it. */
  isFollowedOnLine(): boolean {
    return this.tokens[this.index + 1]?.at.line === this.token.at.endLine
  }

  is(kind: TokenKind): boolean {
    return this.kind === kind
  }

  /** Takes the current token if it is of that kind. */
  skip(kind: TokenKind): Token | undefined {
    return this.kind === kind ? this.next() : undefined
  }

  /**
   * @param expected what was expected, for people: `` `)` ``
   * @param about what is being read, for advice
   */
  expect(kind: TokenKind, expected = quote(kind), about?: About): Token {
    return this.kind === kind ? this.next() : this.unexpected(expected, about)
  }

  /** The closing mark of what `open` began. @param also what else could stand here: `` `,` or `` */
  close(kind: TokenKind, open: Token, also = ''): Token {
    return this.kind === kind ? this.next() : this.unclosed(kind, open, also)
  }

  /** @param what what is named: `the name of a constant` */
  identifier(what: string, about?: About): Identifier {
    if (this.kind === 'identifier') return identifierOf(this.next())
    if (isWord(this.kind)) {
      this.fail(`expected ${what}, found ${quote(this.token.text)}, which is a reserved word: choose another name`)
    }
    return this.unexpected(what, about)
  }

  /** A name that may be a reserved word: of a field or a module. */
  word(what: string, about?: About): Identifier {
    if (isWord(this.kind)) return identifierOf(this.next())
    return this.unexpected(what, about)
  }

  /** From a token to the last one taken. */
  spanFrom(first: Span): Span {
    return spanOf(first, this.last.at)
  }

  // Junction lists

  /** Parses an item of the list that `bullet` belongs to: tokens at or left of its column are out of it. */
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
      this.fail(`this is nested more than ${NESTING_LIMIT} deep: define parts of it by names of their own`)
    }
  }

  leave(): void {
    this.nesting--
  }

  // Errors

  fail(message: string, at: Span = this.token.at): never {
    throw new TlaError('syntax', message, at)
  }

  /** Fails for want of the closing mark of what `open` began. */
  unclosed(kind: TokenKind, open: Token, also: string): never {
    const { line, column } = open.at
    this.unexpected(`${also}${quote(kind)} to close ${quote(open.text)} of ${line}:${column}`, MARKS.get(kind))
  }

  /** What was probably meant at the current token, if that is known. */
  advice(about: About | undefined): string | undefined {
    return adviceOn({ tokens: this.tokens, index: this.index, about })
  }

  /** Fails at the current token, with advice where a mistake is known. */
  failWithAdvice(message: string, about?: About): never {
    const advice = this.advice(about)
    this.fail(advice === undefined ? message : `${message}: ${advice}`)
  }

  /** Fails, saying what was expected and what stands there. */
  unexpected(expected: string, about?: About): never {
    const { token } = this
    if (token.kind === 'error') this.fail(token.text)
    const found = describeToken(token)
    if (this.kind !== 'outside') this.failWithAdvice(`expected ${expected}, found ${found}`, about)
    const bullet = this.bullet!
    const list = `the list of ${quote(bullet.text)} of ${bullet.at.line}:${bullet.at.column}`
    const isItem = token.isBullet && token.kind === bullet.kind && token.indent === bullet.indent
    const advice = isItem && (about === 'IF' || about === 'definitions of LET') ? this.advice(about) : undefined
    this.fail(
      isItem
        ? `expected ${expected}, found ${found}, which begins the next item of ${list}${advice === undefined ? '' : `: ${advice}`}`
        : `expected ${expected}, found ${found}, which ends ${list}, since it stands at or left of its column: indent it further`,
    )
  }
}

const MARKS: ReadonlyMap<TokenKind, About> = new Map([
  [']', 'the mark ]'],
  [']_', 'the mark ]_'],
  [')', 'the mark )'],
  ['}', 'the mark }'],
  ['>>', 'the mark >>'],
])

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
