// B2(n), the second of ConFuzz's own benchmarks, for n from 1 to 5
//
// The race: three tasks each go (10 n + 20) / 2 rounds; in each a task pauses, and then appends its
// digit to one text. The text must not be a given one, in which each round has the three digits in
// a random order. Of the schedules in which the tasks keep step one in 6 ^ rounds fails:
// the comparison of the two texts is all that leads there.
//
// No input. By default the text is 123123123...
import assert from 'node:assert/strict'
import { FORBIDDEN } from './b2-texts.ts'
import { subject } from './subject.ts'

for (const [index, forbidden] of FORBIDDEN.entries()) {
  const n = index + 1
  const rounds = (10 * n + 20) / 2
  subject(`B2(${n}): the text is not the forbidden one`, {
    inputs: {},
    example: {},
    async body(_, { pause }) {
      let text = ''
      const task = async (digit: string) => {
        for (let round = 0; round < rounds; round++) {
          await pause()
          text += digit
        }
      }
      await Promise.all([task('1'), task('2'), task('3')])
      assert.ok(text !== forbidden, 'the text is the forbidden one')
    },
  })
}
