import { existsSync, rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Fixture } from './workers.ts'

const LEFT = ['sqlite', 'heapsnapshot', 'json'].map((end) => `/tmp/norn-escape.${end}`)

let fixture: Fixture
beforeAll(async () => {
  for (const path of LEFT) rmSync(path, { force: true })
  fixture = await Fixture.open('voids')
})
afterAll(() => fixture.close())

test('what is not controlled voids by its name, with the line that asked for it, caught or not', async () => {
  const wrong: unknown[] = []
  for (const name of fixture.names) {
    const [what] = name.split(' <- ')
    const { verdict, voided } = await fixture.run(name)
    const named = verdict === 'void' && voided!.what.startsWith(what!)
    const placed = voided?.frames[0]?.file === 'test/world/fixtures/voids.fuzz.ts' && voided.stack.includes(voided.what)
    if (!named || !placed) wrong.push({ name, verdict, what: voided?.what, stack: voided?.stack })
  }
  expect(wrong).toEqual([])
  expect(fixture.names.length).toBeGreaterThan(50)
})

test('and nothing of it was done: no file of a database, a snapshot or a report is on the disk', () => {
  expect(LEFT.filter((path) => existsSync(path))).toEqual([])
})
