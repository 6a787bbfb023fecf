/**
 * The levels of built-in operators: the maximum level of each argument, and SANY's further rules
 * for temporal formulas.
 */
import { TlaError } from '../error/error.ts'
import type { LevelRules } from './known-levels.ts'
import { Gathering, limited, type Rank, type Reach } from './level.ts'
import type { PrimitiveName, Term } from './term.ts'

/**
 * [the level it has at least, the most that each argument may be, whether the level of arguments
 * counts]
 */
const PRIMITIVES: Readonly<Record<PrimitiveName, readonly [Rank, Rank, boolean]>> = {
  '=': [0, 2, true],
  '#': [0, 2, true],
  '\\in': [0, 2, true],
  '\\notin': [0, 2, true],
  '~': [0, 3, true],
  '=>': [0, 3, true],
  '<=>': [0, 3, true],
  '\\cup': [0, 2, true],
  '\\cap': [0, 2, true],
  '\\': [0, 2, true],
  '\\subseteq': [0, 2, true],
  SUBSET: [0, 2, true],
  UNION: [0, 2, true],
  DOMAIN: [0, 2, true],
  "'": [2, 1, false],
  ENABLED: [1, 2, false],
  UNCHANGED: [2, 1, false],
  '\\cdot': [2, 2, false],
  '[]': [3, 3, false],
  '<>': [3, 3, false],
  '~>': [3, 3, false],
  '-+->': [3, 3, false],
}

export function ofPrimitive(rules: LevelRules, name: PrimitiveName, items: readonly Term[]): Reach {
  const [least, most, counts] = PRIMITIVES[name]
  const all = new Gathering()
  all.rank(least)
  const parts: Reach[] = []
  for (const item of items) {
    const part = rules.term(item)
    if (name === "'" || name === 'UNCHANGED') mustBePrimable(name, item, part)
    const reach = limited(item, most, `the operand of \`${name}\``, part)
    if (counts) all.add(reach)
    else all.addOpaque(reach)
    parts.push(reach)
  }
  if (name === '=>' || name === '<=>') mustNotMix(name, items, parts)
  if (name === '[]' || name === '<>') mustBeStuttering(name, items[0]!, parts[0]!)
  if (name === '~>' || name === '-+->') {
    for (const [at, part] of parts.entries()) {
      if (part.rank === 2) {
        throw new TlaError('semantics', `the operand of \`${name}\` cannot be an action`, items[at]!.at)
      }
    }
  }
  return all.reach()
}

function mustBePrimable(name: string, item: Term, { rank }: Reach): void {
  if (rank < 2) return
  const what = name === "'" ? 'primed' : 'left UNCHANGED'
  throw new TlaError(
    'semantics',
    rank === 2
      ? `this is an action already, so it cannot be ${what}`
      : `this is a temporal formula, which cannot be ${what}`,
    item.at,
  )
}

function mustBeStuttering(name: '[]' | '<>', item: Term, { rank }: Reach): void {
  if (rank !== 2) return
  // SANY checks only the form of an operator's result.
  if (item.kind === 'let' || item.kind === 'label') return
  const shape = name === '[]' ? 'square' : 'angle'
  if (item.kind === 'action' && item.shape === shape) return
  const form = name === '[]' ? '`[][A]_v`' : '`<><<A>>_v`'
  throw new TlaError('semantics', `an action after \`${name}\` must have the form ${form}`, item.at)
}

export function mustNotMix(name: string, items: readonly Term[], parts: readonly Reach[]): void {
  if (!parts.some(({ rank }) => rank === 3)) return
  const at = parts.findIndex(({ rank }) => rank === 2)
  if (at === -1) return
  throw new TlaError(
    'semantics',
    `\`${name}\` joins a temporal formula and this action: write the action as \`[][A]_v\` or \`<><<A>>_v\``,
    items[at]!.at,
  )
}
