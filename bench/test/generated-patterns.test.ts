/** Which orders of two and of three callbacks count as norn's alone. */
import { expect, test } from 'vitest'
import { onlyNorn } from '../fidelity/generated/patterns.ts'
import type { Program } from '../fidelity/generated/program.ts'

const node = (kind: string, ...then: Program['roots']) => ({ kind, then })
const program = (...kinds: string[]): Program => ({ start: 'poll', roots: kinds.map((kind) => node(kind)) })
const orders = (counts: Record<string, number>) => new Map(Object.entries(counts))

const lookups = program('dns.lookup', 'dns.lookup', 'dns.lookup')
/** With two threads for three lookups, the third is never first. */
const twoThreads = orders({ abc: 40, acb: 20, bac: 20, bca: 20 })

test('a pair that only norn shows counts', () => {
  const files = program('fs.stat', 'fs.stat')
  expect(onlyNorn(files, orders({ ab: 1 }), orders({ ba: 1 }), 10).unexplained).toEqual(['ba'])
})

test('a triple counts whose pairs stock Node shows often, yet never together', () => {
  // Of 100 runs, c comes before a in 20, before b in 20, and a before b in 60: 2.4 and 1.6 together.
  expect(onlyNorn(lookups, twoThreads, orders({ cab: 1, cba: 1 }), 2).unexplained).toEqual(['cab'])
})

test('a triple does not count with too few runs of stock Node, or if stock Node shows it', () => {
  expect(onlyNorn(lookups, twoThreads, orders({ cab: 1 }), 10).unexplained).toEqual([])
  expect(onlyNorn(lookups, new Map([...twoThreads, ['cab', 1]]), orders({ cab: 1 }), 2).unexplained).toEqual([])
})

test('a triple with a pair that only norn shows is judged by the pair', () => {
  expect(onlyNorn(lookups, orders({ abc: 50, bac: 50 }), orders({ acb: 1 }), 0.1).unexplained).toEqual(['cb'])
})

test('a pair of norn alone that Node could show comes with the reason', () => {
  const timed = program('setTimeout 1', 'fs.stat')
  const { unexplained, explained } = onlyNorn(timed, orders({ ab: 9 }), orders({ ab: 1, ba: 1 }), 2)
  expect([unexplained, [...explained.keys()]]).toEqual([[], ['ba']])
  expect(explained.get('ba')).toContain('faster than this one')
})

test('a triple with a pair that may need an explanation is not judged', () => {
  // A machine may be faster than this one: a file before a timer.
  const timed = program('fs.stat', 'fs.stat', 'setTimeout 1')
  const stock = orders({ abc: 40, bac: 40, acb: 40, cab: 40, cba: 40 })
  expect(onlyNorn(timed, stock, orders({ bca: 1 }), 2).unexplained).toEqual([])
})
