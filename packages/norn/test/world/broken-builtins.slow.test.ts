import { afterAll, beforeAll, expect, test } from 'vitest'
import { Fixture, NATURAL } from './workers.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await Fixture.open('broken-builtins')
})
afterAll(() => fixture.close())

const TWICE = [1, 2]

test.each(['defines constants on the global object', 'breaks maps', 'breaks the iteration of arrays'])(
  'a program that %s passes, however often',
  async (name) => {
    for (const _ of TWICE) expect(await fixture.run(name, NATURAL)).toMatchObject({ verdict: 'passed' })
  },
)

test('what norn cannot do without is void, by name and line, and the next execution is as ever', async () => {
  for (const _ of TWICE) {
    expect(await fixture.run('breaks what norn needs while it runs', NATURAL)).toMatchObject({
      verdict: 'void',
      voided: {
        reason: { kind: 'internal error', message: 'broken' },
        frames: [{ file: expect.stringContaining('broken-builtins') }],
      },
    })
    expect(await fixture.run('is fine', NATURAL)).toMatchObject({ verdict: 'passed' })
  }
})

test('a thread that breaks iteration is void, and does not break the stack of async hooks', async () => {
  for (const _ of TWICE) {
    expect(await fixture.run('breaks iteration in a thread', NATURAL)).toMatchObject({
      verdict: 'void',
      voided: { reason: { kind: 'internal error' } },
    })
    expect(await fixture.run('is fine', NATURAL)).toMatchObject({ verdict: 'passed' })
  }
})
