import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Causality } from '../../../src/world/loop/causality.ts'
import { OPERATION_US, POOL_THREADS, Pool } from '../../../src/world/loop/pool.ts'

interface Late {
  readonly effectUs?: number
  readonly callbackUs?: number
}

/**
 * A pool whose happenings are written down, and a way to run it to its end by events, as the loop
 * does.
 */
function recorded() {
  const happened: string[] = []
  const causality = new Causality()
  const pool = new Pool((task) => happened.push(`effect ${task.operation.kind}`))
  const submit = (
    kind: string,
    { effectUs = 0, callbackUs = 0 }: Late = {},
    nowUs = 0,
    effect: () => unknown = () => kind,
  ) =>
    pool.submit({ kind, resource: '', effect, complete: () => {} }, causality.child(), { effectUs, callbackUs }, nowUs)
  const runAll = (): number => {
    let nowUs = 0
    while (pool.pending > 0) {
      nowUs = pool.nextEventUs()
      pool.performDue(nowUs)
      for (const { operation } of pool.takeCompleted()) happened.push(`callback ${operation.kind}`)
    }
    return nowUs
  }
  return { pool, happened, submit, runAll }
}

test('without latencies everything happens in the order of submission, one operation after the other', () => {
  const { happened, submit, runAll } = recorded()
  for (const kind of ['a', 'b', 'c']) submit(kind)
  expect(runAll()).toBe(OPERATION_US)
  expect(happened).toEqual(['effect a', 'effect b', 'effect c', 'callback a', 'callback b', 'callback c'])
})

describe('latencies', () => {
  test('a late effect is overtaken', () => {
    const { happened, submit, runAll } = recorded()
    submit('a', { effectUs: 1 })
    submit('b')
    runAll()
    expect(happened).toEqual(['effect b', 'callback b', 'effect a', 'callback a'])
  })

  test('a late callback is overtaken, after its effect was on time', () => {
    const { happened, submit, runAll } = recorded()
    submit('a', { callbackUs: 100 })
    submit('b')
    expect(runAll()).toBe(OPERATION_US + 100)
    expect(happened).toEqual(['effect a', 'effect b', 'callback b', 'callback a'])
  })

  test('what is torn is half done at its time, and done later; one that fails at once is not', () => {
    const { pool, happened, runAll } = recorded()
    const tear = (begin: (part: number) => void) =>
      pool.submit(
        {
          kind: 'a',
          resource: '',
          effect: () => happened.push('rest'),
          complete: () => {},
          divided: { places: 3, begin },
        },
        new Causality().child(),
        { effectUs: 10, callbackUs: 0, tear: { us: 100, place: 2 } },
        0,
      )
    tear((part) => happened.push(`first ${part}`))
    expect(runAll()).toBe(OPERATION_US + 110)
    expect(happened.splice(0)).toEqual(['first 2', 'effect a', 'rest', 'effect a', 'callback a'])
    tear(() => {
      throw new Error('not there')
    })
    expect(runAll()).toBe(OPERATION_US + 10)
    expect(happened).toEqual(['effect a', 'callback a'])
  })

  test('they count from submission, whenever that was', () => {
    const { pool, submit } = recorded()
    submit('a', { effectUs: 30, callbackUs: 5 }, 1000)
    expect(pool.nextEventUs()).toBe(1030 + OPERATION_US)
    pool.performDue(5000)
    expect(pool.nextEventUs()).toBe(1035 + OPERATION_US)
  })
})

describe('four threads', () => {
  test('the fifth operation starts when a thread is free, in the order of submission', () => {
    const { pool, submit, happened, runAll } = recorded()
    for (const kind of ['a', 'b', 'c', 'd']) submit(kind, { effectUs: kind === 'c' ? 100 : 1000 })
    for (const kind of ['e', 'f']) submit(kind)
    expect(pool.tasks.map(({ state }) => state)).toEqual([
      ...Array.from({ length: POOL_THREADS }, () => 'running'),
      'queued',
      'queued',
    ])
    runAll()
    expect(happened.filter((text) => text.startsWith('effect'))).toEqual(
      ['c', 'e', 'f', 'a', 'b', 'd'].map((kind) => `effect ${kind}`),
    )
  })

  test('a thread is held until the completion is posted: the fifth calls back after the one that made room for it', () => {
    const { submit, happened, runAll } = recorded()
    for (const kind of ['a', 'b', 'c', 'd']) submit(kind, { callbackUs: kind === 'b' ? 5000 : 10_000 })
    submit('e')
    runAll()
    expect(happened.filter((text) => text.startsWith('callback'))).toEqual(
      ['b', 'e', 'a', 'c', 'd'].map((kind) => `callback ${kind}`),
    )
    expect(happened.indexOf('effect e')).toBeGreaterThan(happened.indexOf('effect d'))
  })

  test('an operation that waited takes its time from when it started', () => {
    const { pool, submit } = recorded()
    for (const kind of ['a', 'b', 'c', 'd', 'e']) submit(kind)
    pool.performDue(OPERATION_US)
    expect(pool.tasks[4]).toMatchObject({ state: 'running', atUs: 2 * OPERATION_US })
  })
})

test('what an effect throws is the error of its operation alone', () => {
  const { pool, submit } = recorded()
  submit('a', {}, 0, () => {
    throw new Error('no such file')
  })
  submit('b')
  pool.performDue(OPERATION_US)
  const [a, b] = pool.takeCompleted()
  expect(a).toMatchObject({ failed: true, error: new Error('no such file'), result: undefined })
  expect(b).toMatchObject({ failed: false, result: 'b' })
})

test('nothing is due in an idle pool, and a reset makes it one', () => {
  const { pool, submit } = recorded()
  expect(pool.nextEventUs()).toBe(Number.POSITIVE_INFINITY)
  submit('a')
  pool.reset()
  expect([pool.pending, pool.nextEventUs()]).toEqual([0, Number.POSITIVE_INFINITY])
})

test('for any latencies: each operation has one effect, then one callback; never more than four run', () => {
  const operation = fc.record({ effectUs: fc.nat(300), callbackUs: fc.nat(300) })
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 15 }), (operations) => {
      const { pool, submit, happened, runAll } = recorded()
      operations.forEach((late, index) => {
        submit(`${index}`, late)
        expect(pool.tasks.filter(({ state }) => state === 'running').length).toBeLessThanOrEqual(POOL_THREADS)
      })
      runAll()
      expect(happened.length).toBe(2 * operations.length)
      operations.forEach((_, index) => {
        const effect = happened.indexOf(`effect ${index}`)
        expect(effect).toBeGreaterThanOrEqual(0)
        expect(happened.indexOf(`callback ${index}`)).toBeGreaterThan(effect)
      })
    }),
    { seed: 1 },
  )
})

test('what waits in the queue costs nothing while it waits', () => {
  const { submit, happened, runAll } = recorded()
  for (let i = 0; i < 100_000; i++) submit('a')
  runAll()
  expect(happened.length).toBe(200_000)
})

test('slow I/O takes half of the threads, and gives way to what is queued behind it', () => {
  const { pool, happened, runAll } = recorded()
  const causality = new Causality()
  const submit = (kind: string, slow?: true) => {
    const operation = { kind, resource: '', effect: () => kind, complete: () => {}, ...(slow && { slow }) }
    pool.submit(operation, causality.child(), { effectUs: 0, callbackUs: 0 }, 0)
  }
  for (const kind of ['a', 'b', 'c', 'd']) submit(kind, true)
  submit('e')
  expect(pool.pending).toBe(5)
  expect(pool.tasks.map(({ operation }) => operation.kind)).toEqual(['a', 'b', 'e', 'c', 'd'])
  runAll()
  const callbacks = happened.filter((what) => what.startsWith('callback'))
  expect(callbacks).toEqual(['a', 'b', 'e', 'c', 'd'].map((kind) => `callback ${kind}`))
})
