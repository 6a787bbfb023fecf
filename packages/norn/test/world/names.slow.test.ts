import dns from 'node:dns'
import { hostname } from 'node:os'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askAll, askTogether, cancel, HOSTS, servers } from './fixtures/names.ts'
import { nameServer } from './name-server.ts'
import { Fixture, random } from './workers.ts'

let fixture: Fixture
let server: Awaited<ReturnType<typeof nameServer>>
beforeAll(async () => {
  server = await nameServer(HOSTS)
  fixture = await Fixture.open('names')
})
afterAll(async () => {
  server.close()
  await fixture.close()
})

async function printed(name: string): Promise<string[]> {
  const { verdict, failure, voided, output } = await fixture.run(name)
  expect({ verdict, failure, voided }).toMatchObject({ verdict: 'passed' })
  return output!.trimEnd().split('\n')
}

test.each(Object.entries({ askAll, askTogether, cancel, servers }))(
  'queries answer as on stock Node with a name server that has the same records: %s',
  async (name, program) => {
    const resolver = new dns.Resolver()
    resolver.setServers([`127.0.0.1:${server.address().port}`])
    const stock: string[] = []
    await program(resolver, (line) => stock.push(line))
    expect(await printed(name)).toEqual(stock)
  },
)

test('lookups know the names of the world only', async () => {
  const nothing = (name: string, code = -3008) => [
    name,
    `getaddrinfo ENOTFOUND ${name}`,
    { errno: code, code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: name },
  ]
  const noName = ['getnameinfo ENOTFOUND', { errno: -3008, code: 'ENOTFOUND', syscall: 'getnameinfo' }]
  expect((await printed('lookups')).map((line) => JSON.parse(line))).toEqual([
    ['localhost', '127.0.0.1', '::1'],
    ['LOCALHOST.', '127.0.0.1', '::1'],
    [hostname(), '127.0.0.1'],
    ['db.internal', '10.0.0.5'],
    ['DB.Internal', '10.0.0.5'],
    ['alias2.test', '10.0.0.1', '10.0.0.2', 'fd00::1'],
    ['bücher.test', '10.0.0.4'],
    ['full.test', '10.0.0.3', 'fd00::3'],
    nothing('gone.test'),
    nothing('dangling.test'),
    nothing('internal'),
    nothing('a b'),
    ['127.1', '127.0.0.1'],
    ['0x7f.1', '127.0.0.1'],
    ['2130706433', '127.0.0.1'],
    nothing('db.internal', -3007),
    ['db.internal', '::ffff:10.0.0.5'],
    ['full.test', 'fd00::3'],
    ['full.test', 'fd00::3', '::ffff:10.0.0.3'],
    [
      '127.1',
      'getaddrinfo EAI_ADDRFAMILY 127.1',
      { errno: -3000, code: 'EAI_ADDRFAMILY', syscall: 'getaddrinfo', hostname: '127.1' },
    ],
    ['full.test', 'fd00::3', '10.0.0.3'],
    ['two.test', '10.0.0.1', '10.0.0.2'],
    ['full.test', 'fd00::3', '10.0.0.3'],
    { hostname: 'localhost', service: 'http' },
    { hostname: 'localhost', service: 'postgresql' },
    { hostname: 'db.internal', service: '1' },
    noName,
    ['localhost', hostname()],
  ])
})

test('answers come in any order, twice the same for one tape', async () => {
  const orders = new Set<string>()
  for (let seed = 1; seed <= 20; seed++) {
    const { verdict, traceHash } = await fixture.run('the order of answers', random(seed))
    expect((await fixture.run('the order of answers', random(seed))).traceHash).toBe(traceHash)
    orders.add(verdict)
  }
  expect([...orders].sort()).toEqual(['failed', 'passed'])
})

test('a query times out when its latency is longer than all tries of the resolver', async () => {
  const name = 'a resolver gives up when an answer is late'
  const messages: string[] = []
  for (let seed = 1; seed <= 12; seed++)
    messages.push((await fixture.run(name, random(seed))).failure?.message ?? 'passed')
  expect(messages).toContainEqual(expect.stringContaining('ETIMEOUT'))
  expect(messages).toContain('passed')
})

test('servers and orders that an execution sets end with it', async () => {
  const name = 'one execution does not see what another has set'
  for (let run = 0; run < 2; run++) expect((await fixture.run(name)).failure).toBeUndefined()
})

test('a name server on the machine of the program has to be a program', async () => {
  expect((await fixture.run('nobody answers on this machine')).failure).toBeUndefined()
})
