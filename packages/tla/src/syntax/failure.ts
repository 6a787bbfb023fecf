/** Where parsing ended, as those who give advice see it: the tokens around, and what was being read. */
import type { Token, TokenKind } from './token.ts'

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
  | 'a bound of a definition'
  | 'a function'
  | 'a field'
  | 'the name of a field'
  | 'what is updated'
  | 'a field of a set'
  | 'IF'
  | 'CASE'
  | 'the mark ]'
  | 'the mark ]_'
  | 'a parameter'
  | 'the mark )'
  | 'the mark }'
  | 'the mark >>'

export interface Failure {
  readonly tokens: readonly Token[]
  /** Of the token that cannot stand where it stands. */
  readonly index: number
  readonly about: About | undefined
}

/** The kind of the token that cannot stand there. */
export function found({ tokens, index }: Failure): TokenKind {
  return tokens[index]!.kind
}

/** A token before or after that one. */
export function tokenAt({ tokens, index }: Failure, distance: number): Token | undefined {
  return tokens[index + distance]
}

export function isName(token: Token | undefined): token is Token {
  return token?.kind === 'identifier'
}

export function isOnLineOf(first: Token | undefined, second: Token | undefined): boolean {
  return first !== undefined && second !== undefined && first.at.endLine === second.at.line
}
