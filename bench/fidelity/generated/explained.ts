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
      isTimer(second) &&
      siblingsBefore(second, roots).some((node) => isTimer(node) && preorder([node]).includes(first)),
  },
]

const isTimer = ({ kind }: Node) => vocabulary[kind]!.source === 'timers'

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
