import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { EntryMetadata } from '../../src/search/entry-metadata.ts'
import { CorpusStore, type CorpusStoreOptions, nameOf } from '../../src/storage/corpus-store.ts'
import { tapeOf } from '../property/fixtures/tape-of.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'norn-corpus-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function storeOf(more: Partial<CorpusStoreOptions> = {}): CorpusStore {
  return new CorpusStore({ root, file: 'a.fuzz.ts', property: 'p', version: '1', ...more })
}

const METADATA: EntryMetadata = {
  ...{ by: 'other', at: 7, counted: [1, 'a'], sited: [0, ''], features: [3, 2 ** 41], happensBefore: 1, work: 9 },
  ...{ place: undefined, spans: [], products: [], operands: [], moments: [], distances: [['x', -1]] },
}

const numbers = (store: CorpusStore) =>
  store
    .load()
    .map(({ choices }) => choices.input[0]!.value as number)
    .sort((a, b) => a - b)

test('what one campaign keeps, the next one finds: the same choices, in an order that depends on them alone', () => {
  const [one, other] = [storeOf(), storeOf({ property: 'q' })]
  for (const number of [3, 1, 2]) one.add(tapeOf(number))
  for (const number of [2, 3, 1]) other.add(tapeOf(number))
  const loaded = storeOf({ version: '2' }).load()
  expect(loaded).toEqual(storeOf({ property: 'q' }).load())
  expect(loaded.map(({ name }) => name)).toEqual([1, 2, 3].map((number) => nameOf(tapeOf(number))).sort())
  for (const { name, choices } of loaded) {
    expect(nameOf(choices)).toBe(name)
    expect(choices).toEqual(tapeOf(choices.input[0]!.value as number))
  }
})

test('properties have a folder each, those of one name in two files too', () => {
  storeOf().add(tapeOf(1))
  expect(storeOf({ property: 'P!' }).load()).toEqual([])
  expect(storeOf({ file: 'b.fuzz.ts' }).load()).toEqual([])
})

test('the metadata of an entry is read by processes that search with the same code, and by no others', () => {
  const metadata = { ...METADATA, operands: [{ left: 2n ** 70n, right: undefined }] }
  storeOf({ code: 'one' }).add(tapeOf(1), metadata)
  const readBy = (code: string | undefined) => storeOf({ code }).load()[0]!.metadata
  expect(readBy('one')).toEqual(metadata)
  expect([readBy('other'), readBy(undefined)]).toEqual([undefined, undefined])
  storeOf().add(tapeOf(2), metadata)
  expect(
    storeOf({ code: 'one' })
      .load()
      .flatMap((each) => each.metadata ?? []),
  ).toEqual([metadata])
})

test('nothing is made on the disk before there is something to keep', () => {
  expect(storeOf().load()).toEqual([])
  expect(existsSync(join(root, '.norn'))).toBe(false)
})

describe('minimising', () => {
  test('removes what is not to be kept, but not what others have added since', () => {
    const [mine, theirs] = [storeOf(), storeOf()]
    const [kept] = [1, 2, 3].map((number) => mine.add(tapeOf(number)))
    theirs.add(tapeOf(4))
    mine.minimise([kept!])
    expect(numbers(storeOf())).toEqual([1, 4])
  })

  test('is at peace with another that does the same', () => {
    const [one, other] = [storeOf(), storeOf()]
    const name = one.add(tapeOf(1))!
    other.load()
    one.minimise([])
    other.minimise([])
    other.remove(name)
    expect(numbers(storeOf())).toEqual([])
  })
})

test('a look tells what others have added since the last one, each once', () => {
  const [mine, theirs] = [storeOf(), storeOf()]
  mine.add(tapeOf(1))
  const seen = () => mine.poll().map(({ choices }) => choices.input[0]!.value)
  theirs.add(tapeOf(2))
  expect(seen()).toEqual([2])
  expect(seen()).toEqual([])
  const name = theirs.add(tapeOf(3))!
  theirs.remove(name)
  expect(seen()).toEqual([])
  theirs.add(tapeOf(3))
  expect(seen()).toEqual([3])
})

describe('bounds', () => {
  test('more entries than may be kept are not added, nor read', () => {
    const store = storeOf({ maxEntries: 2 })
    expect([1, 2, 3].map((number) => store.add(tapeOf(number)) !== undefined)).toEqual([true, true, false])
    storeOf().add(tapeOf(4))
    expect(storeOf({ maxEntries: 2 }).load()).toHaveLength(2)
    store.minimise([])
    expect(store.add(tapeOf(5))).toBeDefined()
  })

  test('is not read where it is no regular file, which might have no end', () => {
    const told: string[] = []
    const store = storeOf({ onIgnored: (path, why) => told.push(`${basename(path)}: ${why}`) })
    store.add(tapeOf(1))
    const [folder, link] = [`${'0'.repeat(32)}.json`, `${'1'.repeat(32)}.json`]
    mkdirSync(join(store.folder, folder))
    symlinkSync('/dev/zero', join(store.folder, link))
    expect(numbers(store)).toEqual([1])
    expect(told).toEqual([folder, link].map((name) => `${name}: not a regular file`))
    store.minimise([nameOf(tapeOf(1))])
    expect(numbers(store)).toEqual([1])
  })

  test('nor more bytes', () => {
    const store = storeOf({ maxBytes: 3000 })
    const added = Array.from({ length: 10 }, (_, number) => store.add(tapeOf(number))).filter((name) => name)
    expect(added.length).toBeGreaterThan(0)
    expect(added.length).toBeLessThan(5)
  })
})

describe('files that are no entries are ignored, told of once, and left where they are', () => {
  const damage: [string, (text: string) => string, RegExp][] = [
    ['cut off', (text) => text.slice(0, text.length / 2), /JSON|Unterminated|Expected/],
    ['empty', () => '', /JSON/],
    ['of another kind', () => '{"format":"norn failure"}', /not a corpus entry/],
    ['null', () => 'null', /not a corpus entry/],
    ['of a later version', (text) => text.replace('"version":1', '"version":9'), /unsupported version 9/],
    ['changed by hand', (text) => text.replaceAll('open effect', 'read effect'), /content does not match its name/],
    ['with a value outside its range', (text) => text.replace('20000', '-1'), /outside its range/],
  ]

  test.each(damage)('%s', (_, damaged, why) => {
    const [first, second] = [1, 2].map((number) => join(storeOf().folder, storeOf().add(tapeOf(number))!))
    writeFileSync(first!, damaged(readFileSync(first!, 'utf8')))
    const told: [string, string][] = []
    const store = storeOf({ onIgnored: (path, why) => told.push([path, why]) })
    expect(numbers(store)).toEqual([2])
    store.poll()
    store.load()
    expect(told).toEqual([[first, expect.stringMatching(why)]])
    store.minimise([])
    expect([existsSync(first!), existsSync(second!)]).toEqual([true, false])
  })

  test('by their name, or as a folder', () => {
    const store = storeOf({ onIgnored: (path) => told.push(path) })
    const told: string[] = []
    mkdirSync(join(store.folder, nameOf(tapeOf(9))), { recursive: true })
    writeFileSync(join(store.folder, 'notes.txt'), 'mine')
    expect(store.load()).toEqual([])
    expect(told.map((path) => path.slice(store.folder.length + 1)).sort()).toEqual(
      [nameOf(tapeOf(9)), 'notes.txt'].sort(),
    )
  })
})
