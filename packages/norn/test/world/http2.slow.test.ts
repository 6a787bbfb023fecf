import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PROGRAMS } from './fixtures/http2.ts'
import { Fixture, random } from './workers.ts'

let [fixture, other]: Fixture[] = []
beforeAll(async () => {
  fixture = await Fixture.open('http2')
  other = await Fixture.open('http2')
})
afterAll(() => {
  fixture!.close()
  other!.close()
})

test.each(Object.entries(PROGRAMS))(
  'HTTP/2 does what it does on stock Node over loopback: %s',
  async (name, program) => {
    const { verdict, failure, voided, output } = await fixture!.run(name)
    expect({ verdict, failure, voided }).toMatchObject({ verdict: 'passed' })
    const printed = output!.trimEnd().split('\n')
    // A busy machine may answer in another order: what is held is that stock Node can print this.
    let stock: string[] = []
    for (let run = 0; run < 20 && !isDeepStrictEqual(stock, printed); run++) {
      stock = []
      await program((...values) => void stock.push(JSON.stringify(values)))
    }
    expect(printed).toEqual(stock)
  },
)

test('one tape gives one trace, in another process too, and other tapes others', async () => {
  const names = ['two requests', ...['plain', 'tls', 'duplex'].map((over) => `reset streams, ${over}`), 'a tunnel']
  const hashes = new Set<string>()
  for (const name of names) {
    for (let seed = 1; seed <= 20; seed++) {
      const { failure, voided, traceHash } = await fixture!.run(name, random(seed))
      expect({ failure, voided }).toEqual({ failure: undefined, voided: undefined })
      expect((await other!.run(name, random(seed))).traceHash).toBe(traceHash)
      hashes.add(traceHash!)
    }
  }
  expect(hashes.size).toBeGreaterThan(40)
})

test('two requests on one session are answered in both orders', async () => {
  const orders = new Set<string>()
  for (let seed = 0; seed < 50 && orders.size < 2; seed++) {
    const [answers] = await fixture!.printed('two requests', random(seed))
    orders.add((answers as string[]).join(' '))
  }
  expect([...orders].sort()).toEqual(['/a /b', '/b /a'])
})

test('a session and a server that are left open are reported', async () => {
  const { leaks } = await fixture!.run('a session left open')
  expect(leaks?.map(({ kind, what }) => `${kind}: ${what}`)).toEqual([
    'socket: a server at [::]:4000, still listening',
    expect.stringMatching(/^socket: a connection with .*:4000, still open$/),
  ])
})

test.each(['stream', 'data', 'close', 'wantTrailers', 'ping', 'goaway'])(
  'what a listener does within C++ ends the execution: %s',
  async (event) => {
    expect((await fixture!.run(`${event} throws`)).failure?.message).toBe('from C++')
    expect((await fixture!.run(`${event} exits`)).failure?.message).toBe('process.exit(3)')
    const { reason } = (await fixture!.run(`${event} refuses`)).voided!
    expect(reason).toEqual({ kind: 'uncontrolled operation', operation: 'os.setPriority' })
    // The next execution is not affected.
    expect((await fixture!.run('two requests')).verdict).toBe('passed')
  },
)
