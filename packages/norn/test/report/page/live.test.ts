/** A page whose search runs: how it takes in what changed. */
import { expect, it } from 'vitest'
import { keeping, merged, shownAtFirst } from '../../../src/report/page/browser/live.ts'
import type { Campaign, Failure, Live, PageData } from '../../../src/report/page/data.ts'

const LIVE: Live = { call: 'c', isOver: false, doing: 'searching', revision: 1, data: 0, actions: [], changed: [] }
const DATA = { failures: [] } as unknown as PageData

const campaign = (property: string) => ({ property }) as Campaign
const failure = (path: string, headline: string) => ({ path, headline }) as Failure

it('a report has no search under way', () => {
  expect(shownAtFirst(DATA, undefined)).toEqual({ data: DATA })
})

it('searches that changed replace what was known of them; the others stay', () => {
  const { live } = shownAtFirst(DATA, { ...LIVE, changed: [0, 1, 2].map((place) => [place, campaign(`${place}`)]) })
  const now = merged(live!, { ...LIVE, revision: 5, isOver: true, changed: [[1, campaign('new')]] })
  expect(now).toMatchObject({ revision: 5, isOver: true, isConnected: true })
  expect(now.campaigns.map(({ property }) => property)).toEqual(['0', 'new', '2'])
  expect(now.campaigns[2]).toBe(live!.campaigns[2])
})

it('a failure that is the same stays the same object, so that its view stays', () => {
  const before = { ...DATA, failures: [failure('a', 'x'), failure('b', 'x')] }
  const after = { ...DATA, failures: [failure('a', 'x'), failure('b', 'y'), failure('c', 'x')] }
  const { failures } = keeping(before, after)
  expect(failures).toEqual(after.failures)
  expect(failures.map((each, place) => each === before.failures[place])).toEqual([true, false, false])
})
