/**
 * Calls between the loop, C++ that stays Node's own (OpenSSL, nghttp2), and the program.
 *
 * Follows `InternalCallbackScope` (src/api/callback.cc): a callback that C++ makes from the loop
 * drains ticks and microtasks when it returns, and what it throws is uncaught, so the next callback
 * of the same read sees a drained queue. A callback that C++ makes while the program calls it does
 * neither. In norn the loop is JavaScript, so to Node every callback is of the second kind.
 */
import type { Activity } from '../replace.ts'
import { callFromTop, drainTicks } from './callback-scope.ts'

export interface NativeCallsHost extends Activity {
  /** Whether the execution has ended, so that the program is no longer called. */
  stopped(): boolean
  uncaught(error: unknown): void
}

type Callback = (this: unknown, ...args: unknown[]) => unknown

export class NativeCalls {
  readonly #host: NativeCallsHost
  /** Whether C++ runs that the loop called. */
  #isFromLoop = false

  constructor(host: NativeCallsHost) {
    this.#host = host
  }

  /** Calls C++ from the loop. */
  fromLoop(action: () => void): void {
    this.#isFromLoop = true
    try {
      action()
    } finally {
      this.#isFromLoop = false
    }
  }

  /** A callback of the program, or of Node's JavaScript, as C++ calls it. */
  callback(callback: Function): Callback {
    const calls = this
    const host = this.#host
    return function (...args) {
      if (!calls.#isFromLoop || !host.active()) return Reflect.apply(callback, this, args)
      if (host.stopped()) return undefined
      calls.#isFromLoop = false
      let result: unknown
      callFromTop(() => {
        result = Reflect.apply(callback, this, args)
      }, host.uncaught)
      drainTicks(host.uncaught)
      calls.#isFromLoop = true
      return result
    }
  }

  /** Wraps the callbacks that Node's JavaScript sets on an object for C++. */
  intercept(object: object, names: readonly (string | symbol)[]): void {
    for (const name of names) {
      const native = accessorOf(object, name)
      let given: unknown
      let wrapped: unknown
      Object.defineProperty(object, name, {
        configurable: true,
        enumerable: true,
        // C++ reads the property, or keeps what the native setter gets. Node compares `onread`.
        get: () => (native === undefined ? wrapped : given),
        set: (value: unknown) => {
          given = value
          wrapped = typeof value === 'function' ? this.callback(value) : value
          if (native !== undefined) Reflect.apply(native.set!, object, [wrapped])
        },
      })
    }
  }
}

function accessorOf(object: object, name: string | symbol): PropertyDescriptor | undefined {
  for (let at = Object.getPrototypeOf(object); at !== null; at = Object.getPrototypeOf(at)) {
    const descriptor = Object.getOwnPropertyDescriptor(at, name)
    if (descriptor !== undefined) return descriptor.set === undefined ? undefined : descriptor
  }
  return undefined
}
