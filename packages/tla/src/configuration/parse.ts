/**
 * Parses configuration files.
 *
 * A section extends to the next keyword. Departs from TLC, which accepts any token as a name and
 * complains later or never: here a comma between invariants, a tuple as a value or a character
 * outside of TLA+ is an error.
 */
import { TlaError } from '../error/error.ts'
import { didYouMean } from '../error/nearest.ts'
import type { Source, Span } from '../error/span.ts'
import { spanOf } from '../error/span.ts'
import type { Identifier } from '../syntax/ast.ts'
import { tokensOf } from '../syntax/lexer.ts'
import { isOperatorSymbol } from '../syntax/path.ts'
import { isWord, type Token, type TokenKind } from '../syntax/token.ts'
import type { Configuration, ConfigurationValue, ConstantSetting } from './configuration.ts'

type One = 'specification' | 'init' | 'next' | 'symmetry' | 'view' | 'alias'
type Many = 'invariants' | 'properties' | 'constraints' | 'actionConstraints' | 'postconditions'

const ONE: ReadonlyMap<string, One> = new Map([
  ['SPECIFICATION', 'specification'],
  ['INIT', 'init'],
  ['NEXT', 'next'],
  ['SYMMETRY', 'symmetry'],
  ['VIEW', 'view'],
  ['ALIAS', 'alias'],
])
const MANY: ReadonlyMap<string, Many> = new Map([
  ['INVARIANT', 'invariants'],
  ['INVARIANTS', 'invariants'],
  ['PROPERTY', 'properties'],
  ['PROPERTIES', 'properties'],
  ['CONSTRAINT', 'constraints'],
  ['CONSTRAINTS', 'constraints'],
  ['ACTION_CONSTRAINT', 'actionConstraints'],
  ['ACTION_CONSTRAINTS', 'actionConstraints'],
  ['POSTCONDITION', 'postconditions'],
  ['POSTCONDITIONS', 'postconditions'],
])
const KEYWORDS = ['CONSTANT', 'CONSTANTS', 'CHECK_DEADLOCK', ...ONE.keys(), ...MANY.keys()]
const IS_KEYWORD: ReadonlySet<string> = new Set(KEYWORDS)

/** First tokens of a value that is not a name. */
const VALUES: ReadonlySet<TokenKind> = new Set(['number', 'string', '{', '-', '<<'])

const COMMENT = 'write comments as `\\* …` or `(* … *)`'
const NO_EXPRESSION = 'a value is not an expression: define it in the module, and replace the constant with `<-`'
/** Likely mistakes at the end of a section. */
const ADVICE: ReadonlyMap<TokenKind, string> = new Map([
  [',', 'write constants one after another, without commas'],
  ['separator', 'a configuration has neither a header nor an end'],
  ['begin module', 'this is a module, and a configuration has no header'],
  ['end module', 'a configuration has neither a header nor an end'],
  ...['//', '--', '#', '##', '%', '/'].map((mark) => [mark, COMMENT] as const),
  ...['..', '+', '-', '*', '^', '\\cup', '\\X', '(', '[', ':>', '@@'].map((mark) => [mark, NO_EXPRESSION] as const),
])

/** Bound on the nesting of sets in a value. */
const NESTING_LIMIT = 100
const INT_MAX = 2 ** 31 - 1

/** @throws TlaError of kind `configuration` */
export function parseConfiguration(source: Source): Configuration {
  return new Parser(source).configuration()
}

class Parser {
  private readonly source: Source
  private readonly tokens: readonly Token[]
  private index = 0

  constructor(source: Source) {
    this.source = source
    this.tokens = tokensOf(source)
  }

  configuration(): Configuration {
    const constants: ConstantSetting[] = []
    const many: Record<Many, Identifier[]> = {
      invariants: [],
      properties: [],
      constraints: [],
      actionConstraints: [],
      postconditions: [],
    }
    const one: { -readonly [key in One]?: Identifier } = {}
    const keywords: { [key in One]?: Span } = {}
    let checkDeadlock: boolean | undefined
    while (this.token.kind !== 'end') {
      const keyword = this.next()
      const text = keyword.text
      const single = ONE.get(text)
      const list = MANY.get(text)
      if (single !== undefined && isWord(keyword.kind)) {
        if (one[single] !== undefined) this.twice(keyword, keywords[single]!)
        keywords[single] = keyword.at
        one[single] = this.name(`the name of a definition after \`${text}\``)
        if (this.isName()) this.notKeyword(`expected one name after \`${text}\`, then a keyword`)
      } else if (list !== undefined && isWord(keyword.kind)) {
        const names: Identifier[] = []
        while (this.isName()) names.push(this.name('a name'))
        this.endOfNames(text, names)
        many[list].push(...names)
      } else if (keyword.kind === 'CONSTANT') {
        while (this.isName() || isOperatorSymbol(this.token.kind)) constants.push(this.setting())
      } else if (text === 'CHECK_DEADLOCK') {
        if (checkDeadlock !== undefined) this.fail('`CHECK_DEADLOCK` is given twice', keyword.at)
        checkDeadlock = this.boolean()
      } else this.unexpectedKeyword(keyword)
    }
    const both = keywords.init ?? keywords.next
    if (keywords.specification !== undefined && both !== undefined) {
      this.fail('a configuration has either `SPECIFICATION` or `INIT` and `NEXT`, not both', both)
    }
    return {
      source: this.source,
      constants,
      ...one,
      ...many,
      ...(checkDeadlock === undefined ? {} : { checkDeadlock }),
    }
  }

  /** Requires a keyword after the names of a section; the message covers likely mistakes. */
  private endOfNames(keyword: string, names: readonly Identifier[]): void {
    const { kind, text, at } = this.token
    if (kind === 'end' || IS_KEYWORD.has(text)) return
    const found = `expected a name or a keyword after \`${keyword}\`, found \`${text}\``
    if (kind === ',') this.fail(`${found}: separate names by spaces, without commas`, at)
    if (kind === 'error') this.fail(text, at)
    for (const { name, at } of names) {
      const hint = didYouMean(name, KEYWORDS)
      if (hint !== '') this.fail(`\`${name}\` is not a configuration keyword${hint}`, at)
    }
    this.fail(`${found}: define the formula in the module and name it here`, at)
  }

  private get token(): Token {
    return this.tokens[this.index]!
  }

  private next(): Token {
    const { token } = this
    if (token.kind === 'error') this.fail(token.text, token.at)
    if (this.index < this.tokens.length - 1) this.index++
    return token
  }

  /** Whether the current token is a name and not a keyword. */
  private isName(): boolean {
    const { kind, text } = this.token
    return isWord(kind) && !IS_KEYWORD.has(text)
  }

  private name(expected: string): Identifier {
    if (!this.isName()) this.unexpected(expected)
    const { text, at } = this.next()
    return { name: text, at }
  }

  /** A name, or an operator symbol in its canonical spelling. */
  private operator(expected: string): Identifier {
    const { kind, at } = this.token
    if (!isOperatorSymbol(kind)) return this.name(expected)
    this.next()
    return { name: kind, at }
  }

  private expect(kind: TokenKind, expected: string): Token {
    return this.token.kind === kind ? this.next() : this.unexpected(expected)
  }

  private boolean(): boolean {
    const { text } = this.token
    if (text !== 'TRUE' && text !== 'FALSE') this.unexpected('`TRUE` or `FALSE` after `CHECK_DEADLOCK`')
    return this.next().text === 'TRUE'
  }

  /** `N = 3`, `S = {a, b}`, `F(1) = 2`, `N <- Three`, `++ <- Plus`, `Op <- [Module]Other`. */
  private setting(): ConstantSetting {
    const name = this.constant()
    const given = this.token.kind === '(' ? this.values() : undefined
    if (given === undefined && this.token.kind === '<-') {
      this.next()
      const module = this.module()
      if (VALUES.has(this.token.kind)) {
        this.fail(
          `expected the name of a definition after \`<-\`, found ${found(this.token)}: write a value after \`=\``,
          this.token.at,
        )
      }
      return { name, ...module, definition: this.operator('the name of a definition after `<-`') }
    }
    const constant = name.name
    if (given === undefined && this.token.kind !== '=') {
      const { at } = this.token
      const advice = ADVICE.get(constant)
      if (advice !== undefined) {
        this.fail(`expected a constant or a configuration keyword, found \`${constant}\`: ${advice}`, name.at)
      }
      const hint = didYouMean(constant, KEYWORDS)
      this.fail(`expected \`=\` or \`<-\` after the constant \`${constant}\`, found ${found(this.token)}${hint}`, at)
    }
    this.expect('=', '`=`')
    const module = this.module()
    const value = this.value(0)
    return { name, ...(given === undefined ? {} : { arguments: given }), ...module, value }
  }

  /** `N`, `I!N`. */
  private constant(): Identifier {
    let name = this.operator('the name of a constant')
    while (this.token.kind === '!') {
      this.next()
      const part = this.operator('a name after `!`')
      name = { name: `${name.name}!${part.name}`, at: spanOf(name.at, part.at) }
    }
    return name
  }

  private values(): ConfigurationValue[] {
    const list: ConfigurationValue[] = []
    do {
      this.next()
      list.push(this.value(0))
    } while (this.token.kind === ',')
    this.expect(')', '`,` or `)`')
    return list
  }

  /** An optional `[Module]`. */
  private module(): { module?: Identifier } {
    if (this.token.kind !== '[') return {}
    this.next()
    const { kind, text, at } = this.token
    if (!isWord(kind)) this.unexpected('the name of a module')
    this.next()
    this.expect(']', '`]` after the name of the module')
    return { module: { name: text, at } }
  }

  private value(nesting: number): ConfigurationValue {
    const { kind, text, at } = this.token
    switch (kind) {
      case 'number':
        this.next()
        return this.number(text, text, at)
      case '-': {
        this.next()
        const digits = this.expect('number', 'a number after `-`')
        return this.number(digits.text, `-${digits.text}`, spanOf(at, digits.at))
      }
      case 'string':
        this.next()
        return { kind: 'string', value: text, at }
      case '{':
        return this.set(nesting)
      case '<<':
      case '[':
        return this.fail(
          'a value is a number, a string, a Boolean, a model value or a set of them: define others in ' +
            'the module and use `<-`',
          at,
        )
    }
    if (text === 'TRUE' || text === 'FALSE') {
      this.next()
      return { kind: 'boolean', value: text === 'TRUE', at }
    }
    return { kind: 'model value', name: this.name('a value').name, at }
  }

  private number(digits: string, text: string, at: Span): ConfigurationValue {
    const value = Number(text)
    if (!/^[0-9]+$/.test(digits)) this.fail(`\`${text}\` is not a decimal number`, at)
    if (Math.abs(value) > INT_MAX) this.fail(`the number ${text} is beyond 32 bits`, at)
    return { kind: 'number', value, at }
  }

  private set(nesting: number): ConfigurationValue {
    const open = this.next()
    if (nesting >= NESTING_LIMIT) this.fail(`sets are nested more than ${NESTING_LIMIT} deep`, open.at)
    const items: ConfigurationValue[] = []
    if (this.token.kind !== '}') {
      items.push(this.value(nesting + 1))
      while (this.token.kind === ',') {
        this.next()
        items.push(this.value(nesting + 1))
      }
    }
    const { line, column } = open.at
    const close = this.expect('}', `\`,\` or \`}\` to close \`{\` of ${line}:${column}`)
    return { kind: 'set', items, at: spanOf(open.at, close.at) }
  }

  private twice(keyword: Token, first: Span): never {
    this.fail(`\`${keyword.text}\` is given twice: the first is at ${first.line}:${first.column}`, keyword.at)
  }

  private unexpectedKeyword(token: Token): never {
    if (token.kind === 'identifier') {
      const hint = didYouMean(token.text, KEYWORDS) || `: expected ${listed(KEYWORDS)}`
      this.fail(`\`${token.text}\` is not a configuration keyword${hint}`, token.at)
    }
    const advice = ADVICE.get(token.kind)
    const message = `expected a configuration keyword, found ${found(token)}`
    this.fail(advice === undefined ? message : `${message}: ${advice}`, token.at)
  }

  private notKeyword(expected: string): never {
    const { text, at } = this.token
    this.fail(`${expected}, found \`${text}\`${didYouMean(text, KEYWORDS)}`, at)
  }

  private unexpected(expected: string): never {
    const { token } = this
    if (token.kind === 'error') this.fail(token.text, token.at)
    const colon = token.kind === ':' ? ': write no colon after a keyword' : ''
    this.fail(`expected ${expected}, found ${found(token)}${colon}`, token.at)
  }

  private fail(message: string, at: Span): never {
    throw new TlaError('configuration', message, at)
  }
}

function found({ kind, text }: Token): string {
  if (kind === 'end') return 'the end of the file'
  if (kind === 'string') return `the string ${JSON.stringify(text)}`
  return IS_KEYWORD.has(text) ? `the keyword \`${text}\`` : `\`${text}\``
}

function listed(words: readonly string[]): string {
  return `${words.slice(0, -1).join(', ')} or ${words[words.length - 1]}`
}
