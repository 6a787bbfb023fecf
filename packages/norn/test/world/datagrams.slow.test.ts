import { afterAll, beforeAll, expect, test } from 'vitest'
import { PROGRAMS } from './fixtures/datagrams.ts'
import { Fixture, random } from './workers.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await Fixture.open('datagrams')
})
afterAll(() => fixture.close())

test.each(Object.entries(PROGRAMS))(
  'datagrams do what they do on stock Node over loopback: %s',
  async (name, program) => {
    const stock: string[] = []
    await program((...values) => void stock.push(JSON.stringify(values)))
    const { verdict, failure, voided, output } = await fixture.run(name)
    expect({ verdict, failure, voided }).toMatchObject({ verdict: 'passed' })
    expect(output!.trimEnd().split('\n')).toEqual(stock)
  },
)

test('datagrams of two senders come in any order, those of one in the order sent; twice the same for one tape', async () => {
  const orders = new Set<string>()
  for (let seed = 1; seed <= 20; seed++) {
    const { failure, traceHash, output } = await fixture.run('two senders', random(seed))
    expect(failure).toBeUndefined()
    expect((await fixture.run('two senders', random(seed))).traceHash).toBe(traceHash)
    orders.add(output!)
  }
  expect(orders.size).toBeGreaterThan(1)
})

test.each([
  'a buffer without room',
  'hosts of the test',
  'groups of this machine alone',
  'a group that is joined too late',
])('%s', async (name) => {
  for (const plan of [undefined, random(1), random(2)]) {
    const { failure, voided } = await fixture.run(name, plan)
    expect({ failure, voided }).toEqual({ failure: undefined, voided: undefined })
  }
})
