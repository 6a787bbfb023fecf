import { expect, test } from 'vitest'
import { FollowShare } from '../../../../src/domains/cluster/search/follow-share.ts'
import { chance } from '../../../../src/tape/chance.ts'

/** The share of executions from the 61st on that are followed, if each followed one shows so many new states. */
function shareOf(news: number): number {
  const share = new FollowShare()
  const draws = chance(1, 0)
  const followed = Array.from({ length: 2060 }, () => {
    const isFollowed = share.draw(draws)
    if (isFollowed) share.observe(news)
    return isFollowed
  })
  expect(followed.slice(0, 60)).not.toContain(false)
  return followed.slice(60).filter(Boolean).length / 2000
}

test('where new states are rare, every execution is followed', () => {
  expect(shareOf(0)).toBe(1)
  expect(shareOf(5)).toBe(1)
})

test('the more an execution shows, the fewer are followed, but at least a twentieth', () => {
  expect(shareOf(10)).toBeCloseTo(0.5, 1)
  expect(shareOf(25)).toBeCloseTo(0.2, 1)
  expect(shareOf(1000)).toBeCloseTo(0.05, 1.5)
})

test('the latest executions count: a model that runs dry is followed again', () => {
  const share = new FollowShare()
  for (let execution = 0; execution < 100; execution++) share.observe(50)
  expect(share.share).toBe(0.1)
  for (let execution = 0; execution < 200; execution++) share.observe(0)
  expect(share.share).toBe(1)
})
