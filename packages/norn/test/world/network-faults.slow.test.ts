/** Faults of the network, but for severed connections: what the program sees, and how they are drawn. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Choice } from '../../src/contract/choice.ts'
import { NO_CHOICES } from '../../src/contract/choices.ts'
import type { Plan } from '../../src/contract/plan.ts'
import { Fixture, NATURAL, random } from './workers.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await Fixture.open('network-faults')
})
afterAll(() => fixture.close())

const withFaults = (...fault: Choice[]): Plan => ({
  input: { from: 'tape' },
  choices: { from: 'record', choices: { ...NO_CHOICES, fault } },
})

const points = async (name: string) => (await fixture.run(name)).choices!.fault

test('nothing is drawn for a kind without a budget', async () => {
  for (const plan of [NATURAL, random(1), random(2)]) {
    const [off, on] = [await fixture.run('connections', plan), await fixture.run('connections, other faults', plan)]
    expect(on.choices!.fault).toEqual([])
    expect([on.traceHash, on.output]).toEqual([off.traceHash, off.output])
  }
})

test('each connection that a server would accept may be refused, but not within withoutFaults', async () => {
  const drawn = (await points('connections, refused')).map(({ alias, max }) => [alias, max])
  expect(drawn).toEqual([
    ['connect 127.0.0.1:4000 1', 2],
    ['connect 127.0.0.1:4000 2', 2],
  ])
})

test('a refusal is the error that Node gives: at once, or after 127 seconds', async () => {
  const [first, second] = await points('connections, refused')
  const name = 'connections, refused'
  const [refused] = await fixture.printed(name, withFaults({ ...first!, value: 1 }))
  expect(refused).toEqual({
    name: 'Error',
    message: 'connect ECONNREFUSED 127.0.0.1:4000',
    code: 'ECONNREFUSED',
    errno: -111,
    syscall: 'connect',
    address: '127.0.0.1',
    ms: 0,
  })
  const [lost, then] = await fixture.printed(name, withFaults({ ...first!, value: 2 }))
  expect(lost).toMatchObject({ message: 'connect ETIMEDOUT 127.0.0.1:4000', errno: -110, ms: 127_000 })
  expect(then).toBe('connected')
  // Of two addresses, the other one is tried.
  expect(await fixture.printed(name, withFaults({ ...second!, value: 1 }))).toEqual(['connected', 'connected'])
})

test('a refused connection is told of by where it was to go, from its call to its end', async () => {
  const [first] = await points('connections, refused')
  const { explanation } = await fixture.run('connections, refused', withFaults({ ...first!, value: 1 }))
  const { trace } = explanation
  const label = trace.find(({ event }) => event === 'fault')!.label
  const of = trace.filter((each) => each.label === label).map(({ event, resource }) => `${event} ${resource}`)
  expect(of.at(-1)).toBe('callback 127.0.0.1:4000')
  expect(new Set(of.map((each) => each.split(' ')[1]))).toEqual(new Set(['127.0.0.1:4000']))
})

test('a budget of two refuses two attempts', async () => {
  const [first, second] = await points('connections, refused twice')
  const plan = withFaults({ ...first!, value: 1 }, { ...second!, value: 1 })
  const { faults, choices } = await fixture.run('connections, refused twice', plan)
  expect(faults).toMatchObject([
    { kind: 'refusals', operation: 'connect', resource: '127.0.0.1:4000', fault: 'ECONNREFUSED' },
    { kind: 'refusals', operation: 'connect', resource: '127.0.0.1:4000', fault: 'ECONNREFUSED' },
  ])
  expect(choices!.fault).toHaveLength(2)
})

test('a lookup that asks a name server fails for the time being, as getaddrinfo and c-ares tell it', async () => {
  const drawn = await points('lookups')
  expect(drawn.map(({ alias }) => alias)).toEqual([
    'lookup db.internal 1',
    'lookupService 10.0.0.5 80 1',
    'queryA db.internal 1',
    'getHostByAddr 10.0.0.5 1',
  ])
  const errors = []
  for (const [index, choice] of drawn.entries())
    errors.push((await fixture.printed('lookups', withFaults({ ...choice, value: 1 })))[index])
  expect(errors).toEqual([
    {
      name: 'Error',
      message: 'getaddrinfo EAI_AGAIN db.internal',
      code: 'EAI_AGAIN',
      errno: -3001,
      syscall: 'getaddrinfo',
      hostname: 'db.internal',
    },
    expect.objectContaining({ code: 'EAI_AGAIN', syscall: 'getnameinfo' }),
    expect.objectContaining({ message: 'queryA ESERVFAIL db.internal', code: 'ESERVFAIL', syscall: 'queryA' }),
    expect.objectContaining({ code: 'ESERVFAIL', syscall: 'getHostByAddr' }),
  ])
})

test('a datagram is lost, comes twice, or behind the next one', async () => {
  const [first, second, third] = await points('datagrams, 1 fault')
  const seen = async (choice: Choice, value: number) =>
    (await fixture.printed('datagrams, 1 fault', withFaults({ ...choice, value })))[0]
  expect([await seen(first!, 1), await seen(second!, 1), await seen(third!, 1)]).toEqual(['bc', 'ac', 'ab'])
  expect([await seen(first!, 2), await seen(third!, 2)]).toEqual(['aabc', 'abcc'])
  expect([await seen(first!, 3), await seen(second!, 3), await seen(third!, 3)]).toEqual(['bac', 'acb', 'abc'])
})

test('no datagram is invented, and each arrives twice at most; one tape, one trace', async () => {
  const other = await Fixture.open('network-faults')
  const orders = new Set<string>()
  for (let seed = 1; seed <= 60; seed++) {
    const [one, two] = await Promise.all(
      [fixture, other].map(({ worker }) =>
        worker.execute(fixture.property('datagrams, 3 faults'), { ...random(seed), detailed: true }),
      ),
    )
    expect(two!.traceHash).toBe(one!.traceHash)
    const order = JSON.parse(one!.output!) as string
    expect(order).toMatch(/^[abc]*$/)
    for (const each of 'abc') expect(order.split(each).length - 1).toBeLessThanOrEqual(2)
    if ((one!.faults ?? []).length === 0) expect(order).toBe('abc')
    orders.add(order)
  }
  other.close()
  expect(orders.size).toBeGreaterThan(5)
})

test.each(['connections, refused', 'lookups', 'datagrams, 1 fault'])(
  'a fault that is allowed and not injected changes nothing: %s',
  async (name) => {
    const plain = { connections: 'connections', datagrams: 'datagrams' }[name.split(',')[0]!]
    const { faults, choices, traceHash } = await fixture.run(name)
    expect(faults).toEqual([])
    expect(choices!.fault.length).toBeGreaterThan(0)
    if (plain !== undefined) expect(traceHash).toBe((await fixture.run(plain)).traceHash)
  },
)
