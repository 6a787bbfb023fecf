/** What a newcomer probably meant, by what was being read: where the same mark means something else, the advice is another one. */
import { type About, type Failure, isName, isOnLineOf, tokenAt } from './failure.ts'
import { foreignOperator } from './foreign.ts'
import { INFIX } from './operators.ts'
import { isWord, type TokenKind } from './token.ts'

/** What stands in expressions only. */
const IN_EXPRESSIONS: ReadonlySet<TokenKind> = new Set([
  ...['IF', 'CASE', 'LET', 'CHOOSE', 'ENABLED', 'UNCHANGED', 'SUBSET', 'UNION', 'DOMAIN'],
  ...['number', 'string', '(', '[', '{', '<<', '\\A', '\\E'],
])

type Rule = (failure: Failure, found: TokenKind) => string | undefined

const EXCEPT_IN_BRACKETS = 'an `EXCEPT` has square brackets of its own: `[f EXCEPT ![a] = e]`'
const TUPLE = 'a tuple is written `<<a, b>>`'
const BOUND_TUPLE = 'the parts of a tuple are bound by `<<x, y>> \\in S`'
const CONDITION =
  'after `{e :` stand bounds `x \\in S` only; a condition goes into the set, as in `{e : x \\in {y \\in S : P}}`'
const SQUARE_BRACKETS =
  'a set is written `{…}`, a tuple `<<…>>`, an interval `a..b` alone; in square brackets stand functions, ' +
  '`[x \\in S |-> e]` and `[S -> T]`, and records, `[field |-> e]`'

export const RULES: Readonly<Record<About, Rule>> = {
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
    if (found === 'number' || found === 'string')
      return 'a record is written `[field |-> e]`, the set of e for each x `{e : x \\in S}`'
    if (found === '_' || isWord(found)) return undefined
    const isSameName = isName(tokenAt(failure, -1)) && tokenAt(failure, -1)!.text === tokenAt(failure, -3)?.text
    if (isSameName && tokenAt(failure, -4)?.kind === '{')
      return 'a set by a condition is taken from another, `{x \\in S : P}`'
    if (found === '\\in' || found === '(' || !INFIX.has(found)) return aboutBound(failure, found) ?? CONDITION
    return found === '\\subseteq' || found === '\\subset' ? aboutBound(failure, found) : CONDITION
  },
  'a bound of a definition': (failure, found) =>
    found === ']'
      ? 'a function is defined with the set of its arguments, `f[x \\in S] == e`'
      : aboutBound(failure, found),
  'a parameter': (failure, found) => {
    if (found === ')' && tokenAt(failure, -1)?.kind === ',') return 'no comma stands after the last parameter'
    if (found === ')') return 'an operator without parameters is defined by `Name == e`'
    return found === '\\in' || found === ':'
      ? 'a parameter has neither set nor type: an operator is `F(x) == e`, a function `f[x \\in S] == e`'
      : undefined
  },
  'a function': (_, found) => {
    switch (found) {
      case '->':
        return 'a function is `[x \\in S |-> e]`, and the set of functions from S to T `[S -> T]`, without a name'
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
  'a field': () => 'each field of a record is written `field |-> e`',
  'the name of a field': (_, found) => (found === 'number' ? 'an item of a tuple is taken by `t[1]`' : undefined),
  'what is updated': (_, found) => {
    if (found === '==' || found === ':' || found === '->' || found === '|->' || found === ':=') {
      return 'what is updated gets its value by `=`, as in `![a] = e`'
    }
    return 'it is written `![a] = e`, or `!.field = e` of a record'
  },
  'a field of a set': () => 'each field of a set of records is written `field : S`',
  IF: (failure, found) => {
    const token = tokenAt(failure, 0)!
    if (found === 'THEN' || found === 'ELSE' || isOnLineOf(tokenAt(failure, -1), token)) return undefined
    const next = tokenAt(failure, 1)?.kind
    if (isName(token) && (next === "'" || next === '=' || next === '[')) {
      return 'several conditions one below the other begin with `/\\` each'
    }
    return 'an `IF` always has both: `ELSE UNCHANGED v` in an action that then changes nothing, `ELSE TRUE` in a condition'
  },
  CASE: (_, found) => {
    if (found === 'OTHER' || found === '->') return 'each arm after the first begins with `[]`: `[] OTHER -> e`'
    return found === ':' || found === 'THEN' ? 'an arm of a `CASE` is `condition -> value`' : undefined
  },
  'the mark ]': (_, found) => (found === 'EXCEPT' ? EXCEPT_IN_BRACKETS : undefined),
  'the mark ]_': (failure, found) => {
    const [close, next] = [tokenAt(failure, 0)!, tokenAt(failure, 1)]
    if (found === ']' && isName(next) && isOnLineOf(close, next) && next.at.column === close.at.endColumn + 1) {
      return 'an action has its subscript after a `_`: `[A]_v`'
    }
    if (found === ':') return 'the elements of S for which P holds are `{x \\in S : P}`'
    return found === ']' ? SQUARE_BRACKETS : undefined
  },
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

const ASSIGNED: ReadonlySet<TokenKind> = new Set(['+', '-', '*', '/', '%'])

function aboutOperand(failure: Failure, found: TokenKind): string | undefined {
  const before = tokenAt(failure, -1)
  switch (found) {
    case 'RECURSIVE':
      return '`RECURSIVE` stands before the definition that it announces, in the module or in a `LET`'
    case 'ASSUME':
      return 'an `ASSUME … PROVE …` is no expression: only a THEOREM can state it'
    case '_':
      return 'nothing stands for any value: give it a name, as in `\\E x \\in S : …`'
    case 'LAMBDA':
      return 'a `LAMBDA` can be an argument only: define an operator, `F(x) == e`'
    case '<':
      return TUPLE
    case "'": {
      const close = [1, 2, 3, 4].map((distance) => tokenAt(failure, distance)).find((token) => token?.kind === "'")
      return isOnLineOf(tokenAt(failure, 0), close) ? 'a string stands in double quotes: `"…"`' : undefined
    }
    case '*':
      return before?.kind === 'UNCHANGED' ? 'name what does not change: `UNCHANGED <<x, y>>`' : undefined
    case 'DEF':
      return 'no comma stands before `DEF`'
    case '...':
      return 'nothing may be left out; an interval is written `a..b`'
    case '!':
      return '`not` is written `~`'
    case '=':
      if (before !== undefined && ASSIGNED.has(before.kind) && isOnLineOf(before, tokenAt(failure, 0))) {
        return `there is no \`${before.text}=\`: the next value of a variable is given by \`x' = x ${before.text} e\``
      }
      return before?.kind === '=>' || before?.kind === '=' ? 'to compare is written `=`' : undefined
    case '>':
      return before?.kind === '=' ? 'greater or equal is written `>=`' : undefined
    case '&':
    case '|':
    case '+':
      return before?.kind === found ? foreignOperator(found) : undefined
    case '}':
    case ')':
    case ']':
    case '>>':
      if (found === ')' && before?.kind === '(' && isName(tokenAt(failure, -2)))
        return 'what takes no arguments has no parentheses'
      return before?.kind === ',' ? 'no comma stands after the last item' : undefined
    default:
      if (before?.kind === '++' || before?.kind === '--') {
        return `there is no \`x${before.text}\`: the next value of a variable is given by \`x' = x ${before.text[0]} 1\``
      }
      return undefined
  }
}

function aboutDefinition(failure: Failure, found: TokenKind): string | undefined {
  if (/^(?:TRUE|FALSE)$/.test(tokenAt(failure, -1)?.text ?? ''))
    return 'conditions are joined by `/\\`, or stand in a list of it'
  switch (found) {
    case '=':
      return '`=` compares; a definition is written `Name == …`'
    case '_':
      return 'a definition needs a name'
    case 'identifier': {
      const next = tokenAt(failure, 1)?.kind
      const isWord = isOnLineOf(tokenAt(failure, -1), tokenAt(failure, 0)) && (next === '==' || next === '(')
      return isWord ? 'a definition has no word before it: `Name == …`' : undefined
    }
    case '<<':
      return 'a definition has one name: take `p == e`, and then `p[1]` and `p[2]`'
    case '\\in':
    case '\\subseteq':
      return isInLet(failure)
        ? '`LET` defines; some element of a set is taken by `\\E x \\in S : …`, or by `CHOOSE x \\in S : …`'
        : 'what is known of a constant is stated by `ASSUME`, what is always true of a variable by an invariant'
    case "'":
      return isInLet(failure) ? 'the definitions of a `LET` end with `IN`' : undefined
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

function isInCase({ tokens, index }: Failure): boolean {
  for (let at = index - 1; at >= Math.max(0, index - MAX_DISTANCE); at--) {
    const { kind } = tokens[at]!
    if (kind === 'CASE') return true
    if (kind === '==') return false
  }
  return false
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
      if (tokenAt(failure, -2)?.kind === 'UNCHANGED') return 'of several variables it is `UNCHANGED <<x, y>>`'
      if (isInCase(failure)) return 'the arms of a `CASE` are joined by `[]`'
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
