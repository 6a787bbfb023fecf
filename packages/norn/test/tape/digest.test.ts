import fc from 'fast-check'
import { expect, test } from 'vitest'
import { digest } from '../../src/tape/digest.ts'

test('it is 32 hexadecimal digits, the same every time', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(digest(text)).toMatch(/^[0-9a-f]{32}$/)
      expect(digest(text)).toBe(digest(text))
    }),
  )
  expect(digest('a tape')).toBe(digest(['a', 'tape'].join(' ')))
})

test('it tells a hundred thousand texts apart that differ in a digit, in each word of it', () => {
  const digests = Array.from({ length: 100_000 }, (_, n) => digest(`["input",0,100,${n}]`))
  expect(new Set(digests).size).toBe(100_000)
  for (const word of [0, 8, 16, 24]) {
    // Of so many words of 32 bits by chance one or two are alike.
    expect(new Set(digests.map((text) => text.slice(word, word + 8))).size).toBeGreaterThan(99_980)
  }
})
