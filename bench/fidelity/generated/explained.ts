/**
 * Why Node could show an order that norn shows and stock Node did not, in thousands of runs: the
 * argument from the source of Node or libuv. An order without an argument here is a defect.
 */
import { type Node, type Program, preorder } from './program.ts'
import { vocabulary } from './vocabulary.ts'

interface Explanation {
  readonly why: string
  /** Whether it covers `first` calling back before `second`. */
  covers(first: Node, second: Node, program: Program): boolean
}

const EXPLANATIONS: readonly Explanation[] = [
  {
    why:
      'of two timers that are set one after the other, the first may be due first whatever their durations, as Node ' +
      'reads the clock for each (getLibuvNow calls uv_update_time) and the process may be held up in between; what ' +
      'it starts may then be done before the second is due',
    covers: (first, second, { roots }) =>
      isTimed(second) &&
      siblingsBefore(second, roots).some((node) => isTimed(node) && preorder([node]).includes(first)),
  },
  {
    why:
      'a timer is due after a millisecond at the earliest, and nothing bounds from below how long the rest takes: a ' +
      'machine may be faster than this one, most of all where Node has just started',
    covers: (first, second, { roots }) => {
      const [ones, others] = parting(first, second, roots)
      return dueMs(ones) < dueMs(others)
    },
  },
  {
    why:
      'a process that is held up finds every timer due that is set, while a timer that one of these sets is due ' +
      'later: a chain of fewer timers may come first, whatever their durations',
    covers: (first, second, { roots }) => {
      const [ones, others] = parting(first, second, roots)
      return ones.filter(isTimed).length < others.filter(isTimed).length
    },
  },
  {
    why: "nothing bounds from above how long V8's threads take to compile",
    covers: (first, second, { roots }) => {
      const [, [compilation]] = parting(first, second, roots)
      return compilation !== undefined && isCompilation(compilation)
    },
  },
  {
    why: 'nothing bounds from above how long a thread of the pool takes; V8 has threads of its own, and the network none',
    covers: (first, second, { roots }) => {
      const [ones, [task]] = parting(first, second, roots)
      const isElsewhere = ones.some((one) => isCompilation(one) || isOverNetwork(one))
      return isElsewhere && task !== undefined && isOfPool(task)
    },
  },
  {
    why:
      'the first fetch of a process loads undici for tens of milliseconds, in which the pool is done; nothing bounds ' +
      'from above how long its threads take, nor from below how long that loading does',
    covers: (first, second, { roots, start }) => {
      const [, [task]] = parting(first, second, roots)
      return start === 'main' && preorder(roots).some(isFetch) && task !== undefined && isOfPool(task)
    },
  },
  {
    why:
      'nothing bounds from above how long the network takes, and it orders nothing between two connections; over ' +
      'loopback a connection is made within the call, which no other network promises',
    covers: (first, second, { roots }) => {
      const [ones, others] = parting(first, second, roots)
      return others.some(isOverNetwork) && !(ones.some(isKept) && others.some(isKept))
    },
  },
]

/**
 * What waits for no other end of a connection, and sockets that no network carries. The timeout of a
 * socket is none of them: it counts anew when the connection is made (afterConnect in lib/net.js).
 */
const WITHOUT_NETWORK = new Set(['net: close of a server', 'net: a Unix socket', 'fetch: abort'])

const isOverNetwork = ({ kind }: Node) =>
  ['net', 'http', 'fetch', 'ws'].includes(vocabulary[kind]!.source) && !WITHOUT_NETWORK.has(kind)

const isFetch = ({ kind }: Node) => vocabulary[kind]!.source === 'fetch'

/** Requests of the kept agent share a connection. */
const isKept = ({ kind }: Node) => kind === 'http: an agent that keeps one socket'

const isTimed = (node: Node) => dueMs([node]) > 0

/** Milliseconds that the timers of a chain take at least; one of 0 takes 1. */
function dueMs(chain: readonly Node[]): number {
  const ms = chain.map(({ kind }) => {
    if (kind === 'fetch: abort' || kind === 'net: setTimeout') return 2
    return vocabulary[kind]!.source === 'timers' ? Math.max(1, Number(/ (\d+)$/.exec(kind)?.[1] ?? 1)) : 0
  })
  return ms.reduce((sum, each) => sum + each, 0)
}

const isOfPool = ({ kind }: Node) =>
  ['pool', 'slow I/O'].includes(vocabulary[kind]!.source) || kind.endsWith('of a file stream')

const isCompilation = ({ kind }: Node) => kind === 'WebAssembly.compile' || kind === 'WebAssembly.compile of no module'

/** The operations that lead to each of two, from where these part; empty if one leads to the other. */
function parting(first: Node, second: Node, roots: readonly Node[]): readonly [readonly Node[], readonly Node[]] {
  const leadingTo = (node: Node) => preorder(roots).filter((each) => preorder([each]).includes(node))
  const [one, other] = [leadingTo(first), leadingTo(second)]
  return [one.filter((node) => !other.includes(node)), other.filter((node) => !one.includes(node))]
}

/** The operations that are started before a node by the same callback. */
function siblingsBefore(node: Node, roots: readonly Node[]): readonly Node[] {
  const siblings = [roots, ...preorder(roots).map(({ then }) => then)].find((nodes) => nodes.includes(node))!
  return siblings.slice(0, siblings.indexOf(node))
}

/** @param pair two letters of the program */
export function explanationOf(program: Program, pair: string): string | undefined {
  const nodes = preorder(program.roots)
  const [first, second] = [...pair].map((letter) => nodes[letter.charCodeAt(0) - 97]!)
  return EXPLANATIONS.find(({ covers }) => covers(first!, second!, program))?.why
}
