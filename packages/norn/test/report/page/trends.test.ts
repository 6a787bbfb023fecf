/** The properties of a project, with the trend of their searches. */
import { expect, it } from 'vitest'
import { trendsOf } from '../../../src/report/page/browser/trends.ts'
import type { Campaign, Failure } from '../../../src/report/page/data.ts'

const campaign = (property: string, verdict: Campaign['verdict'], executions?: number): Campaign => ({
  ...{ property, file: 'a.fuzz.ts', verdict, lines: [], doubts: [], curve: [], counted: '' },
  ...(executions === undefined ? {} : { counts: { executions, failures: 0 } }),
})
const failure = (property: string, file = 'a.fuzz.ts') => ({ property, file }) as Failure

/** The latest search of each property is its first. */
const CAMPAIGNS = [
  campaign('b', 'passed', 30),
  campaign('a', 'failed', 20),
  campaign('b', 'failed', 10),
  campaign('b', 'passed'),
]

it('has the searches that were counted, the latest last, and the latest verdict', () => {
  expect(trendsOf({ campaigns: CAMPAIGNS, failures: [] })).toMatchObject([
    { property: 'a', verdict: 'failed', searches: [{ executions: 20 }], failures: 0 },
    { property: 'b', verdict: 'passed', searches: [{ executions: 10 }, { executions: 30 }] },
  ])
})

it('begins with the properties that have failures, also those without a search', () => {
  const trends = trendsOf({ campaigns: CAMPAIGNS, failures: [failure('b'), failure('b'), failure('b', 'c.fuzz.ts')] })
  expect(trends.map(({ property, file, failures }) => [property, file, failures])).toEqual([
    ['b', 'a.fuzz.ts', 2],
    ['b', 'c.fuzz.ts', 1],
    ['a', 'a.fuzz.ts', 0],
  ])
  expect(trends[1]).toMatchObject({ verdict: undefined, searches: [] })
})

it('ends with the search under way', () => {
  const [, b] = trendsOf({ campaigns: CAMPAIGNS, failures: [] }, [campaign('b', 'searching', 5)])
  expect([b!.verdict, b!.searches.map(({ executions }) => executions)]).toEqual(['searching', [10, 30, 5]])
})
