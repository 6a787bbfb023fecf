/** Small random histories: some of them can be ordered, some cannot. */
import type { Operation } from '../../src/history/operation.ts'
import type { ModelName } from '../../src/models/inputs.ts'

/** Numbers in [0, below), the same in every run. */
export type Random = (below: number) => number

export function randomFrom(seed: number): Random {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

type Draft = Pick<Operation, 'input' | 'output'>

/** Operations of each model, with outputs that may or may not fit; values repeat. */
const DRAFTS: Readonly<Record<ModelName, (random: Random, nth: number) => Draft>> = {
  register: (random) =>
    random(2) === 0
      ? { input: { f: 'write', value: random(3) }, output: null }
      : { input: { f: 'read' }, output: random(5) === 0 ? null : random(3) },
  'cas-register': (random) =>
    random(2) === 0
      ? { input: { f: 'cas', from: random(3), to: random(3) }, output: random(3) > 0 }
      : DRAFTS.register(random, 0),
  counter: (random) =>
    random(2) === 0
      ? { input: { f: 'add', value: 1 + random(2) }, output: null }
      : { input: { f: 'read' }, output: random(5) },
  set: (random) =>
    random(2) === 0
      ? { input: { f: random(4) === 0 ? 'remove' : 'add', value: random(3) }, output: null }
      : { input: { f: 'read' }, output: [0, 1, 2].filter(() => random(2) === 0) },
  queue: (random) =>
    random(2) === 0
      ? { input: { f: 'enqueue', value: random(4) }, output: null }
      : { input: { f: 'dequeue' }, output: random(4) === 0 ? null : random(4) },
  stack: (random) =>
    random(2) === 0
      ? { input: { f: 'push', value: random(4) }, output: null }
      : { input: { f: 'pop' }, output: random(4) === 0 ? null : random(4) },
  kv: (random) => {
    const key = random(2)
    const value = `${random(3)}`
    if (random(2) === 0) return { input: { f: random(2) === 0 ? 'put' : 'append', key, value }, output: null }
    return { input: { f: 'get', key }, output: random(2) === 0 ? value : `${random(3)}${value}` }
  },
  mutex: (random) => ({ input: { f: random(2) === 0 ? 'acquire' : 'release' }, output: null }),
}

/** At most 8 operations of 3 processes; one in six has failed or has an unknown outcome. */
export function randomHistory(name: ModelName, seed: number, draft = DRAFTS[name]): Operation[] {
  const random = randomFrom(seed)
  const length = 2 + random(7)
  const free = [0, 0, 0]
  const operations: Operation[] = []
  for (let nth = 0; nth < length; nth++) {
    const process = random(3)
    const call = free[process]! + random(3)
    const returned = call + random(8)
    const outcome = random(6) > 0 ? 'ok' : random(3) > 0 ? 'unknown' : 'fail'
    free[process] = returned + random(3)
    const { input, output } = draft(random, nth)
    operations.push({
      process,
      input,
      output: outcome === 'ok' ? output : undefined,
      outcome,
      call,
      return: outcome === 'unknown' ? Number.POSITIVE_INFINITY : returned,
    })
  }
  return operations.sort((a, b) => a.call - b.call)
}
