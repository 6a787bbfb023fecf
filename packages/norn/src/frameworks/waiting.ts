/** `expect.poll`, `vi.waitFor` and `vi.waitUntil` of vitest, in virtual time. */
import { setTimeout } from 'node:timers'

export interface Waiting {
  /** In milliseconds. */
  readonly interval?: number
  readonly timeout?: number
}

export interface Clock {
  /** Lets fake timers pass; does nothing without. */
  advance(ms: number): void
  nowMs(): number
}

const DEFAULTS = { interval: 50, timeout: 1000 }

/**
 * Calls a function until it neither throws nor rejects, or the time is up.
 *
 * @param isDone whether its value ends the waiting
 * @throws the last error, or that the time is up
 */
export async function waitFor<Value>(
  action: () => Value | Promise<Value>,
  given: Waiting | number | undefined,
  clock: Clock,
  isDone: (value: Awaited<Value>) => boolean = () => true,
): Promise<Awaited<Value>> {
  const { interval = DEFAULTS.interval, timeout = DEFAULTS.timeout } =
    typeof given === 'number' ? { timeout: given } : (given ?? {})
  const end = clock.nowMs() + timeout
  for (;;) {
    let failure: { readonly error: unknown } | undefined
    try {
      const value = await action()
      if (isDone(value)) return value
    } catch (error) {
      failure = { error }
    }
    if (clock.nowMs() >= end) throw failure === undefined ? new Error('the time to wait is up') : failure.error
    await new Promise<void>((resolve) => void setTimeout(resolve, interval))
    clock.advance(interval)
  }
}

type Assertion = Record<string, unknown>

/** `expect.poll`: a matcher that is tried until it holds. */
export function polling(expect: (value: unknown, message?: string) => unknown, clock: Clock) {
  return (action: () => unknown, { message, ...waiting }: Waiting & { readonly message?: string } = {}): unknown => {
    const link = (path: readonly string[]): unknown =>
      new Proxy(() => {}, {
        get: (_target, name) => (typeof name === 'string' && name !== 'then' ? link([...path, name]) : undefined),
        apply: (_target, _this, args: unknown[]) =>
          waitFor(
            async () => {
              let assertion = expect(await action(), message) as Assertion
              for (const name of path.slice(0, -1)) assertion = assertion[name] as Assertion
              return (assertion[path.at(-1)!] as (...values: unknown[]) => unknown).call(assertion, ...args)
            },
            waiting,
            clock,
          ),
      })
    return link([])
  }
}
