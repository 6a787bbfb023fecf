import { afterAll, beforeAll, expect, test } from 'vitest'
import { Fixture, random } from './workers.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await Fixture.open('waiting')
})
afterAll(() => fixture.close())

test.each(['beside a server', 'beside a server that has answered'])(
  'a body that waits for ever is a deadlock, although a server checks its connections: %s',
  async (name) => {
    for (const seed of [1, 2]) expect((await fixture.run(name, random(seed))).failure?.kind).toBe('deadlock')
  },
)

test('a request under way ends by the time limit of the server', async () => {
  expect((await fixture.run('for the server to end a request that never ends')).verdict).toBe('passed')
})

test('intervals of the program count', async () => {
  expect((await fixture.run('beside an interval of its own')).verdict).toBe('passed')
})

test('a handler that never answers is a deadlock', async () => {
  expect((await fixture.run('for a handler that never answers')).failure?.kind).toBe('deadlock')
})
