/** Schedules moved to the operations of another input. */
import { describe, expect, test } from 'vitest'
import { isSimplest } from '../../src/contract/choice.ts'
import { realigned } from '../../src/shrink/realign.ts'
import { choice } from '../search/fake.ts'

/** One write and one stat for each part of an input. */
const operations = (parts: number) =>
  Array.from({ length: parts }, (_, part) => [`0/${part}.1:1 write effect`, `0/${part}.1:2 stat effect`]).flat()

const drawn = (parts: number, late: Record<string, number> = {}) => ({
  schedule: operations(parts).map((label) => choice(label, late[label] ?? 0)),
  fault: [],
})

/** The delays of all candidates, by operation. */
function candidates(late: Record<string, number>, before: number, after: number) {
  const was = drawn(before, late)
  const departures = { schedule: was.schedule.filter((each) => !isSimplest(each)), fault: [] }
  return [...realigned(departures, was, drawn(after))].map(({ schedule }) =>
    Object.fromEntries(schedule.map(({ label, value }) => [label, value])),
  )
}

describe('an input with a part less', () => {
  test('a delay behind the part moves down; one before it stays; of two, either or both', () => {
    const late = { '0/1.1:1 write effect': 5, '0/3.1:2 stat effect': 9 }
    expect(candidates(late, 5, 4)).toEqual([
      { '0/1.1:1 write effect': 5, '0/3.1:2 stat effect': 9 },
      { '0/1.1:1 write effect': 5, '0/2.1:2 stat effect': 9 },
      { '0/0.1:1 write effect': 5, '0/2.1:2 stat effect': 9 },
    ])
  })

  test('a delay of an operation that is no more is dropped', () => {
    expect(candidates({ '0/0.1:1 write effect': 5 }, 3, 2)).toEqual([{ '0/0.1:1 write effect': 5 }, {}])
    expect(candidates({ '0/2.1:1 write effect': 5 }, 3, 2)).toEqual([{}, { '0/1.1:1 write effect': 5 }])
  })
})

test('an input with a part more moves delays up', () => {
  expect(candidates({ '0/0.1:1 write effect': 5 }, 1, 2)).toContainEqual({ '0/1.1:1 write effect': 5 })
})

test('choices without an operation, such as the seed of random numbers, stay', () => {
  const seed = choice('chance seed', 7, 9, 'seed')
  const late = choice('0/1.1:1 write effect', 5)
  const was = { schedule: [seed, ...drawn(2, { [late.label]: 5 }).schedule], fault: [] }
  const [first] = realigned({ schedule: [seed, late], fault: [] }, was, drawn(2))
  expect(first!.schedule).toEqual([seed, late])
})

test('where nothing departs from the default schedule there is nothing to move', () => {
  expect(candidates({}, 3, 2)).toEqual([])
})
