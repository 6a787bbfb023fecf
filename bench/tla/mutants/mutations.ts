/**
 * Texts that are nearly TLA+: a module with one of its tokens dropped, doubled, or swapped with the
 * next one, at a place drawn from a seed. Tokens are found by a pattern of our own, as norn's lexer
 * is under test.
 */
import { chance } from '../../engine.ts'

type Mutation = 'dropped' | 'doubled' | 'swapped'

export interface Mutant {
  readonly mutation: Mutation
  /** Of the token, from 1. */
  readonly line: number
  readonly token: string
  readonly text: string
}

const MUTATIONS: readonly Mutation[] = ['dropped', 'doubled', 'swapped']

/** Comments and white space are skipped; operators by symbol are one token each. */
const TOKEN =
  /\\\*[^\n]*|\(\*[\s\S]*?\*\)|"(?:\\.|[^"\\\n])*"|[A-Za-z0-9_]+|\\[A-Za-z]+|-{4,}|={4,}|\/\\|\\\/|<<|>>|\|->|->|<-|==|=>|<=>|<=|>=|\.\.|::|:=|:>|@@|[^\s]/g

/** @param seed the same one gives the same mutant */
export function mutant(text: string, seed: number): Mutant {
  const tokens = [...text.matchAll(TOKEN)].filter(([token]) => !/^(\\\*|\(\*)/.test(token))
  if (tokens.length < 2) throw new Error('text has fewer than two tokens')
  const generator = chance(seed)
  const mutation = MUTATIONS[generator.integer(0, MUTATIONS.length - 1)]!
  const at = generator.integer(0, tokens.length - 2)
  const [first, second] = [tokens[at]!, tokens[at + 1]!]
  const [from, to] = [first.index, first.index + first[0].length]
  const line = text.slice(0, from).split('\n').length
  const between = text.slice(to, second.index)
  const rest = text.slice(second.index + second[0].length)
  const middle = {
    dropped: between + second[0],
    doubled: `${first[0]} ${first[0]}${between}${second[0]}`,
    swapped: second[0] + between + first[0],
  }[mutation]
  return { mutation, line, token: first[0], text: text.slice(0, from) + middle + rest }
}
