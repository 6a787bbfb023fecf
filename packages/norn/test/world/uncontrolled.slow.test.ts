import { existsSync, rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { whatOf } from '../../src/contract/inconclusive.ts'
import { Fixture } from './workers.ts'

const LEFT = ['sqlite', 'heapsnapshot', 'json'].map((end) => `/tmp/norn-escape.${end}`)

let fixture: Fixture
beforeAll(async () => {
  for (const path of LEFT) rmSync(path, { force: true })
  fixture = await Fixture.open('uncontrolled')
})
afterAll(() => fixture.close())

test('an uncontrolled operation is reported by name, with its source line, caught or not', async () => {
  const wrong: unknown[] = []
  for (const name of fixture.names) {
    const [what] = name.split(' <- ')
    const { verdict, voided } = await fixture.run(name)
    const told = voided === undefined ? '' : whatOf(voided.reason)
    const named = verdict === 'void' && told.startsWith(what!)
    const placed =
      voided?.frames[0]?.file === 'packages/norn/test/world/fixtures/uncontrolled.fuzz.ts' &&
      voided.stack.includes(told)
    if (!named || !placed) wrong.push({ name, verdict, voided })
  }
  expect(wrong).toEqual([])
  expect(fixture.names.length).toBeGreaterThan(35)
})

test('and it has no effect: no file of a database, a snapshot or a report is on the disk', () => {
  expect(LEFT.filter((path) => existsSync(path))).toEqual([])
})
