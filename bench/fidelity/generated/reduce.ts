/** Shrinks a program on which norn and stock Node disagree. */
import type { Node, Program } from './program.ts'

/** The smallest program reached by deletions on which `fails` still holds. */
export async function reduce(program: Program, fails: (program: Program) => Promise<boolean>): Promise<Program> {
  for (const smaller of smallerPrograms(program)) {
    if (await fails(smaller)) return reduce(smaller, fails)
  }
  return program
}

/** The program without one of its operations: with its nested ones, or with these in its place. */
function* smallerPrograms({ start, roots }: Program): Generator<Program> {
  for (const smaller of without(roots)) if (smaller.length > 0) yield { start, roots: smaller }
}

function* without(nodes: readonly Node[]): Generator<readonly Node[]> {
  for (const [index, node] of nodes.entries()) {
    const [before, after] = [nodes.slice(0, index), nodes.slice(index + 1)]
    yield [...before, ...after]
    if (node.then.length > 0) yield [...before, ...node.then, ...after]
    for (const then of without(node.then)) yield [...before, { ...node, then }, ...after]
  }
}
