/**
 * Intercepts `Atomics.waitAsync` and `Atomics.notify`: with one thread, waiters and notifiers are
 * both here.
 *
 * Follows V8's src/execution/futex-emulation.cc: waiters at a place wake in order; one task
 * resolves all that are notified before the platform runs it; a delayed task, a libuv timer in
 * whole milliseconds that does not keep the loop alive, resolves a timeout. V8 validates the
 * arguments: `waitAsync` with timeout 0 has no effect, and nobody waits natively.
 */

import { giveWayIn } from '../../loader/blocking-waits.ts'
import type { AsyncHandles } from '../loop/async-handles.ts'
import type { Causality } from '../loop/causality.ts'
import type { Interceptor } from '../loop/interceptor.ts'
import type { Isolate } from '../loop/isolate.ts'
import type { Pool } from '../loop/pool.ts'
import { withoutHooks } from '../realm/callback-scope.ts'
import { type Activity, define } from '../realm/replace.ts'
import type { Platform } from './platform.ts'

interface Waiter {
  readonly buffer: ArrayBufferLike
  /** In bytes. */
  readonly offset: number
  readonly resolve: (how: 'ok' | 'timed-out') => void
  timer: NodeJS.Timeout | undefined
  /** Whether a thread blocks in it. */
  readonly isBlocking?: boolean
}

export interface WaitsHost extends Activity {
  readonly causality: Causality
  nowUs(): number
  readonly pool: Pool
  readonly handles: AsyncHandles
  readonly platform: Platform
  readonly ports: { wakeAll(isolate: Isolate): void }
}

type Elements = Int32Array | BigInt64Array

/**
 * Whether a waiter waits at a place. Each thread has its own object for shared memory: a change that
 * shows in both tells, and no other thread can see it.
 */
function isSamePlace(waiter: Waiter, buffer: ArrayBufferLike, offset: number): boolean {
  if (waiter.offset !== offset) return false
  if (waiter.buffer === buffer || waiter.buffer.byteLength !== buffer.byteLength) return waiter.buffer === buffer
  const [mine, theirs] = [new Uint8Array(buffer, offset, 1), new Uint8Array(waiter.buffer, offset, 1)]
  const before = mine[0]!
  mine[0] = before ^ 1
  const shows = theirs[0] === (before ^ 1)
  mine[0] = before
  return shows && theirs[0] === before
}

export const waitAsync: Interceptor<WaitsHost> = {
  name: 'Atomics.waitAsync',
  builtins: {
    globals: { controlled: 'Atomics.waitAsync Atomics.notify' },
  },
  install: (host) => ({ leave: interceptWaitAsync(host) }),
}

/** Returns a function that forgets all waiters. */
function interceptWaitAsync(host: WaitsHost): () => void {
  const { platform } = host
  /** The isolate goes on: what waited for it may run. */
  const goesOn = (isolate: Isolate) => {
    host.pool.release(isolate)
    host.handles.release(isolate)
    host.ports.wakeAll(isolate)
  }
  const atomics = Atomics as unknown as Record<'waitAsync' | 'notify', Function>
  const { waitAsync, notify } = atomics
  let waiting: Waiter[] = []
  let woken: Waiter[] = []

  const place = (array: Elements, index: number) => ({
    buffer: array.buffer,
    offset: array.byteOffset + Number(index) * array.BYTES_PER_ELEMENT,
  })

  define(
    atomics,
    'waitAsync',
    function (this: unknown, ...args: [Elements, number, number | bigint, timeout?: number]) {
      if (!host.active()) return Reflect.apply(waitAsync, this, args)
      const [array, index, value, timeout] = args
      const judged = withoutHooks(() => waitAsync(array, index, value, 0))
      const timeoutMs = timeout === undefined || Number.isNaN(+timeout) ? Number.POSITIVE_INFINITY : +timeout
      if (judged.value === 'not-equal' || timeoutMs <= 0) return judged
      const promise = new Promise((resolve) => {
        const waiter: Waiter = { ...place(array, index), resolve, timer: undefined }
        waiting.push(waiter)
        if (timeoutMs === Number.POSITIVE_INFINITY) return
        const expire = () => {
          waiting = waiting.filter((each) => each !== waiter)
          resolve('timed-out')
        }
        waiter.timer = setTimeout(expire, Math.round(timeoutMs)).unref()
      })
      return { async: true, value: promise }
    },
  )

  define(atomics, 'notify', function (this: unknown, ...args: [Elements, number, count?: number]) {
    const natively = Reflect.apply(notify, this, args)
    if (!host.active()) return natively
    const { buffer, offset } = place(args[0], args[1])
    let left = args[2] === undefined ? Number.POSITIVE_INFINITY : Math.max(0, Math.trunc(Number(args[2])))
    const notified = waiting.filter((each) => isSamePlace(each, buffer, offset) && left-- > 0)
    if (notified.length === 0) return natively
    waiting = waiting.filter((each) => !notified.includes(each))
    for (const { timer } of notified) clearTimeout(timer)
    for (const { isBlocking, resolve } of notified) if (isBlocking) resolve('ok')
    const asynchronous = notified.filter(({ isBlocking }) => !isBlocking)
    if (asynchronous.length === 0) return notified.length
    if (woken.length === 0) platform.post('notify', '', wake)
    woken.push(...asynchronous)
    return notified.length
  })

  // A thread that blocks in a function that can give way.
  giveWayIn(([array, index, value, timeout], resume) => {
    const { isolate, main } = host.causality
    if (!host.active() || isolate === main) return Atomics.wait(array, index, value, timeout)
    const judged = waitAsync(array, index, value, 0)
    const timeoutMs = timeout === undefined || Number.isNaN(+timeout) ? Number.POSITIVE_INFINITY : +timeout
    if (judged.value === 'not-equal' || timeoutMs <= 0) return judged.value
    let isOver = false
    const end = (how: 'ok' | 'timed-out', atUs?: number) => {
      platform.unblock(
        isolate,
        () => {
          if (isOver) return
          isOver = true
          waiting = waiting.filter((each) => each !== waiter)
          isolate.isBlocked = false
          goesOn(isolate)
          resume(how)
        },
        atUs,
      )
    }
    const waiter: Waiter = { ...place(array, index), resolve: end, isBlocking: true, timer: undefined }
    waiting.push(waiter)
    if (timeoutMs < Number.POSITIVE_INFINITY) end('timed-out', host.nowUs() + timeoutMs * 1000)
    isolate.isBlocked = true
    return undefined
  })

  const wake = () => {
    for (const { resolve } of woken.splice(0)) resolve('ok')
  }

  return () => {
    if (waiting.length > 0) waiting = []
    if (woken.length > 0) woken = []
  }
}
