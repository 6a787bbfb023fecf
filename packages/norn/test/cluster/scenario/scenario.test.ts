import { expect, test } from 'vitest'
import { type Actor, type ActorContext, actors, type Scenario, scenario } from '../../../src/cluster.ts'

/**
 * Counts what it is sent; is asked to pass a number on, and answers when all others have
 * acknowledged it.
 */
class Counter implements Actor {
  readonly context: ActorContext
  seen: number[]
  #waiting = 0

  constructor(context: ActorContext) {
    this.context = context
    this.seen = context.durable ?? []
  }

  get state() {
    return { seen: this.seen }
  }

  onRequest(request: number, id: number): void {
    this.#waiting = this.context.nodes.length - 1
    this.context.broadcast({ type: 'count', value: request, id })
  }

  onMessage(message: { type: string; value: number; id: number }, from: string): void {
    if (message.type === 'count') {
      this.seen.push(message.value)
      this.context.persist(this.seen)
      this.context.send(from, { type: 'counted', value: message.value, id: message.id })
    } else if (--this.#waiting === 0) this.context.reply(message.id, 'done')
  }
}

const make = (context: ActorContext) => new Counter(context)
const system = () => actors({ a: make, b: make, c: make })
const begin = (options = {}): Scenario<Counter['state']> => scenario({ system, ...options })

test('left alone, everything happens in the order of time', () => {
  const s = begin()
  const request = s.request('a', 1)
  s.until(() => request.replies.length > 0)
  expect(s.nowMs).toBe(2)
  expect(s.state('b')).toEqual({ seen: [1] })
  s.end()
})

test('a message that is dropped is lost: one under way, and those sent until the rule is released', () => {
  const s = begin()
  s.request('a', 1)
  const lost = s.drop(({ to }) => to === 'b')
  s.run(10)
  s.request('a', 2)
  s.run(10)
  s.release(lost)
  s.request('a', 3)
  s.run(10)
  expect(lost.matched).toBe(2)
  expect(s.state('b').seen).toEqual([3])
  expect(s.state('c').seen).toEqual([1, 2, 3])
  s.end()
})

test('a message that is held arrives after its release, and what is behind it in its channel too', () => {
  const s = begin()
  const held = s.hold<{ value: number }>(({ to, message }) => to === 'b' && message.value === 1)
  s.request('a', 1)
  s.request('a', 2)
  s.run(100)
  expect(s.state('b').seen).toEqual([])
  expect(s.state('c').seen).toEqual([1, 2])
  s.release(held)
  s.run(0)
  expect(s.state('b').seen).toEqual([1, 2])
  s.end()
})

test('in a network without order what is behind a held message overtakes it', () => {
  const s = begin({ network: { order: 'any' } })
  const held = s.hold<{ value: number }>(({ to, message }) => to === 'b' && message.value === 1)
  s.request('a', 1)
  s.request('a', 2)
  s.run(100)
  expect(s.state('b').seen).toEqual([2])
  s.release(held)
  s.run(0)
  expect(s.state('b').seen).toEqual([2, 1])
  s.end()
})

test('what two rules hold waits for both', () => {
  const s = begin()
  s.request('a', 1)
  const [one, other] = [s.hold(({ to }) => to === 'b'), s.hold(({ to }) => to !== 'a')]
  s.release(one)
  s.run(5)
  expect(s.state('b').seen).toEqual([])
  s.release(other)
  s.run(5)
  expect(s.state('b').seen).toEqual([1])
  s.end()
})

test('a node that crashes keeps what it made durable, and nothing reaches it meanwhile', () => {
  const s = begin()
  s.request('a', 1)
  s.run(5)
  s.crash('b')
  expect(s.state('b')).toBe(undefined)
  s.request('a', 2)
  s.run(5)
  s.restart('b')
  expect(s.state('b').seen).toEqual([1])
  s.end()
})

test('across a partition nothing comes; when the world is calm again, what has to come true does', () => {
  const s = begin({ eventually: { what: 'nothing', holds: () => true } })
  s.partition(['a', 'c'])
  s.request('a', 1)
  s.run(50)
  expect(s.view.nodes.map(({ state }) => state.seen.length)).toEqual([0, 0, 1])
  s.calm()
  s.request('a', 2)
  s.run(50)
  expect(s.state('b').seen).toEqual([2])
  s.end()
})

test('time that is asked for goes by to the microsecond, though nothing happens in it', () => {
  const s = begin()
  s.run(12.5)
  s.never(({ messages }) => messages.length > 0, 0.001)
  expect(s.nowMs).toBe(12.501)
})

test('what does not come true says what was going on', () => {
  const s = begin()
  s.request('a', 1)
  s.hold(({ from, to }) => from === 'a' && to === 'b')
  s.crash('c')
  expect(() => s.until((cluster) => cluster.node('b').state.seen.length > 0)).toThrowErrorMatchingInlineSnapshot(`
    [ScenarioError: until((cluster) => cluster.node("b").state.seen.length > 0): still false, and no event is left (at 1 ms)
    last events:
      0.00 ms  a: start
      0.00 ms  b: start
      0.00 ms  c: start
      0.00 ms  request 0 reaches a: 1
      0.00 ms  a sends to b: {"type":"count","value":1,"id":0}
      0.00 ms  a sends to c: {"type":"count","value":1,"id":0}
      0.00 ms  c: crash
      1.00 ms  lost (down) from a to c: {"type":"count","value":1,"id":0}
    in flight:
      a → b: {"type":"count","value":1,"id":0}
    held by hold(({ from, to }) => from === "a" && to === "b"): 1
    down: c]
  `)
})

test('what must never be and is, says when', () => {
  const s = begin()
  s.request('a', 1)
  expect(() => s.never(({ requests }) => requests[0]!.replies.length > 0, 100)).toThrow(/it came true \(at 2 ms\)/)
})

test('a rule that picked nothing is told in the end', () => {
  const s = begin()
  s.drop<{ type: string }>(({ message }) => message.type === 'cuont')
  s.request('a', 1)
  s.run(10)
  expect(() => s.end()).toThrow(/no message of the scenario matched\n {2}drop\(.*cuont.*\)\n/)
})

test('a wait has an end where messages go round for ever in no time', () => {
  const echo = (context: ActorContext): Actor => ({
    onStart: () => context.send(context.id, 0),
    onMessage: () => context.send(context.id, 0),
  })
  const s = scenario({ system: () => actors({ a: echo }), network: { latencyMs: 0 } })
  expect(() => s.until(() => false)).toThrow(/not within 100000 events/)
})

test('a node that sets a real timer is told how to set one', () => {
  const sleepy = (): Actor => ({ onMessage: () => void setTimeout(() => {}, 1) })
  const s = scenario({ system: () => actors({ a: make, b: sleepy }) })
  s.request('a', 1)
  expect(() => s.run(5)).toThrow(/setTimeout was called inside a cluster/)
  expect(setTimeout.name).toBe('setTimeout')
})

test('a call that makes no sense is refused', () => {
  const s = begin()
  expect(() => s.restart('a')).toThrow(/restart\('a'\): it is up/)
  expect(() => s.crash('x')).toThrow(/there is no node 'x'/)
  expect(() => s.timeout('a')).toThrow(/it has set no such timer/)
  expect(() => s.heal()).toThrow(/the network is whole/)
  expect(() => s.partition([])).toThrow(/some nodes must be on either side/)
  expect(() => s.run(Number.NaN)).toThrow(/NaN is not a number of milliseconds/)
  expect(() => s.drop('b' as never)).toThrow(/predicate must be a function/)
  expect(() => begin({ steps: 0 })).toThrow(/`steps` must be an integer/)
})

test('the same calls give the same log, with a body and without', () => {
  const story = (s: Scenario) => {
    s.request('a', 1)
    s.drop(({ to }) => to === 'c')
    s.run(10)
    s.crash('b')
  }
  const one = begin({ seed: 7 })
  story(one)
  one.end()
  expect(scenario({ system, seed: 7 }, story).log).toEqual(one.log)
})
