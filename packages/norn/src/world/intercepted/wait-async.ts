/**
 * Intercepts `Atomics.waitAsync` and `Atomics.notify`: with one thread, waiters and notifiers are
 * both here.
 *
 * Follows V8's src/execution/futex-emulation.cc: waiters at a place wake in order; one task
 * resolves all that are notified before the platform runs it; a delayed task, a libuv timer in
 * whole milliseconds that does not keep the loop alive, resolves a timeout. V8 validates the
 * arguments: `waitAsync` with timeout 0 has no effect, and nobody waits natively.
 */
import { type Activity, define } from '../replace.ts'
import type { Platform } from './platform.ts'

interface Waiter {
  readonly buffer: ArrayBufferLike
  /** In bytes. */
  readonly offset: number
  readonly resolve: (how: 'ok' | 'timed-out') => void
  timer: NodeJS.Timeout | undefined
}

type Elements = Int32Array | BigInt64Array

/** Returns a function that forgets all waiters. */
export function interceptWaitAsync(host: Activity, platform: Platform): () => void {
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
      const judged = waitAsync(array, index, value, 0)
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
    const notified = waiting.filter((each) => each.buffer === buffer && each.offset === offset && left-- > 0)
    if (notified.length === 0) return natively
    waiting = waiting.filter((each) => !notified.includes(each))
    for (const { timer } of notified) clearTimeout(timer)
    if (woken.length === 0) platform.post('notify', '', wake)
    woken.push(...notified)
    return notified.length
  })

  const wake = () => {
    for (const { resolve } of woken.splice(0)) resolve('ok')
  }

  return () => {
    waiting = []
    woken = []
  }
}
