/** `node:cluster` of an isolate: made when it is used, which listening alone does not. */
import { expect, test } from 'vitest'
import { requireInternal } from '../../../src/loader/internals.ts'
import type { Causality } from '../../../src/world/loop/causality.ts'
import type { Isolate } from '../../../src/world/loop/isolate.ts'
import { type InterceptedCluster, cluster as interceptor } from '../../../src/world/processes/node-cluster.ts'

type Cluster = typeof import('node:cluster').default

const isolates = [{}, {}] as Isolate[]
const causality = { isolate: isolates[0] } as { isolate: Isolate }
const { provides, leave } = interceptor.install({
  active: () => true,
  causality: causality as Causality,
}) as { provides: { cluster: InterceptedCluster }; leave(): void }
const mine = provides.cluster.exports as Cluster
/** What `net` and `dgram` ask. */
const asked = requireInternal<Cluster>('node:cluster')

/** Whether the module is evaluated: it then reads a variable. */
function evaluates(action: () => unknown): boolean {
  const { env } = process
  let reads = 0
  process.env = new Proxy(env, {
    get(target, name) {
      if (name === 'NODE_CLUSTER_SCHED_POLICY') reads++
      return Reflect.get(target, name)
    },
  })
  try {
    action()
    return reads > 0
  } finally {
    process.env = env
  }
}

test('who only listens needs none', () => {
  expect(evaluates(() => expect([asked.isPrimary, asked.isWorker]).toEqual([true, false]))).toBe(false)
})

test('who uses it has one until the execution ends', () => {
  expect(evaluates(() => mine.workers)).toBe(true)
  expect(evaluates(() => mine.workers)).toBe(false)
  leave()
  expect(evaluates(() => mine.workers)).toBe(true)
  leave()
})

test('what a program makes of it is asked, by its isolate alone', () => {
  Object.assign(mine, { isPrimary: false })
  expect(asked.isPrimary).toBe(false)
  causality.isolate = isolates[1]!
  expect(asked.isPrimary).toBe(true)
  causality.isolate = isolates[0]!
  leave()
  expect(asked.isPrimary).toBe(true)
})

test('a worker has the module of workers', () => {
  process.env.NODE_UNIQUE_ID = '1'
  try {
    expect([asked.isPrimary, asked.isWorker]).toEqual([false, true])
  } finally {
    delete process.env.NODE_UNIQUE_ID
    leave()
  }
})
