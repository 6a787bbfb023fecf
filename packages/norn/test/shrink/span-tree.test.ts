import { expect, test } from 'vitest'
import type { Span } from '../../src/contract/choices.ts'
import { descendants, siblings, spanTree } from '../../src/shrink/span-tree.ts'

const span = (label: string, start: number, end: number, lane: Span['lane'] = 'input'): Span => ({
  lane,
  label,
  start,
  end,
})

/** [ length ( a b ) ( c ) ] d, with a span of another lane and an empty one in between. */
const SPANS = [
  span('list', 0, 4),
  span('item', 1, 3),
  span('left', 1, 2),
  span('late', 0, 9, 'schedule'),
  span('right', 2, 3),
  span('item', 3, 4),
  span('nothing', 4, 4),
  span('other', 4, 5),
]

const nodes = spanTree(SPANS)

test('a span hangs below the innermost that holds it', () => {
  expect(nodes.map(({ label, parent }) => [label, parent?.label])).toEqual([
    ['list', undefined],
    ['item', 'list'],
    ['left', 'item'],
    ['right', 'item'],
    ['item', 'list'],
    ['other', undefined],
  ])
})

test('two that hold the same choices lie one within the other', () => {
  const [outer, inner] = spanTree([span('option', 0, 2), span('value', 0, 2)])
  expect([inner!.parent, outer!.parent]).toEqual([outer, undefined])
})

test('siblings of one label form a group, the outermost first', () => {
  const groups = siblings(nodes).map(({ parent, label, members }) => [parent?.label, label, members.length])
  expect(groups).toEqual([
    [undefined, 'list', 1],
    [undefined, 'other', 1],
    ['list', 'item', 2],
    ['item', 'left', 1],
    ['item', 'right', 1],
  ])
})

test('everything within a span is its descendant', () => {
  expect([...descendants(nodes[0]!)].map(({ label }) => label)).toEqual(['item', 'left', 'right', 'item'])
})
