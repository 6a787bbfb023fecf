import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { decode, encode, ranking } from './tags.ts'

const tag = fc.string({ minLength: 1, maxLength: 8 })

describe('tags', () => {
  let seen: Set<string>
  beforeEach(() => {
    seen = new Set()
  })

  it('are decoded as they were encoded', () => {
    fc.assert(
      fc.property(fc.array(tag), (tags) => {
        expect(decode(encode(tags))).toEqual(tags)
      }),
    )
  })

  it('are ranked by how often they occur', () => {
    fc.assert(
      fc.property(fc.array(tag), (tags) => {
        const ranked = ranking(tags)
        for (const [each, count] of ranked) {
          seen.add(each)
          expect(tags.filter((other) => other === each)).toHaveLength(count)
        }
        expect(seen).toEqual(new Set(tags))
        for (let next = 1; next < ranked.length; next++)
          expect(ranked[next]![1]).toBeLessThanOrEqual(ranked[next - 1]![1])
      }),
      { numRuns: 1000, examples: [[['a', 'b', 'a']]] },
    )
  })

  it('of nothing are none', () => {
    expect(decode('')).toEqual([])
  })
})
