/**
 * Why Node could show an order that norn shows and stock Node did not, in thousands of runs: the
 * argument from the source of Node or libuv. An order without an argument here is a defect.
 */
import { type Node, type Program, preorder } from './program.ts'

interface Explanation {
  readonly why: string
  /** Whether it covers `first` calling back before `second`. */
  covers(first: Node, second: Node, program: Program): boolean
}

const EXPLANATIONS: readonly Explanation[] = []

/** @param pair two letters of the program */
export function explanationOf(program: Program, pair: string): string | undefined {
  const nodes = preorder(program.roots)
  const [first, second] = [...pair].map((letter) => nodes[letter.charCodeAt(0) - 97]!)
  return EXPLANATIONS.find(({ covers }) => covers(first!, second!, program))?.why
}
