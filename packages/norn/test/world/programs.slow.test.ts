import { afterAll, expect, test } from 'vitest'
import { stockRun } from './stock-answers.ts'
import { Fixture, NATURAL, random } from './workers.ts'

const open: Fixture[] = []
afterAll(() => {
  for (const fixture of open) fixture.close()
})

/** A fixture, and what its programs answer on stock Node. */
async function both(name: string): Promise<{ fixture: Fixture; stock: Map<string, unknown> }> {
  const fixture = await Fixture.open(name)
  open.push(fixture)
  return { fixture, stock: new Map(Object.entries(stockRun(name))) }
}

test.each([
  ['programs', 'operations of the pool, and AsyncLocalStorage through them,'],
  ['messages', 'messages between ports, and waits that are notified,'],
  ['threads', 'worker threads'],
])('%s: %s answer as on stock Node, under any schedule', async (name) => {
  const { fixture, stock } = await both(name)
  expect([...stock.keys()]).toEqual(fixture.names)
  for (const each of fixture.names) {
    for (const plan of [NATURAL, ...[1, 2, 3, 4, 5].map(random)]) {
      expect((await fixture.printed(each, plan))[0], each).toEqual(stock.get(each))
    }
  }
})

test('and every one of them is an operation whose latencies are drawn', async () => {
  const fixture = open[0]!
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
