/** What an execution does to the module behind `fetch`, no later one sees. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Fixture, lines, NATURAL, random } from './workers.ts'

const LOOK = 'a look'
const PLANS = [NATURAL, random(1), random(2)]

let fixture: Fixture
let first: unknown[]

async function look(at: Fixture): Promise<unknown[]> {
  const seen: unknown[] = []
  for (const plan of PLANS) {
    const { verdict, failure, output, traceHash } = await at.run(LOOK, plan)
    seen.push([verdict, failure?.message, output, traceHash])
  }
  return seen
}

beforeAll(async () => {
  fixture = await Fixture.open('undici-state')
  first = await look(fixture)
})
afterAll(() => fixture.close())

test('all of undici works, and each execution begins with none', async () => {
  expect(first.map((each) => (each as unknown[])[0])).toEqual(['passed', 'passed', 'passed'])
  const [begun, ...seen] = lines(await fixture.run(LOOK)).map((line) => JSON.parse(line) as unknown[])
  expect(begun).toEqual(['undefined', [false, false, false]])
  const answer = (method: string) => [[method, 'mine', 'node'], true, expect.anything(), expect.any(Number)]
  for (const method of ['POST', 'PUT']) expect(seen).toContainEqual(answer(method))
  expect(seen).toContainEqual(['hi', true, false, true])
  expect(seen).toContainEqual(['error'])
})

test('whatever one leaves behind', async () => {
  const others = fixture.names.filter((name) => name !== LOOK)
  expect(others).toHaveLength(7)
  for (const name of [...others, ...others.toReversed()]) {
    await fixture.run(name)
    expect(await look(fixture), name).toEqual(first)
  }
})

test('also where it is the first to use undici', async () => {
  const other = await Fixture.open('undici-state')
  try {
    expect((await other.run('the language is patched')).output).toBe('1\n')
    expect(await look(other)).toEqual(first)
  } finally {
    other.close()
  }
})
