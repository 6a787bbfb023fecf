/** Children that Node waits for within one call: races, ends, and what is not controlled. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { whatOf } from '../../src/contract/inconclusive.ts'
import { Fixture, NATURAL, random } from './workers.ts'

let fixture: Fixture

beforeAll(async () => {
  fixture = await Fixture.open('waited-children')
})
afterAll(() => fixture.close())

const own = (name: string, plan = NATURAL) => fixture.run(`norn: ${name}`, plan)

test('a race within it: some schedules fail, and a tape gives one trace in another process too', async () => {
  const other = await Fixture.open('waited-children')
  const verdicts = new Set<string>()
  for (let seed = 1; seed <= 20; seed++) {
    const { verdict, traceHash } = await own('a race within it', random(seed))
    verdicts.add(verdict)
    if (seed % 5 > 0) continue
    const again = await other.run('norn: a race within it', random(seed))
    expect([again.verdict, again.traceHash]).toEqual([verdict, traceHash])
  }
  other.close()
  expect([...verdicts].sort()).toEqual(['failed', 'passed'])
})

test('every execution counts its processes from the same id', async () => {
  for (let execution = 0; execution < 3; execution++)
    expect(await fixture.printed('norn: ids', NATURAL)).toEqual([['4243 4242\n', '4244 4242\n']])
})

test('one that never ends is no progress of its parent', async () => {
  const { failure } = await own('one that never ends')
  expect([failure?.kind, failure?.message]).toEqual(['no progress', "'node --eval' run synchronously never ended"])
})

test.each([
  ['a server of its parent', /run synchronously: a connection to 127\.0\.0\.1:\d+, where only its parent may listen$/],
  ['watched files', /^'node --eval' run synchronously by a program that watches files$/],
  ['another program', /^'node --eval' run synchronously: child process 'git' without a stand-in/],
])('what is not controlled is inconclusive by name: %s', async (name, what) => {
  expect(whatOf((await own(name)).voided!.reason)).toMatch(what)
})
