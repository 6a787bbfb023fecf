/** Which failures a list shows, and what the address of a page says. */
import { describe, expect, it } from 'vitest'
import { addressOf, type Filter, facetsOf, hashOf, listed } from '../../../src/report/page/browser/filter.ts'
import type { Failure, Replay } from '../../../src/report/page/data.ts'

const failure = (property: string, replay: Replay, parts: Partial<Failure> = {}): Failure => ({
  ...{ path: `.norn/failures/${property}.json`, property, file: 'a.fuzz.ts', isCluster: false, replay, replayed: '' },
  ...{ kind: 'Error', headline: 'wrong', error: '', places: [], inputTitle: '', input: '', facts: [], commands: [] },
  ...parts,
})

const FAILURES = [
  failure('gone', 'passes'),
  failure('other trace', 'fails', { kind: 'deadlock' }),
  failure('unknown', 'inconclusive', { file: 'b.fuzz.ts' }),
  failure('same trace', 'exact', { headline: "Expected null to be 'ada'" }),
]

const names = (filter: Filter) =>
  listed(FAILURES, filter).map(({ title, failures }) => [title, ...failures.map(({ property }) => property)].join(': '))

describe('the list', () => {
  it('begins with what still fails, and ends with what no longer fails', () => {
    expect(names({})).toEqual([
      'still fails: other trace: same trace',
      'inconclusive: unknown',
      'no longer fails: gone',
    ])
  })

  it('has the failures with all words, in any case and any of its texts', () => {
    expect(names({ text: 'TRACE ada' })).toEqual(['still fails: same trace'])
    expect(names({ text: 'b.fuzz' })).toEqual(['inconclusive: unknown'])
    expect(names({ text: 'nowhere' })).toEqual([])
  })

  it('has those of the property, the file, the kind and the status that are chosen', () => {
    expect(names({ status: 'failing', kind: 'deadlock' })).toEqual(['still fails: other trace'])
    expect(names({ file: 'b.fuzz.ts' })).toEqual(['inconclusive: unknown'])
    expect(names({ property: 'gone', status: '' })).toEqual(['no longer fails: gone'])
  })
})

it('a filter is offered where failures differ, with how many there are', () => {
  const facets = facetsOf(FAILURES.slice(0, 2).map((each) => ({ ...each, property: 'p' })))
  expect(facets).toEqual([
    {
      name: 'kind',
      values: [
        ['deadlock', 'deadlock', 1],
        ['Error', 'Error', 1],
      ],
    },
    {
      name: 'status',
      values: [
        ['passes', 'no longer fails', 1],
        ['failing', 'still fails', 1],
      ],
    },
  ])
})

describe('the address', () => {
  it.each<[string, Parameters<typeof hashOf>]>([
    ['#searches', [{}, {}]],
    ['#p-1/12', [{ open: 'p-1', row: 12 }, { text: '' }]],
    ['#p-1/?status=failing', [{ open: 'p-1', row: undefined }, { status: 'failing' }]],
    ['#searches?text=50+%25+%2F%3F%23&kind=deadlock', [{}, { text: '50 % /?#', kind: 'deadlock' }]],
  ])('%s keeps the failure, the step and the filter', (hash, [place, filter]) => {
    expect(hashOf(place, filter)).toBe(hash)
    const { text, ...chosen } = filter
    expect(addressOf(hash)).toEqual({ place, filter: text ? filter : chosen })
  })

  it('of no failure leaves the choice to the page', () => {
    expect(addressOf('')).toEqual({ filter: {} })
    expect(addressOf('#?text=a')).toEqual({ filter: { text: 'a' } })
    expect(addressOf('#%/x?%&other=1')).toEqual({ place: { open: '%', row: undefined }, filter: {} })
  })
})
