/** Clusters: races, and what a body may do. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { whatOf } from '../../src/contract/inconclusive.ts'
import { Fixture, NATURAL, random } from './workers.ts'

let fixture: Fixture

beforeAll(async () => {
  fixture = await Fixture.open('clusters')
})
afterAll(() => fixture.close())

test('any worker accepts from a shared socket, the same for one tape in another process', async () => {
  const verdicts = new Set<string>()
  const other = await Fixture.open('clusters')
  const name = 'norn: any worker may accept'
  for (let seed = 1; seed <= 20; seed++) {
    const { verdict, traceHash } = await fixture.run(name, random(seed))
    verdicts.add(verdict)
    if (seed % 5 === 0) expect((await other.run(name, random(seed))).traceHash).toBe(traceHash)
  }
  other.close()
  expect([...verdicts].sort()).toEqual(['failed', 'passed'])
})

test('the body may be a primary, in every execution anew', async () => {
  for (const plan of [NATURAL, ...[1, 2, 3].map(random)])
    expect(await fixture.run('norn: the body is a primary', plan)).toMatchObject({ verdict: 'passed' })
})

test('the script that runs the test is no worker', async () => {
  const { voided } = await fixture.run('norn: the script that runs the test')
  expect(whatOf(voided!.reason)).toBe(
    'child process: the script that runs this test (name your own: fork it in the body, or cluster.setupPrimary({ exec }))',
  )
})
