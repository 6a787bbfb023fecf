/**
 * Stubs for what a program may ask for although nothing can come of it under the world: signals, waiting for another
 * thread, finalizers, new copies of builtins for the loader.
 *
 * Invariant: none of it reaches the real process, and none of it voids the execution but a wait that could only end by
 * another thread; the program goes on as where nothing has happened yet.
 */
import nodeModule from 'node:module'
import { internalBinding } from '../../loader/internals.ts'
import { type Control, define, replaceWhileActive } from '../replace.ts'

export interface StubsHost extends Control {
  /** Sleeps synchronously in virtual time. */
  sleepUs(us: number): void
}

type Holder = Record<string, unknown>

export function interceptStubs(host: StubsHost): void {
  interceptSignals(host)
  interceptWaiting(host)
  interceptCollection(host)
  interceptSynchronization(host)
}

/** A listener for a signal is no escape, but no signal reaches a program: the real handle never starts. */
function interceptSignals(host: StubsHost): void {
  const { prototype } = internalBinding('signal_wrap').Signal as { prototype: Holder }
  const start = prototype.start as Function
  define(prototype, 'start', function (this: unknown, signal: number) {
    return host.active() ? 0 : start.call(this, signal)
  })
}

/** Nobody can wake the one thread there is, so that the wait takes its whole time. */
function interceptWaiting(host: StubsHost): void {
  const { wait } = Atomics
  define(Atomics, 'wait', (array: Int32Array, index: number, value: number, timeoutMs = Number.POSITIVE_INFINITY) => {
    if (!host.active()) return wait(array, index, value, timeoutMs)
    if (Atomics.load(array, index) !== value) return 'not-equal'
    if (timeoutMs === Number.POSITIVE_INFINITY) host.refuse('Atomics.wait without a timeout')
    host.sleepUs(timeoutMs * 1000)
    return 'timed-out'
  })
}

/**
 * Finalizers run on the real loop, when no execution does and nothing is controlled. No program may count on one being
 * run, so under the world none is.
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

/** Programs import copies that the loader made; the originals are what norn itself imports, and stay as they are. */
function interceptSynchronization(host: StubsHost): void {
  replaceWhileActive(host, nodeModule, 'syncBuiltinESMExports', () => {})
}
