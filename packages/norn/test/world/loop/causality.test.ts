import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Causality, type Step } from '../../../src/world/loop/causality.ts'

test('the body is step 0 of chain 0', () => {
  const causality = new Causality()
  expect(causality.current).toMatchObject({ chain: '0', index: 0, label: '0:0' })
  expect(causality.chains).toBe(1)
})

describe('what a step starts', () => {
  test('first goes on with its chain; each further begins a chain, named by where it left', () => {
    const causality = new Causality()
    const labels = () => [causality.child(), causality.child(), causality.child()].map(({ label }) => label)
    expect(labels()).toEqual(['0:1', '0/0.1:1', '0/0.2:1'])
    expect(causality.chains).toBe(3)
  })

  test('is its child, whoever ran in between', () => {
    const causality = new Causality()
    const [a, b] = [causality.child(), causality.child()]
    causality.begin(b)
    expect(causality.child().label).toBe('0/0.1:2')
    expect(causality.child().label).toBe('0/0.1/1.1:1')
    expect(causality.child(a).label).toBe('0:2')
    causality.begin(a)
    expect(causality.child()).toMatchObject({ label: '0/1.1:1' })
  })
})

/** A tree of causes: each step starts some others. */
interface Tree {
  readonly starts: readonly Tree[]
}

const tree = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 6 },
    fc.boolean().map((): Tree => ({ starts: [] })),
    fc.record({ starts: fc.array(tie('tree'), { maxLength: 4 }) }),
  ),
})).tree

/** Runs a tree; `pick` says which of the waiting steps runs next. */
function labelsOf(root: Tree, pick: (waiting: number) => number): Map<Tree, string> {
  const causality = new Causality()
  const labels = new Map<Tree, string>()
  const waiting: [Tree, Step][] = [[root, causality.current]]
  while (waiting.length > 0) {
    const [[node, step]] = waiting.splice(pick(waiting.length), 1) as [[Tree, Step]]
    causality.begin(step)
    labels.set(node, step.label)
    for (const started of node.starts) waiting.push([started, causality.child()])
  }
  expect(causality.chains).toBeLessThanOrEqual(labels.size)
  return labels
}

test('labels are unique, and do not depend on the order in which unrelated steps run', () => {
  fc.assert(
    fc.property(tree, fc.infiniteStream(fc.nat()), (root, picks) => {
      const natural = labelsOf(root, () => 0)
      const other = labelsOf(root, (waiting) => picks.next().value % waiting)
      expect(new Set(natural.values()).size).toBe(natural.size)
      expect(other.size).toBe(natural.size)
      for (const [node, label] of natural) expect(other.get(node)).toBe(label)
    }),
    { seed: 1 },
  )
})

test('after a reset everything is named as at first', () => {
  const causality = new Causality()
  causality.begin(causality.child())
  causality.child()
  causality.child()
  causality.reset()
  expect(causality.chains).toBe(1)
  expect([causality.current.label, causality.child().label]).toEqual(['0:0', '0:1'])
})
