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

/** How chai keeps what is asserted. */
interface Flags {
  readonly util: { flag(assertion: unknown, name: string, value: unknown): void }
}

interface Polling extends Waiting {
  readonly message?: string
}

/**
 * `expect.poll`: a matcher that is tried until it holds.
 *
 * @param atEnd gets what throws at the end of a test whose poll nobody awaits, which then does not run;
 *   without, a poll runs at once
 */
export function polling(
  expect: (value: unknown, message?: string) => unknown,
  chai: Flags | undefined,
  clock: Clock,
  atEnd?: (check: () => void) => void,
) {
  return (action: () => unknown, { message, ...waiting }: Polling = {}): unknown => {
    const run = (path: readonly string[], args: readonly unknown[]) => {
      let assertion = expect(undefined, message) as Assertion
      for (const name of path.slice(0, -1)) assertion = assertion[name] as Assertion
      const tried = async () => {
        chai?.util.flag(assertion, 'object', await action())
        return (assertion[path.at(-1)!] as (...values: unknown[]) => unknown).call(assertion, ...args)
      }
      return waitFor(tried, waiting, clock)
    }
    const link = (path: readonly string[]): unknown =>
      new Proxy(() => {}, {
        get: (_target, name) => (typeof name === 'string' && name !== 'then' ? link([...path, name]) : undefined),
        apply: (_target, _this, args: unknown[]) =>
          atEnd === undefined ? run(path, args) : onceAwaited(() => run(path, args), path, atEnd),
      })
    return link([])
  }
}

/** A promise that begins when somebody awaits it. */
function onceAwaited(
  start: () => Promise<unknown>,
  path: readonly string[],
  atEnd: (check: () => void) => void,
): PromiseLike<unknown> {
  let started: Promise<unknown> | undefined
  atEnd(() => {
    if (started === undefined) throw new Error(`expect.poll(…).${path.join('.')}() was not awaited`)
  })
  const promise = () => (started ??= start())
  return {
    // biome-ignore lint/suspicious/noThenProperty: it stands in for a promise
    then: (fulfilled, rejected) => promise().then(fulfilled, rejected),
    ...{ catch: (rejected: never) => promise().catch(rejected) },
    ...{ finally: (settled: never) => promise().finally(settled) },
  }
}
