import { expect, test } from 'vitest'
import { Fixture, random } from './workers.ts'

test('executions in a process whose global object is frozen are inconclusive, and the process lives', async () => {
  const fixture = await Fixture.open('frozen')
  try {
    // The warm-up has frozen it.
    for (const seed of [1, 2]) {
      const { verdict, voided } = await fixture.run('the global object', random(seed))
      expect([verdict, voided?.reason.kind]).toEqual(['void', 'internal error'])
    }
  } finally {
    fixture.close()
  }
})
