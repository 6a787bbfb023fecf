/** The searches that are kept for reports: the latest, whatever the folder holds. */
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { recordedSearches, recordSearch, type SearchRecord } from '../../src/storage/search-records.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'norn-searches-'))
})
afterEach(() => rmSync(root, { recursive: true }))

const search = (endedAt: string): SearchRecord => {
  const counts = { executions: 1, failures: 0, covered: 2 }
  return { endedAt, verdict: 'passed', lines: ['1 execution'], doubts: [], curve: [[1, 2]], counted: 'states', counts }
}

it('keeps the latest searches of each property', () => {
  for (let index = 0; index < 14; index++) recordSearch(root, 'a.fuzz.ts', 'p', search(`${index}`))
  recordSearch(root, 'b.fuzz.ts', 'p', search('b'))
  const [one, other] = recordedSearches(root).sort((a, b) => a.file.localeCompare(b.file))
  expect(one!.searches.map(({ endedAt }) => endedAt)).toEqual(['4', '5', '6', '7', '8', '9', '10', '11', '12', '13'])
  expect(other).toEqual({ property: 'p', file: 'b.fuzz.ts', searches: [search('b')] })
})

it('reads nothing that it has not written', () => {
  expect(recordedSearches(root)).toEqual([])
  recordSearch(root, 'a.fuzz.ts', 'p', search('1'))
  const folder = join(root, '.norn', 'searches')
  const whole = { format: 'norn searches', version: 1, property: 'q', file: 'q.ts' }
  const texts = ['{', '1', 'null', '{}', JSON.stringify({ ...whole, version: 2, searches: [] })]
  for (const [index, text] of texts.entries()) writeFileSync(join(folder, `x${index}.json`), text)
  const counts = [null, {}, { executions: 1, failures: -1 }, { executions: 1, failures: 0, covered: 'x' }]
  const wrong = [null, 1, {}, ...[{ curve: [[1]] }, { lines: [1] }].map((part) => ({ ...search('1'), ...part }))]
  wrong.push(...counts.map((each) => ({ ...search('1'), counts: each })))
  writeFileSync(join(folder, 'y.json'), JSON.stringify({ ...whole, searches: [...wrong, search('2')] }))
  expect(recordedSearches(root).map(({ property, searches }) => [property, searches.length])).toEqual([
    ['p', 1],
    ['q', 1],
  ])
  const { counts: _, ...older } = search('3')
  writeFileSync(join(folder, 'y.json'), JSON.stringify({ ...whole, searches: [older] }))
  expect(recordedSearches(root)[1]!.searches).toEqual([older])
})

it('a folder that cannot be written is no error', () => {
  writeFileSync(join(root, '.norn'), '')
  recordSearch(root, 'a.fuzz.ts', 'p', search('1'))
  expect(recordedSearches(root)).toEqual([])
  rmSync(join(root, '.norn'))
  mkdirSync(join(root, '.norn'))
  chmodSync(join(root, '.norn'), 0o500)
  recordSearch(root, 'a.fuzz.ts', 'p', search('1'))
  chmodSync(join(root, '.norn'), 0o700)
  expect(readdirSync(join(root, '.norn')).filter((name) => name.endsWith('.tmp'))).toEqual([])
})
