/** The options `network` and `slow`: how long things take, at least and at most. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Fixture, random } from './workers.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await Fixture.open('latencies')
})
afterAll(() => fixture.close())

test('without the option, and with local, nothing takes time by default', async () => {
  const [without, local] = [await fixture.run('no option', random(1)), await fixture.run('local', random(1))]
  expect(local.traceHash).toBe(without.traceHash)
  expect(await fixture.printed('no option')).toEqual([[0, 0, 0]])
})

test('a connection takes two ways, to be accepted three, a request and its answer two', async () => {
  expect(await fixture.printed('exactly 10 ms')).toEqual([[20, 30, 40]])
  expect(await fixture.printed('10 to 30 ms')).toEqual([[20, 30, 40]])
  expect(await fixture.printed('nobody listens')).toEqual([['ECONNREFUSED', 20]])
  const { trace } = (await fixture.run('nobody listens')).explanation
  const connecting = trace.filter(({ kind }) => kind === 'connect').map(({ event, resource }) => `${event} ${resource}`)
  expect(connecting.at(-1)!.startsWith('callback ')).toBe(true)
  expect(new Set(connecting.map((each) => each.split(' ')[1])).size).toBe(1)
})

test('no latency leaves its range, and the order of a connection holds', async () => {
  const answered = new Set<number>()
  for (let seed = 1; seed <= 40; seed++) {
    const [seen] = await fixture.printed('10 to 30 ms', random(seed))
    const [connected, accepted, done] = seen as [number, number, number]
    expect(connected).toBeGreaterThanOrEqual(20)
    expect(connected).toBeLessThan(60 + 25)
    expect(accepted).toBeGreaterThanOrEqual(30)
    expect(done - connected).toBeGreaterThanOrEqual(20)
    answered.add(done)
  }
  expect(answered.size).toBeGreaterThan(5)
})

test('what every message takes at least is no delay of the schedule', async () => {
  const { choices, explanation } = await fixture.run('exactly 10 ms')
  expect(choices!.schedule.filter(({ value }) => value !== 0)).toEqual([])
  expect(explanation.trace.filter(({ delayUs }) => delayUs > 0)).toEqual([])
})

test('a host may have latencies of its own; one that nothing connected to is known', async () => {
  const result = await fixture.run('by host')
  expect(JSON.parse(result.output!)).toEqual([
    [2, 3, 4],
    [20, 30, 40],
    [20, 30, 40],
  ])
  expect(result.matched).toEqual(["network.hosts['cache.internal']"])
})

test('datagrams take the latency of the end that is named, both ways', async () => {
  expect(await fixture.printed('datagrams')).toEqual([20])
})

test('an operation is slow by its kind, its resource or its HTTP message', async () => {
  const result = await fixture.run('slow operations')
  expect(JSON.parse(result.output!)).toEqual([0, 100, 300, 50, 20])
  expect(result.matched).not.toContain("slow['GET /seets']")
  expect(result.matched).toHaveLength(4)
  const seats = new Set<number>()
  for (let seed = 1; seed <= 30; seed++)
    seats.add(((await fixture.printed('slow operations', random(seed))) as number[][])[0]![1]!)
  expect(Math.min(...seats)).toBeGreaterThanOrEqual(100)
  expect(Math.max(...seats)).toBeLessThan(300)
  expect(seats.size).toBeGreaterThan(5)
})

test('a timeout of 150 ms never fires locally, and fires for a mobile client', async () => {
  for (const { failure } of await fixture.runs('impatient, locally', 60)) expect(failure).toBeUndefined()
  const mobile = await fixture.runs('impatient, from a mobile', 60)
  const failed = mobile.filter(({ failure }) => failure !== undefined)
  expect(mobile[0]!.failure).toBeUndefined()
  expect(failed.length).toBeGreaterThan(10)
  expect(new Set(failed.map(({ failure }) => failure!.errorName))).toEqual(new Set(['TimeoutError']))
})

test.each(['local', 'datacenter', 'internet', 'mobile'])(
  'neither a keep-alive timeout nor that of a connection fires without reason: %s',
  async (network) => {
    for (const { failure, voided } of await fixture.runs(`kept alive, ${network}`, 60))
      expect({ failure, voided }).toEqual({ failure: undefined, voided: undefined })
  },
)

test('one tape gives one trace in another process', async () => {
  const other = await Fixture.open('latencies')
  for (const name of ['10 to 30 ms', 'slow operations', 'impatient, from a mobile']) {
    const plan = random(7)
    expect((await other.run(name, plan)).traceHash).toBe((await fixture.run(name, plan)).traceHash)
  }
  other.close()
})
