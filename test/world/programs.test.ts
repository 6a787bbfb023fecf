import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Fixture, NATURAL, random } from './workers.ts'

let fixture: Fixture
let stock: Map<string, unknown>
beforeAll(async () => {
  fixture = await Fixture.open('programs')
  const script = fileURLToPath(new URL('./fixtures/stock.ts', import.meta.url))
  const printed = execFileSync(process.execPath, ['--no-warnings', script], { encoding: 'utf8', timeout: 30_000 })
  const answers = printed.trim().split('\n')
  stock = new Map(answers.map((line) => JSON.parse(line) as [string, unknown]))
}, 40_000)
afterAll(() => fixture.close())

test('operations of the pool, and AsyncLocalStorage through them, answer as on stock Node, under any schedule', async () => {
  expect([...stock.keys()]).toEqual(fixture.names)
  for (const name of fixture.names) {
    for (const plan of [NATURAL, ...[1, 2, 3, 4, 5].map(random)]) {
      expect((await fixture.printed(name, plan))[0], name).toEqual(stock.get(name))
    }
  }
}, 30_000)

test('and every one of them is an operation whose latencies are drawn', async () => {
  const kinds = new Set<string>()
  for (const name of fixture.names) {
    const { explanation, choices } = await fixture.run(name, random(3))
    for (const { event, kind, label } of explanation.trace) {
      if (event !== 'submit') continue
      kinds.add(kind)
      for (const point of ['effect', 'callback']) {
        expect(choices!.schedule.some((choice) => choice.label === `${label} ${kind} ${point}`)).toBe(true)
      }
    }
  }
  for (const kind of [
    'zlib',
    'BrotliEncoder',
    'PBKDF2',
    'Scrypt',
    'HKDF',
    'CheckPrime',
    'randomBytes',
    'lookup',
    'Sign',
  ]) {
    expect(kinds).toContain(kind)
  }
})
