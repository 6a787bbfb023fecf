/** The corpus: who owns what, who has to go, and who is mutated next. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Corpus, type Entry } from '../../../src/domains/latency/corpus.ts'
import { chance } from '../../../src/tape/chance.ts'
import { EMPTY_RECORD, entryOf } from '../../search/observation.ts'

const MOST_ENTRIES = 512

function corpusOf(held: ReadonlySet<Entry> = new Set(), seen: (feature: number) => number = () => 1) {
  const removed: Entry[] = []
  const corpus = new Corpus({ seen, isHeld: (entry) => held.has(entry), removed: (entry) => removed.push(entry) })
  return { corpus, removed }
}

/** Adds an entry that shows features with so much work. */
const add = (corpus: Corpus, features: readonly number[], work = 1) =>
  corpus.add({ ...entryOf(EMPTY_RECORD), work }, features)

const ids = (entries: readonly Entry[]) => entries.map(({ id }) => id)

describe('a feature belongs to the entry that shows it with the least work', () => {
  test('the first of equals stays', () => {
    const { corpus } = corpusOf()
    const [first, second] = [add(corpus, [1, 2], 5), add(corpus, [2, 3], 5)]
    expect([[...first.owned], [...second.owned]]).toEqual([[1, 2], [3]])
    const third = add(corpus, [2, 4], 4)
    expect([first, second, third].map(({ owned }) => [...owned])).toEqual([[1], [3], [2, 4]])
  })

  test('one that was made smaller takes what it shows from others', () => {
    const { corpus, removed } = corpusOf()
    const [small, large] = [add(corpus, [1], 5), add(corpus, [2], 9)]
    large.work = 2
    corpus.own(large, [1, 2])
    expect([...large.owned].sort()).toEqual([1, 2])
    expect(removed).toEqual([small])
  })

  test('one whose record was replaced gives up what the new one does not show', () => {
    const { corpus } = corpusOf()
    const entry = add(corpus, [1, 2])
    corpus.replaced(entry, new Set([2, 3]))
    expect([...entry.owned]).toEqual([2, 3])
    expect([...add(corpus, [1], 9).owned]).toEqual([1])
  })

  test('one that is gone gets nothing back', () => {
    const { corpus, removed } = corpusOf()
    const gone = add(corpus, [1], 9)
    const better = add(corpus, [1, 2], 5)
    expect(removed).toEqual([gone])
    gone.work = 1
    corpus.own(gone, [1, 2])
    expect([...better.owned].sort()).toEqual([1, 2])
    expect(ids(corpus.entries)).toEqual([better.id])
  })
})

test('an entry that owns nothing goes, unless it is held, or the newest: it may be held yet', () => {
  const held = new Set<Entry>()
  const { corpus, removed } = corpusOf(held)
  const dominated = add(corpus, [1], 9)
  const near = add(corpus, [2], 9)
  held.add(near)
  add(corpus, [1, 2], 1)
  expect(removed).toEqual([dominated])
  const nothingNew = add(corpus, [])
  expect(corpus.entries).toContain(nothingNew)
  add(corpus, [3])
  expect(removed).toEqual([dominated, nothingNew])
  held.clear()
  add(corpus, [4])
  expect(removed).toEqual([dominated, nothingNew, near])
})

test('whatever is added, the entries own all features that were shown, each once, and no more than they showed', () => {
  const additions = fc.array(fc.record({ features: fc.uniqueArray(fc.nat(15)), work: fc.nat(20) }), { maxLength: 60 })
  fc.assert(
    fc.property(additions, (made) => {
      const { corpus, removed } = corpusOf()
      const shown = new Map<Entry, readonly number[]>()
      for (const { features, work } of made) {
        const entry = add(corpus, features, work)
        shown.set(entry, features)
        expect(corpus.entries.at(-1)).toBe(entry)
      }
      const owned = corpus.entries.flatMap((entry) => [...entry.owned])
      expect(owned.sort((a, b) => a - b)).toEqual(
        [...new Set(made.flatMap(({ features }) => features))].sort((a, b) => a - b),
      )
      for (const entry of corpus.entries) expect(shown.get(entry)).toEqual(expect.arrayContaining([...entry.owned]))
      expect(corpus.size + removed.length).toBe(made.length)
      expect(new Set([...corpus.entries, ...removed]).size).toBe(made.length)
    }),
    { seed: 1, numRuns: 300 },
  )
})

test(`at most ${MOST_ENTRIES} are kept: those that own least go, and the newest is none of them`, () => {
  const held = new Set<Entry>()
  const { corpus, removed } = corpusOf(held)
  const poor = add(corpus, [0])
  for (let at = 1; at < MOST_ENTRIES; at++) add(corpus, [2 * at, 2 * at + 1])
  expect(corpus.size).toBe(MOST_ENTRIES)
  const newest = add(corpus, [])
  expect(corpus.size).toBe(MOST_ENTRIES)
  expect(removed).toEqual([poor])
  expect(corpus.entries).toContain(newest)
})

describe('picking', () => {
  const many = (seen?: (feature: number) => number) => {
    const { corpus } = corpusOf(new Set(), seen)
    for (let at = 0; at < 20; at++) add(corpus, [at], 1)
    return corpus
  }

  const picks = (corpus: Corpus, turns: number, seed = 1) => {
    const draws = chance(seed)
    return Array.from({ length: turns }, () => {
      const entry = corpus.pick(draws)
      entry.picks++
      return entry.id
    })
  }

  test('is a function of what was added and of the seed', () => {
    expect(picks(many(), 500)).toEqual(picks(many(), 500))
    expect(picks(many(), 500)).not.toEqual(picks(many(), 500, 2))
  })

  test('gives each entry turns, one that owns something rare more', () => {
    const turns = picks(
      many((feature) => (feature === 7 ? 1 : 10_000)),
      2000,
    )
    const counts = Array.from({ length: 20 }, (_, id) => turns.filter((each) => each === id).length)
    expect(Math.min(...counts)).toBeGreaterThan(0)
    expect(counts.indexOf(Math.max(...counts))).toBe(7)
  })

  test('and one with much work fewer', () => {
    const { corpus } = corpusOf()
    add(corpus, [1], 1)
    add(corpus, [2], 100_000)
    const turns = picks(corpus, 500)
    expect(turns.filter((id) => id === 1).length).toBeLessThan(turns.filter((id) => id === 0).length)
    expect(turns).toContain(1)
  })
})
