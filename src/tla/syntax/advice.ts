/**
 * What a newcomer probably meant where a text is no TLA+: the second half of a message about syntax.
 *
 * Only looks at the tokens around the place where parsing ended, and only then. Says nothing rather than something that may
 * mislead: each rule asks for the very form of a mistake that people are known to make.
 */
import { configurationWord, foreignCommand, foreignOperator, foreignWord, isKnownCommand } from './foreign.ts'
import { INFIX } from './operators.ts'
import { isWord, type Token, type TokenKind } from './token.ts'

/** What was being read: where the same mark means something else, the advice is another one. */
export type About =
  | 'a unit'
  | 'a definition'
  | 'a next definition'
  | 'definitions of LET'
  | 'an operand'
  | 'a bound'
  | 'a bound name'
  | 'a bound of a set'
  | 'a function'
  | 'IF'
  | 'CASE'
  | 'the mark ]'
  | 'the mark ]_'
  | 'the mark )'
  | 'the mark }'
  | 'the mark >>'

export interface Failure {
  readonly tokens: readonly Token[]
  /** Of the token that cannot stand where it stands. */
  readonly index: number
  readonly about: About | undefined
}

/** The advice, as the end of a sentence; undefined if there is none. */
export function adviceOn(failure: Failure): string | undefined {
  return (
    aboutComment(failure) ??
    aboutInequality(failure) ??
    aboutCommand(failure) ??
    aboutProse(failure) ??
    aboutWord(failure) ??
    (failure.about === undefined ? undefined : RULES[failure.about](failure, found(failure)))
  )
}

function found({ tokens, index }: Failure): TokenKind {
  return tokens[index]!.kind
}

function tokenAt({ tokens, index }: Failure, distance: number): Token | undefined {
  return tokens[index + distance]
}

function isName(token: Token | undefined): token is Token {
  return token?.kind === 'identifier'
}

function isOnLineOf(first: Token | undefined, second: Token | undefined): boolean {
  return first !== undefined && second !== undefined && first.at.endLine === second.at.line
}

/** Whether a token can begin an operand, as the second of two that stand side by side. */
function beginsOperand({ kind }: Token): boolean {
  return isWord(kind) || ['number', 'string', '(', '[', '{', '<<', '\\A', '\\E'].includes(kind)
}

/** What stands in expressions only. */
const IN_EXPRESSIONS: ReadonlySet<TokenKind> = new Set([
  ...['IF', 'CASE', 'LET', 'CHOOSE', 'ENABLED', 'UNCHANGED', 'SUBSET', 'UNION', 'DOMAIN'],
  ...['number', 'string', '(', '[', '{', '<<', '\\A', '\\E'],
])

// Whatever is being read

const COMMENT_MARKS: ReadonlySet<TokenKind> = new Set(['*', '**', '//', '--', '/', '#', '##', '%', '%%', '*)'])

/** A line that begins as comments of other languages do. */
function aboutComment({ tokens, index }: Failure): string | undefined {
  const { line } = tokens[index]!.at
  let first = index
  while (first > 0 && tokens[first - 1]!.at.line === line) first--
  const { kind, text } = tokens[first]!
  const next = tokens[first + 1]
  if (kind === '--' && (next?.text === 'algorithm' || next?.text === 'fair')) {
    return 'an algorithm of PlusCal stands in a comment, `(* … *)`, and what TLA+ reads is its translation'
  }
  if (!COMMENT_MARKS.has(kind)) return undefined
  if (first > 0 && tokens[first - 1]!.at.endLine === line) return undefined
  return `\`${text}\` begins no comment: write \`\\* …\`, to the end of the line, or \`(* … *)\``
}

/** `a != b`, which is read as the path `a!=`. */
function aboutInequality({ tokens, index }: Failure): string | undefined {
  for (let at = Math.max(0, index - 2); at <= index; at++) {
    const [mark, next] = [tokens[at]!, tokens[at + 1]]
    const isPair = mark.kind === '!' && next !== undefined && /^=>?$|^==$/.test(next.kind) && isOnLineOf(mark, next)
    if (isPair && next.at.column === mark.at.endColumn + 1) return 'that two values differ is written `/=` or `#`'
  }
  return undefined
}

/** `a \le b`, `\sum x`, which are read as a shorter operator and a name. */
function aboutCommand(failure: Failure): string | undefined {
  const { tokens, index } = failure
  for (let at = Math.max(0, index - 2); at <= index; at++) {
    const mark = tokens[at]!
    const name = tokens[at + 1]
    if (!mark.text.startsWith('\\') || mark.kind === 'string' || name === undefined) continue
    const isOneWord = name.at.line === mark.at.endLine && name.at.column === mark.at.endColumn + 1
    if (!isOneWord || !isWord(name.kind)) continue
    const word = mark.text.slice(1) + name.text
    // `\Ex` is a quantifier, and `S\T` may well be meant.
    const isSure = isKnownCommand(word) || (mark.text === '\\' && (at === index || beginsOperand(tokens[index]!)))
    if (isSure) return foreignCommand(word)
  }
  return undefined
}

/** Words side by side. */
function aboutProse(failure: Failure): string | undefined {
  const words = [-2, -1, 0, 1, 2].map((distance) => tokenAt(failure, distance))
  for (let start = 0; start < 3; start++) {
    const three = words.slice(start, start + 3)
    const areWords = three.every((word) => isName(word) && /^[A-Za-z][a-z]*$/.test(word.text))
    const isRow = isOnLineOf(three[0], three[1]) && isOnLineOf(three[1], three[2])
    if (
      areWords &&
      isRow &&
      !three.some((word) => foreignWord(word!.text) !== undefined && !/^(?:as|of)$/.test(word!.text))
    ) {
      return 'this reads like a comment, which is written `\\* …` or `(* … *)`'
    }
  }
  return undefined
}

/** A word of another language, or one of TLA+ in small letters, beside what may not stand beside a name. */
function aboutWord(failure: Failure): string | undefined {
  const token = tokenAt(failure, 0)!
  const before = tokenAt(failure, -1)
  const isBesideWord = isOnLineOf(before, token) && beginsOperand(token)
  if (isName(token) && tokenAt(failure, 1)?.kind !== '==') {
    const advice = configurationWord(token.text) ?? foreignWord(token.text)
    if (advice !== undefined) return advice
    if (token.text.startsWith('_') && (before?.kind === ')' || before?.kind === '}')) {
      return 'a subscript follows `]` or `>>` only, as in `[A]_v`'
    }
  }
  if (isName(before) && (isBesideWord || failure.about === 'a definition')) {
    return configurationWord(before.text) ?? foreignWord(before.text)
  }
  return undefined
}

// By what is being read

type Rule = (failure: Failure, found: TokenKind) => string | undefined

const EXCEPT_IN_BRACKETS = 'an `EXCEPT` has square brackets of its own: `[f EXCEPT ![a] = e]`'
const TUPLE = 'a tuple is written `<<a, b>>`'
const BOUND_TUPLE = 'the parts of a tuple are bound by `<<x, y>> \\in S`'
const CONDITION =
  'after `{e :` stand bounds `x \\in S` only; a condition goes into the set, as in `{e : x \\in {y \\in S : P}}`'
const SQUARE_BRACKETS =
  'a set is written `{…}`, a tuple `<<…>>`, an interval `a..b` alone; in square brackets stand functions, ' +
  '`[x \\in S |-> e]` and `[S -> T]`, and records, `[field |-> e]`'

const RULES: Readonly<Record<About, Rule>> = {
  'a unit': aboutUnit,
  'a definition': aboutDefinition,
  'a next definition': (failure) => {
    const isInExpression = isOnLineOf(tokenAt(failure, -1), tokenAt(failure, 0))
    return isInExpression ? '`==` defines; to compare is written `=`' : undefined
  },
  'definitions of LET': (_, found) => {
    if (found === '/\\' || found === '\\/') return 'what the definitions are for stands after `IN`'
    if (found === ',') return 'the definitions of a `LET` follow one another without a mark'
    return found === 'EXCEPT' ? EXCEPT_IN_BRACKETS : undefined
  },
  'an operand': aboutOperand,
  'a bound': aboutBound,
  'a bound name': (failure, found) => {
    if (found === '(' || found === '[') return BOUND_TUPLE
    if (found === '_') return 'every value that is bound needs a name'
    const quantifier = tokenAt(failure, -1)?.text
    if (found === '!' && quantifier === '\\E') {
      return 'there is no `\\E!`: that there is exactly one is `Cardinality({x \\in S : P}) = 1`'
    }
    return undefined
  },
  'a bound of a set': (failure, found) => {
    if (found === '_' || isWord(found)) return undefined
    if (found === '\\in' || found === '(' || !INFIX.has(found)) return aboutBound(failure, found) ?? CONDITION
    return found === '\\subseteq' || found === '\\subset' ? aboutBound(failure, found) : CONDITION
  },
  'a function': (_, found) => {
    switch (found) {
      case '->':
        return 'the set of functions from S to T is written `[S -> T]`, without a name'
      case ']_':
        return 'an action that begins with `x \\in S` needs parentheses: `[(x \\in S)]_v`'
      case 'EXCEPT':
        return 'what is changed stands before it, without a bound: `[f EXCEPT ![a] = e]`'
      case ':':
        return 'the elements of S for which P holds are `{x \\in S : P}`'
      case ']':
        return 'a function is `[x \\in S |-> e]`, the set of records `[field : S]`, the set of pairs `S \\X T`'
      default:
        return undefined
    }
  },
  IF: (failure, found) => {
    const token = tokenAt(failure, 0)!
    if (found === 'THEN' || found === 'ELSE' || isOnLineOf(tokenAt(failure, -1), token)) return undefined
    const next = tokenAt(failure, 1)?.kind
    if (isName(token) && (next === "'" || next === '=' || next === '[')) {
      return 'several conditions one below the other begin with `/\\` each'
    }
    return 'an `IF` always has both: where nothing is asked otherwise, write `ELSE TRUE`'
  },
  CASE: (_, found) => {
    if (found === 'OTHER' || found === '->') return 'each arm after the first begins with `[]`: `[] OTHER -> e`'
    return found === ':' || found === 'THEN' ? 'an arm of a `CASE` is `condition -> value`' : undefined
  },
  'the mark ]': (_, found) => (found === 'EXCEPT' ? EXCEPT_IN_BRACKETS : undefined),
  'the mark ]_': (_, found) =>
    found === ']'
      ? SQUARE_BRACKETS
      : found === ':'
        ? 'the elements of S for which P holds are `{x \\in S : P}`'
        : undefined,
  'the mark )': (failure, found) => {
    if (found !== ',') return found === 'EXCEPT' ? EXCEPT_IN_BRACKETS : undefined
    return tokenAt(failure, 1)?.kind === ')' ? undefined : TUPLE
  },
  'the mark }': (_, found) => {
    if (found === '|->') return 'a record is written `[field |-> e]`'
    if (found === ':')
      return 'there is one `:` only; a condition goes into the set, as in `{e : x \\in {y \\in S : P}}`'
    return found === 'EXCEPT' ? EXCEPT_IN_BRACKETS : undefined
  },
  'the mark >>': (_, found) =>
    found === ':' ? 'the sequence of `e` for each `i` from 1 to `n` is `[i \\in 1..n |-> e]`' : undefined,
}

function aboutBound(failure: Failure, found: TokenKind): string | undefined {
  switch (found) {
    case '\\subseteq':
    case '\\subset':
      return 'what is bound is bound by `\\in`: of the subsets of S, `x \\in SUBSET S`'
    case "'":
      return 'what is bound is a new name, without a prime'
    case ']':
    case ')':
      return TUPLE
    case ':':
      return tokenAt(failure, -2)?.kind === ','
        ? 'each name, or the last of several, needs its set: `x, y \\in S`'
        : undefined
    default:
      return INFIX.has(found) ? 'first comes the set, `x \\in S`; a condition follows after the `:`' : undefined
  }
}

function aboutOperand(failure: Failure, found: TokenKind): string | undefined {
  const before = tokenAt(failure, -1)
  switch (found) {
    case 'RECURSIVE':
      return '`RECURSIVE` stands before the definition that it announces, in the module or in a `LET`'
    case 'ASSUME':
      return 'an `ASSUME … PROVE …` is no expression: only a THEOREM can state it'
    case '_':
      return 'nothing stands for any value: give it a name, as in `\\E x \\in S : …`'
    case '*':
      return before?.kind === 'UNCHANGED' ? 'name what does not change: `UNCHANGED <<x, y>>`' : undefined
    case 'DEF':
      return 'no comma stands before `DEF`'
    case '...':
      return 'nothing may be left out; an interval is written `a..b`'
    case '!':
      return '`not` is written `~`'
    case '=':
      return before?.kind === '=>' || before?.kind === '=' ? 'to compare is written `=`' : undefined
    case '>':
      return before?.kind === '=' ? 'greater or equal is written `>=`' : undefined
    case '&':
    case '|':
    case '+':
      return before?.kind === found ? foreignOperator(found) : undefined
    case '^':
    case 'THEN':
    case 'IN':
      return undefined
    default:
      return undefined
  }
}

function aboutDefinition(failure: Failure, found: TokenKind): string | undefined {
  switch (found) {
    case '=':
      return '`=` compares; a definition is written `Name == …`'
    case '_':
      return 'a definition needs a name'
    case '<<':
      return 'a definition has one name: take `p == e`, and then `p[1]` and `p[2]`'
    case '\\in':
    case '\\subseteq':
      return isInLet(failure)
        ? '`LET` defines; some element of a set is taken by `\\E x \\in S : …`, or by `CHOOSE x \\in S : …`'
        : 'what is known of a constant is stated by `ASSUME`, what is always true of a variable by an invariant'
    case '=>':
    case '<=>':
      return 'what follows from what is stated by a definition (`Name == P => Q`) or a THEOREM'
    case ':':
    case ':=':
    case '<-':
    case '|->':
      return 'a definition is written `Name == …`'
    default:
      return undefined
  }
}

/** How many tokens are looked at for the LET around a definition. */
const MAX_DISTANCE = 500

function isInLet({ tokens, index }: Failure): boolean {
  let closed = 0
  for (let at = index - 1; at >= Math.max(0, index - MAX_DISTANCE); at--) {
    const { kind } = tokens[at]!
    if (kind === 'IN') closed++
    else if (kind === 'LET' && --closed < 0) return true
  }
  return false
}

function aboutUnit(failure: Failure, found: TokenKind): string | undefined {
  const token = tokenAt(failure, 0)!
  const before = tokenAt(failure, -1)
  switch (found) {
    case ',': {
      const isPair = isName(before) && isName(tokenAt(failure, 1))
      return isPair ? 'only what binds takes several names: otherwise write `a \\in S /\\ b \\in S`' : undefined
    }
    case '->':
      return 'the set of functions is written `[S -> T]`, and implication `=>`'
    case '<-':
      return 'what a constant stands for is said in the configuration, by `Name = value` or `Name <- Definition`'
    case '=':
      return '`=` compares; a definition is written `Name == …`'
    case 'WF_':
    case 'SF_':
      return `a name that begins with \`${found}\` is read as fairness: take another one`
    case 'IN':
      return 'no `LET` is open here: what began it has ended before, or was never read as `LET`; to be an element is written `\\in`'
    case 'THEN':
    case 'ELSE':
      return 'no `IF` is open here: what began it has ended before'
    case 'PROOF':
    case 'BY':
    case 'QED':
    case 'OBVIOUS':
    case 'OMITTED':
      return 'a proof follows a THEOREM, and ends with its `QED`'
    case 'EXCEPT':
      return EXCEPT_IN_BRACKETS
    default:
      if (isWord(found) && tokenAt(failure, 1)?.kind === '==')
        return `\`${token.text}\` is a reserved word: take another name`
      if (IN_EXPRESSIONS.has(found) && !isOnLineOf(before, token)) {
        return 'an item of a list of `/\\` or `\\/` begins with the mark, and its further lines stand right of it'
      }
      return foreignOperator(found)
  }
}
