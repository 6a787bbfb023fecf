import { afterAll, beforeAll, expect, test } from 'vitest'
import { PROGRAMS, pairOf } from './fixtures/secured.ts'
import { Fixture, random } from './workers.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await Fixture.open('secured')
})
afterAll(() => fixture.close())

const KINDS = ['rsa', 'ec']

test.each(Object.entries(PROGRAMS))('TLS does what it does on stock Node over loopback: %s', async (name, program) => {
  for (const kind of KINDS) {
    const stock: string[] = []
    await program((...values) => void stock.push(JSON.stringify(values)), pairOf(kind))
    const { verdict, failure, voided, output } = await fixture.run(`${name}, ${kind}`)
    expect({ verdict, failure, voided }).toMatchObject({ verdict: 'passed' })
    expect(output!.trimEnd().split('\n')).toEqual(stock)
  }
})

test('records come whole or in parts, alike for one tape although OpenSSL draws its own random numbers', async () => {
  const hashes = new Set<string>()
  for (const [name, kind, seeds] of [
    ...KINDS.map((kind) => ['an echo in many records', kind, 10] as const),
    ['more than the buffers hold', 'ec', 3] as const,
  ]) {
    for (let seed = 1; seed <= seeds; seed++) {
      const run = () => fixture.run(`${name}, ${kind}`, random(seed))
      const { failure, voided, traceHash } = await run()
      expect({ failure, voided }).toEqual({ failure: undefined, voided: undefined })
      for (let again = 0; again < 3; again++) expect((await run()).traceHash).toBe(traceHash)
      hashes.add(traceHash!)
    }
  }
  expect(hashes.size).toBeGreaterThan(10)
})
