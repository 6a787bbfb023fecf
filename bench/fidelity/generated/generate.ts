/** Draws programs: the n-th one is a function of the seed and n. */
import { type Chance, chance } from '../../engine.ts'
import type { Node, Program, Start } from './program.ts'
import { vocabulary } from './vocabulary.ts'

const MAX_DEPTH = 3
const MIN_NODES = 2
/** More would have more orders than can be compared one by one. */
const MAX_NODES = 6

/** Each start of a main script costs stock Node a process, so few programs begin there. */
const STARTS: readonly (readonly [Start, number])[] = [
  ['main', 1],
  ['poll', 4],
  ['check', 2],
  ['timers', 3],
]

export function generate(seed: number, index: number): Program {
  const random = chance(seed, index)
  const start = weighted(random, STARTS)
  let left = random.integer(MIN_NODES, MAX_NODES)
  // Programs of few kinds compare equal operations; programs of many, unequal ones.
  const kinds = Array.from({ length: random.integer(1, 4) }, () => drawKind(random))
  const node = (depth: number): Node => {
    left--
    const then: Node[] = []
    const kind = random.coin(0.7) ? kinds[random.integer(0, kinds.length - 1)]! : drawKind(random)
    while (depth < MAX_DEPTH && left > 0 && random.coin(0.4)) then.push(node(depth + 1))
    return { kind, then }
  }
  const roots: Node[] = []
  while (left > 0) roots.push(node(1))
  return { start, roots }
}

/** Sources are as likely as each other, however many kinds they have. */
function drawKind(random: Chance): string {
  const sources = [...new Set(Object.values(vocabulary).map(({ source }) => source))]
  const source = sources[random.integer(0, sources.length - 1)]!
  const kinds = Object.keys(vocabulary).filter((kind) => vocabulary[kind]!.source === source)
  return kinds[random.integer(0, kinds.length - 1)]!
}

function weighted<Value>(random: Chance, table: readonly (readonly [Value, number])[]): Value {
  let rest = random.integer(
    1,
    table.reduce((sum, [, weight]) => sum + weight, 0),
  )
  for (const [value, weight] of table) {
    rest -= weight
    if (rest <= 0) return value
  }
  return table[0]![0]
}
