/** How the isolates beside the body's end. */
import { expect, test } from 'vitest'
import { Isolates } from '../../../src/world/isolates/isolates.ts'
import { AsyncHandles } from '../../../src/world/loop/async-handles.ts'
import { Causality } from '../../../src/world/loop/causality.ts'
import { Isolate } from '../../../src/world/loop/isolate.ts'
import { Descriptors } from '../../../src/world/loop/poll-descriptors.ts'
import { POOL_THREADS, Pool } from '../../../src/world/loop/pool.ts'

function world() {
  const log: string[] = []
  const causality = new Causality()
  const pool = new Pool(() => void log.push('performed'))
  const timers = {
    nextExpiryUs: () => Number.POSITIVE_INFINITY,
    nextTimerStep: () => undefined,
    onlyIdle: () => false,
    runTimers: () => {},
    immediatesPending: () => false,
    runImmediates: () => {},
    refed: () => false,
    clear: ({ id }: Isolate) => void log.push(`timers of ${id} cleared`),
  }
  const isolates = new Isolates({
    ...{ causality, pool, handles: new AsyncHandles(), descriptors: new Descriptors(), timers },
    finish(isolate) {
      log.push(`${isolate.id} finishs`)
      isolate.exitCode ??= 0
    },
    released: ({ id, exitCode }) => void log.push(`${id} is released with ${exitCode}`),
  })
  const add = (id: number, parent = causality.main) => {
    const isolate = new Isolate(id, parent)
    isolate.isStarted = true
    isolates.add(isolate)
    return isolate
  }
  const submit = (isolate: Isolate) => {
    causality.enter(isolate)
    const operation = { kind: 'read', resource: '', effect: () => {}, complete: () => {} }
    pool.submit(operation, causality.child(), { effectUs: 0, callbackUs: 0 }, 0)
  }
  const settle = () => {
    while (isolates.settle());
    return log.splice(0)
  }
  /** The pool's threads do all they can. */
  const work = () => {
    for (let nowUs = 0; nowUs !== Number.POSITIVE_INFINITY; nowUs = pool.nextEventUs(nowUs)) pool.performDue(nowUs)
    pool.takeCompleted()
  }
  return { isolates, causality, add, submit, settle, work }
}

test('one that nothing keeps alive ends once, and its parent loses a child', () => {
  const { isolates, causality, add, settle } = world()
  add(1)
  expect([causality.main.isAwaited, isolates.isEmpty]).toEqual([true, false])
  expect(settle()).toEqual(['1 finishs', 'timers of 1 cleared', '1 is released with 0'])
  expect([causality.main.isAwaited, isolates.isEmpty, settle()]).toEqual([false, true, []])
})

test('one that has not started or that blocks does not end by itself', () => {
  const { add, settle } = world()
  add(1).isStarted = false
  add(2).isBlocked = true
  expect(settle()).toEqual([])
})

test('an operation keeps it alive; once it exits, only what a thread has taken delays its end', () => {
  const { add, submit, settle, work } = world()
  const isolate = add(1)
  for (let operation = 0; operation < POOL_THREADS + 2; operation++) submit(isolate)
  expect(settle()).toEqual([])
  isolate.exitCode = 3
  expect(settle()).toEqual(['timers of 1 cleared'])
  work()
  expect(settle()).toEqual([...Array(POOL_THREADS).fill('performed'), '1 is released with 3'])
})

test('the isolates that it started end before it, with code 1', () => {
  const { add, submit, settle } = world()
  const outer = add(1)
  const inner = add(2, outer)
  submit(inner)
  outer.exitCode = 5
  expect(settle()).toEqual(['timers of 1 cleared', 'timers of 2 cleared'])
  expect(inner.exitCode).toBe(1)
})
