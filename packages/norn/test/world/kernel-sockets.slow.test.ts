/** The network of an execution opens no socket: the kernel's own table says so. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Counted, programs } from './fixtures/kernel-sockets.ts'
import { stockRun } from './stock-answers.ts'
import { Fixture, NATURAL, random } from './workers.ts'

let fixture: Fixture
let stock: Record<string, Counted>
beforeAll(async () => {
  stock = stockRun('kernel-sockets')
  fixture = await Fixture.open('kernel-sockets')
})
afterAll(() => fixture.close())

test.each(Object.keys(programs))('%s', async (name) => {
  const [before, during] = stock[name]!
  expect(during, 'on stock Node').toBeGreaterThan(before)
  for (const plan of [NATURAL, ...Array.from({ length: 20 }, (_, seed) => random(seed + 1))]) {
    const [[before, during]] = (await fixture.printed(name, plan)) as [Counted]
    expect(during, 'under norn').toBe(before)
  }
})
