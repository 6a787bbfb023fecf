/**
 * The corpus of a campaign and its folder: what is there at every moment, and what happens where it
 * cannot be used.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Entry } from '../../src/domains/latency/corpus.ts'
import { CorpusStore, nameOf } from '../../src/storage/corpus-store.ts'
import { KeptCorpus } from '../../src/storage/kept-corpus.ts'
import { tapeOf } from '../property/fixtures/tape-of.ts'
import { entryOf, recordOf } from '../search/observation.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'norn-kept-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const storeOf = () => new CorpusStore({ root, file: 'a.fuzz.ts', property: 'p', version: '1' })

const keptOf = (remarks: string[] = []) => new KeptCorpus(storeOf(), (text) => remarks.push(text))

const entry = (at: number, more: Partial<Entry> = {}) => entryOf(recordOf(tapeOf(at)), more)

const onDisk = () => readdirSync(storeOf().folder)
const namesOf = (...numbers: number[]) => numbers.map((at) => nameOf(tapeOf(at))).sort()

test('what is kept is written at once, what goes is removed', () => {
  const kept = keptOf()
  const [one, two] = [entry(1), entry(2)]
  kept.added(one)
  kept.added(two)
  expect(onDisk().sort()).toEqual(namesOf(1, 2))
  kept.removed(one)
  expect(onDisk()).toEqual(namesOf(2))
  expect(keptOf().load()).toMatchObject([{ choices: tapeOf(2) }])
})

test('two entries of the same choices have one file, which goes with the last of them', () => {
  const kept = keptOf()
  const [one, same] = [entry(1), entry(1)]
  for (const each of [one, same]) kept.added(each)
  kept.removed(one)
  expect(onDisk()).toEqual(namesOf(1))
  kept.removed(same)
  expect(onDisk()).toEqual([])
})

test('what another worker has written stays, though this one has no use for it any more', () => {
  const [mine, theirs] = [keptOf(), keptOf()]
  theirs.added(entry(1))
  expect(mine.poll()).toMatchObject([{ choices: tapeOf(1) }])
  const taken = entry(1)
  mine.added(taken)
  mine.removed(taken)
  expect(onDisk()).toEqual(namesOf(1))
})

describe('polling', () => {
  /** Polls at a time, with a clock that goes on by 1 ms whenever it is read. */
  function polling(): (timeMs: number) => number {
    let nowMs = 0
    const kept = new KeptCorpus(
      storeOf(),
      () => {},
      1,
      () => nowMs++,
    )
    return (timeMs) => {
      nowMs = timeMs
      return kept.poll().length
    }
  }

  test('that found nothing is followed by a pause of twenty times as long', () => {
    const at = polling()
    expect(at(100)).toBe(0)
    keptOf().added(entry(1))
    expect(at(119)).toBe(0)
    expect(at(120)).toBe(1)
  })

  test('that found something is followed by no pause', () => {
    const at = polling()
    const theirs = keptOf()
    theirs.added(entry(1))
    expect(at(100)).toBe(1)
    theirs.added(entry(2))
    expect(at(102)).toBe(1)
  })
})

test('an input that is not drawn from the tape is not kept', () => {
  const kept = keptOf()
  const example = entry(1, { input: { from: 'example', index: 0 } })
  kept.added(example)
  kept.removed(example)
  kept.minimise([example], [])
  expect(keptOf().load()).toEqual([])
})

test('in the end there is what the corpus holds, in its last form, and what was not looked at', () => {
  const before = keptOf()
  for (const at of [1, 2, 3]) before.added(entry(at))
  const kept = keptOf()
  const loaded = kept.load()
  expect(loaded).toHaveLength(3)
  const trimmed = entry(4)
  kept.added(trimmed)
  trimmed.record = recordOf(tapeOf(5))
  kept.minimise([trimmed], [tapeOf(2)])
  expect(onDisk().sort()).toEqual(namesOf(2, 5))
})

describe('a folder that cannot be used', () => {
  test('is told of once, and the search goes on without', () => {
    mkdirSync(dirname(storeOf().folder), { recursive: true })
    writeFileSync(storeOf().folder, 'in the way')
    const remarks: string[] = []
    const kept = keptOf(remarks)
    expect(kept.load()).toEqual([])
    for (let at = 0; at < 3; at++) {
      const each = entry(at)
      kept.added(each)
      kept.removed(each)
      expect(kept.poll()).toEqual([])
    }
    kept.minimise([entry(1)], [])
    expect(remarks).toEqual([
      expect.stringMatching(/^cannot use the corpus in .*, and continues without: not a directory \(ENOTDIR\)$/),
    ])
  })
})
