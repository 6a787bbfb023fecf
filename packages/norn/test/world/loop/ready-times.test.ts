import { expect, test } from 'vitest'
import { chance } from '../../../src/tape/chance.ts'
import { ReadyTimes } from '../../../src/world/loop/ready-times.ts'

interface Item {
  readyUs: number
  isBlocked: boolean
  place: number
}

test('gives what a scan of all items gives, whatever changes', () => {
  const draws = chance(1, 2)
  const below = (count: number) => Math.floor(draws.unit() * count)
  const times = new ReadyTimes<Item>()
  const items = new Set<Item>()
  for (let turn = 0; turn < 3000; turn++) {
    const known = [...items]
    const one = known[below(known.length)]
    const what = below(5)
    if (one === undefined || what < 2) {
      const item = { readyUs: below(50), isBlocked: false, place: -1 }
      items.add(item)
      times.add(item)
    } else if (what === 2) {
      items.delete(one)
      times.remove(one)
    } else if (what === 3) {
      one.readyUs = below(50)
      times.changed(one)
    } else one.isBlocked = !one.isBlocked
    const nowUs = below(50)
    const awake = [...items].filter(({ isBlocked }) => !isBlocked)
    const least = (of: Item[]) => Math.min(...of.map(({ readyUs }) => readyUs))
    expect(times.next()).toBe(least(awake))
    expect(times.next(nowUs)).toBe(least(awake.filter(({ readyUs }) => readyUs > nowUs)))
    expect(new Set(times.readyBy(nowUs))).toEqual(new Set(awake.filter(({ readyUs }) => readyUs <= nowUs)))
  }
})
