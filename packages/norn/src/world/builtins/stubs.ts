/**
 * Stubs for requests that have no effect under the world: signals, waiting for another thread,
 * finalizers, new copies of builtins for the loader. Invariant: none reaches the real process; only
 * a wait that needs another thread makes the execution inconclusive.
 */

import nodeModule from 'node:module'
import { internalBinding } from '../../loader/internals.ts'
import type { Interceptor } from '../loop/interceptor.ts'
import { type Control, define, replaceWhileActive } from '../realm/replace.ts'

export interface StubsHost extends Control {
  /** Sleeps synchronously in virtual time. */
  sleepUs(us: number): void
  readonly isolates: { readonly isEmpty: boolean }
}

type AnyObject = Record<string, unknown>

export const stubs: Interceptor<StubsHost> = {
  name: 'stubs',
  builtins: {
    globals: {
      controlled: 'Atomics.wait FinalizationRegistry',
      note:
        '`Atomics.wait` is uncontrolled without a timeout, or beside other threads, unless it is in a loop that an async ' +
        'function calls last (piscina, tinypool). Finalizers of a `FinalizationRegistry` never run.',
    },
  },
  install: interceptStubs,
}

function interceptStubs(host: StubsHost): void {
  interceptSignals(host)
  interceptWaiting(host)
  interceptCollection(host)
  interceptSynchronization(host)
}

/** Programs may listen for signals, but none arrives: the real handle never starts. */
function interceptSignals(host: StubsHost): void {
  const { prototype } = internalBinding('signal_wrap').Signal as { prototype: AnyObject }
  const start = prototype.start as Function
  define(prototype, 'start', function (this: unknown, signal: number) {
    return host.active() ? 0 : start.call(this, signal)
  })
}

/** Nobody can wake the only thread, so its wait takes the full time. */
function interceptWaiting(host: StubsHost): void {
  const { wait } = Atomics
  define(Atomics, 'wait', (array: Int32Array, index: number, value: number, timeoutMs = Number.POSITIVE_INFINITY) => {
    if (!host.active()) return wait(array, index, value, timeoutMs)
    if (Atomics.load(array, index) !== value) return 'not-equal'
    if (timeoutMs === Number.POSITIVE_INFINITY) host.refuse('Atomics.wait without a timeout')
    if (!host.isolates.isEmpty) host.refuse('Atomics.wait beside other threads')
    host.sleepUs(timeoutMs * 1000)
    return 'timed-out'
  })
}

/**
 * Finalizers run on the real loop, between executions, where nothing is controlled. No program may
 * rely on one, so none runs.
 */
function interceptCollection(host: StubsHost): void {
  const mine = new Proxy(FinalizationRegistry, {
    construct(target, [finalize, ...rest], newTarget) {
      const callback = typeof finalize === 'function' && host.active() ? () => {} : finalize
      return Reflect.construct(target, [callback, ...rest], newTarget)
    },
  })
  define(globalThis, 'FinalizationRegistry', mine)
}

/** Programs import the loader's copies; the originals, which norn imports, stay unchanged. */
function interceptSynchronization(host: StubsHost): void {
  replaceWhileActive(host, nodeModule, 'syncBuiltinESMExports', () => {})
}
