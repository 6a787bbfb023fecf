/** Draws programs: the n-th one is a function of the seed and n. */
import { type Chance, chance } from '../../engine.ts'
import type { Node, Program, Start } from './program.ts'
import { type Source, vocabulary } from './vocabulary.ts'

const MAX_DEPTH = 3
const MIN_NODES = 2
/** More would have more orders than can be compared one by one. */
const MAX_NODES = 6
const MIN_REPEATED = 3
const MAX_REPEATED = 4

/** Each start of a main script costs stock Node a process, so few programs begin there. */
const STARTS: readonly (readonly [Start, number])[] = [
  ['main', 1],
  ['poll', 4],
  ['check', 2],
  ['timers', 3],
]

const OVER_SOCKETS: ReadonlySet<Source> = new Set(['net', 'http', 'fetch', 'ws'])
/** The share of operations over sockets in programs of clients and servers. */
const SOCKETS_SHARE = 0.6

/** @param sockets draws programs of clients and servers; the others have no sockets */
export function generate(seed: number, index: number, sockets = false): Program {
  const random = chance(seed, index)
  const drawKind = () => kindOf(random, sockets && random.coin(SOCKETS_SHARE))
  const start = weighted(random, STARTS)
  let left = random.integer(MIN_NODES, MAX_NODES)
  // Programs of few kinds compare equal operations; programs of many, unequal ones.
  const kinds = Array.from({ length: random.integer(1, 4) }, () => drawKind())
  const node = (kind: string, depth: number): Node => {
    left--
    const then: Node[] = []
    while (depth < MAX_DEPTH && left > 0 && random.coin(0.4)) then.push(...siblings(depth + 1))
    return { kind, then }
  }
  /** One operation, or the same one several times: pools and queues may bound how many run at once. */
  const siblings = (depth: number): Node[] => {
    const kind = random.coin(0.7) ? kinds[random.integer(0, kinds.length - 1)]! : drawKind()
    const count = random.coin(0.15) ? random.integer(MIN_REPEATED, MAX_REPEATED) : 1
    const nodes: Node[] = []
    while (left > 0 && nodes.length < count) nodes.push(node(kind, depth))
    return nodes
  }
  const roots: Node[] = []
  while (left > 0) roots.push(...siblings(1))
  return { start, roots }
}

/** Sources are as likely as each other, however many kinds they have. */
function kindOf(random: Chance, overSockets: boolean): string {
  const all = new Set(Object.values(vocabulary).map(({ source }) => source))
  const sources = [...all].filter((source) => OVER_SOCKETS.has(source) === overSockets)
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
