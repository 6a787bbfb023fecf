/**
 * What a newcomer probably meant where a text is no TLA+: the second half of a message about syntax.
 *
 * Only looks at the tokens around the place where parsing ended, and only then. Says nothing rather than something that may
 * mislead: each rule asks for the very form of a mistake that people are known to make.
 */
import { RULES } from './advice-by-form.ts'
import { type Failure, found, isName, isOnLineOf, tokenAt } from './failure.ts'
import { configurationWord, foreignCommand, foreignWord, isKnownCommand } from './foreign.ts'
import { isWord, type Token, type TokenKind } from './token.ts'

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

/** Whether a token can begin an operand, as the second of two that stand side by side. */
function beginsOperand({ kind }: Token): boolean {
  return isWord(kind) || ['number', 'string', '(', '[', '{', '<<', '\\A', '\\E'].includes(kind)
}

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
  const trailing = [index - 1, index].find(
    (at) => at >= 0 && COMMENT_MARKS.has(tokens[at]!.kind) && isBeforeWords(tokens, at),
  )
  if (trailing !== undefined) return noComment(tokens[trailing]!.text)
  if (!COMMENT_MARKS.has(kind)) return undefined
  if (first > 0 && tokens[first - 1]!.at.endLine === line) return undefined
  return noComment(text)
}

/** Whether two words follow on the line. */
function isBeforeWords(tokens: readonly Token[], at: number): boolean {
  const [mark, one, two] = [tokens[at], tokens[at + 1], tokens[at + 2]]
  return isName(one) && isName(two) && isOnLineOf(mark, one) && isOnLineOf(one, two)
}

function noComment(mark: string): string {
  return `\`${mark}\` begins no comment: write \`\\* …\`, to the end of the line, or \`(* … *)\``
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
