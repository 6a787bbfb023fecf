/** Keywords, symbols and tokens. */

import type { Span } from '../error/span.ts'
import { INFIX, POSTFIX, PREFIX, SYNONYMS } from './operators.ts'

/**
 * The kind of a token. Reserved words and symbols are their own kind, in canonical spelling (`THEN`,
 * `/\`, `|->`); the others are
 *
 * - `identifier`, `number`, `string`;
 * - `step`: the number of a step of a proof (`<1>2.`);
 * - `begin module` (`---- MODULE`), `end module` (`====`), `separator` (`----`);
 * - `end`: the end of the text;
 * - `error`: invalid text, with the reason in `text`; always the last one.
 */
export type TokenKind = string

export interface Token {
  readonly kind: TokenKind
  /** As written; for a string its value, for an error the message. */
  readonly text: string
  readonly at: Span
  /**
   * The column that junction lists go by: as `at.column`, but tabs reach to the next column of 8.
   */
  readonly indent: number
  /**
   * Whether it can begin an item of a junction list: `/\`, `\/` and their signs can, `\land` and
   * `\lor` cannot.
   */
  readonly isBullet: boolean
}

/**
 * Each word that is not a name, to the kind of its token: variants of one meaning have one kind.
 */
export const RESERVED: ReadonlyMap<string, TokenKind> = new Map(
  [
    'ACTION ACTIONS',
    'ASSUME',
    'ASSUMPTION AXIOM',
    'BY',
    'CASE',
    'CHOOSE',
    'CONSTANT CONSTANTS',
    'DEF DEFS',
    'DEFINE',
    'DOMAIN',
    'ELSE',
    'ENABLED',
    'EXCEPT',
    'EXTENDS',
    'HAVE',
    'HIDE',
    'IF',
    'IN',
    'INSTANCE',
    'LAMBDA',
    'LET',
    'LOCAL',
    'MODULE',
    'NEW',
    'OBVIOUS',
    'OMITTED',
    'ONLY',
    'OTHER',
    'PICK',
    'PROOF',
    'PROVE',
    'QED',
    'RECURSIVE',
    'STATE',
    'SUBSET',
    'SUFFICES',
    'TAKE',
    'TEMPORAL TEMPORALS',
    'THEN',
    'THEOREM PROPOSITION LEMMA COROLLARY',
    'UNCHANGED',
    'UNION',
    'USE',
    'VARIABLE VARIABLES',
    'WITH',
    'WITNESS',
  ].flatMap((line) => {
    const words = line.split(' ')
    return words.map((word) => [word, words[0]!] as const)
  }),
)

/** Marks that are no operators. */
const MARKS = [
  ...[
    ',',
    ':',
    '::',
    '.',
    '_',
    '==',
    '(',
    ')',
    '[',
    ']',
    ']_',
    '{',
    '}',
    '<<',
    '>>',
    '>>_',
    '!',
    '@',
    '->',
    '<-',
    '|->',
  ],
  ...['\\E', '\\A', '\\EE', '\\AA', '[]ASSUME', '[]PROVE'],
]

/** Everything that is written with marks or a backslash, longest first for each first character. */
export const SYMBOLS: ReadonlyMap<string, readonly string[]> = (() => {
  const all = new Set([...MARKS, ...SYNONYMS.keys(), ...SYNONYMS.values()])
  for (const table of [PREFIX, INFIX, POSTFIX]) for (const name of table.keys()) if (!/^[A-Z]/.test(name)) all.add(name)
  const byFirst = new Map<string, string[]>()
  for (const symbol of all) {
    const first = symbol[0]!
    const list = byFirst.get(first)
    if (list === undefined) byFirst.set(first, [symbol])
    else list.push(symbol)
  }
  for (const list of byFirst.values()) list.sort((a, b) => b.length - a.length)
  return byFirst
})()

/** Whether a word may be the name of a field or of a module, although it is reserved elsewhere. */
export function isWord(kind: TokenKind): boolean {
  return kind === 'identifier' || RESERVED.has(kind) || kind === 'WF_' || kind === 'SF_'
}

/** The words that begin an operand which reaches as far to the right as it can. */
export const OPEN: ReadonlySet<TokenKind> = new Set(['IF', 'CASE', 'LET', 'CHOOSE', '\\A', '\\E', '\\AA', '\\EE'])

const CLOSED: ReadonlySet<TokenKind> = new Set([
  ...['identifier', 'number', 'string', '@', '(', '[', '{', '<<', 'WF_', 'SF_', '/\\', '\\/'],
])

/** Whether a token can begin an operand, prefix operators aside. */
export function beginsOperand(kind: TokenKind): boolean {
  return OPEN.has(kind) || CLOSED.has(kind)
}
