import { describe, expect, test } from 'vitest'
import { PublishedCampaign } from '../microbenchmark/published/campaign.ts'
import { Runtime } from '../microbenchmark/published/runtime.ts'

/** The driver is 0 and the AppMaster 1. */
const WORKER_1 = 2
const TERMINATOR = 3

/** Picks the first of these operations that is enabled, else the first of all. */
function preferring(...operations: readonly number[]) {
  return (enabled: readonly number[]) => {
    const preferred = operations.find((operation) => enabled.includes(operation))
    return preferred === undefined ? 0 : enabled.indexOf(preferred)
  }
}

describe('the runtime of the published harness', () => {
  test('records three entries of an Execute that sends the next one, for its two scheduling points', () => {
    let points = 0
    const execute = (executes: number) => {
      points = 0
      return new Runtime({ workers: 1, executes }).execute((enabled) => {
        points++
        return preferring()(enabled)
      })
    }
    const longer = execute(8).entries.length
    const pointsOfLonger = points
    expect(longer - execute(7).entries.length).toBe(3)
    expect(pointsOfLonger - points).toBe(2)
  })

  test('queues Flush behind the Execute that waits: one inbox for all senders', () => {
    const isFound = (executes: number) =>
      new Runtime({ workers: 1, executes }).execute(preferring(TERMINATOR)).hasFailed
    // The Terminator is as fast as it can be. Before the only Execute, Flush would show the bug.
    expect([1, 2, 3].map(isFound)).toEqual([false, true, false])
  })

  test('ends after 1,000 scheduling points', () => {
    let points = 0
    new Runtime({ workers: 1, executes: 2000 }).execute((enabled) => {
      points++
      return preferring(WORKER_1)(enabled)
    })
    expect(points).toBe(1000)
  })
})

describe('the search of the published harness', () => {
  const search = (guide: 'none' | 'trace' | 'model', isRepaired: boolean, seed: number, executions = 1000) => {
    const campaign = new PublishedCampaign({ workers: 3, executes: 14, guide, isRepaired, seed })
    for (let at = 1; at <= executions; at++) if (campaign.next().hasFailed) return at
    return undefined
  }

  test('is a function of its seed', () => {
    for (const isRepaired of [false, true]) {
      expect(search('trace', isRepaired, 1)).toBe(search('trace', isRepaired, 1))
    }
  })

  test('finds the bug where chance does not, by replays that go on further than their parent', () => {
    const seeds = [1, 2, 3, 4, 5, 6]
    const found = (guide: 'none' | 'trace' | 'model', isRepaired: boolean) =>
      seeds.filter((seed) => search(guide, isRepaired, seed) !== undefined).length
    expect(found('none', false)).toBeLessThanOrEqual(1)
    expect(found('trace', false)).toBeGreaterThanOrEqual(5)
    expect(found('model', true)).toBe(6)
    expect(found('trace', true)).toBe(6)
  })
})
