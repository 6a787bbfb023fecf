import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { program, scenario } from '../../../src/cluster.ts'

test('nodes of a scenario may be a program in another language', () => {
  const lock = resolve(import.meta.dirname, '../../../../../examples/stdio/lock.py')
  const asked = scenario({ system: () => program<{ holds: number }>(['python3', lock]) }, (s) => {
    const votes = s.hold<{ type: string }>(({ message }) => message.type === 'vote')
    const request = s.request('a', 'acquire')
    s.run(50)
    expect(request.replies).toEqual([])
    s.release(votes)
    s.until(() => request.replies.length > 0)
  })
  expect(asked.state('a').holds).toBe(1)
})
