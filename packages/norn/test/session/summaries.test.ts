import { expect, test } from 'vitest'
import { addSummaries, NOTHING_RUN } from '../../src/session/summaries.ts'

test('an option or a kind of fault is told as unused only if no worker used it', () => {
  const one = { ...NOTHING_RUN, executions: 5, unmatched: ['a', 'b'], uninjected: ['resets', 'fs'] as const }
  const other = { ...NOTHING_RUN, executions: 5, unmatched: ['b', 'c'], uninjected: ['fs'] as const }
  const none = { ...NOTHING_RUN, executions: 5 }
  expect(addSummaries(one, other)).toMatchObject({ unmatched: ['b'], uninjected: ['fs'] })
  expect(addSummaries(NOTHING_RUN, one)).toMatchObject({ unmatched: ['a', 'b'], uninjected: ['resets', 'fs'] })
  expect(addSummaries(one, NOTHING_RUN)).toMatchObject({ unmatched: ['a', 'b'] })
  for (const both of [addSummaries(one, none), addSummaries(none, one)]) {
    expect(both).not.toHaveProperty('unmatched')
    expect(both).not.toHaveProperty('uninjected')
  }
})
