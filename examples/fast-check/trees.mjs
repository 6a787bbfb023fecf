// No test framework: node trees.mjs, or norn fuzz trees.mjs.
import { setTimeout } from 'node:timers/promises'
import fc from 'fast-check'

const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof({ depthSize: 'small', withCrossShrink: true }, tie('leaf'), tie('node')),
  node: fc.record({ left: tie('tree'), right: tie('tree') }),
  leaf: fc.nat({ max: 100 }),
}))

const mirror = (tree) => (typeof tree === 'number' ? tree : { left: mirror(tree.right), right: mirror(tree.left) })
const sum = (tree) => (typeof tree === 'number' ? tree : sum(tree.left) + sum(tree.right))

fc.assert(fc.property(tree, (tree) => sum(mirror(tree)) === sum(tree)))

/** Adds up leaves that arrive asynchronously, and forgets that others add in the meantime: a lost update. */
async function sumLater(tree) {
  let total = 0
  const visit = async (part) => {
    if (typeof part !== 'number') return Promise.all([visit(part.left), visit(part.right)])
    const before = total
    await setTimeout(part % 3)
    total = before + part
  }
  await visit(tree)
  return total
}

await fc.assert(
  fc.asyncProperty(tree, async (tree) => {
    fc.pre(typeof tree !== 'number')
    return (await sumLater(tree)) === sum(tree)
  }),
)
