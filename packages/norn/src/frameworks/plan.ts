/**
 * The plan of a test of node:test: how many assertions and subtests it makes (`t.plan`). Follows
 * `TestPlan` (lib/internal/test_runner/test.js) of Node 24.
 */
import { hostRequire } from '../loader/internals.ts'

// Those that the mock timers of a test do not replace.
const { setTimeout, clearTimeout } = hostRequire('node:timers') as typeof import('node:timers')

export class Plan {
  #expected: number | undefined
  #counted = 0
  #met: (() => void) | undefined
  #wait: boolean | number = false

  /** @param wait whether the end of the test waits for the plan, and for how long at most, in milliseconds */
  expect(count: number, { wait = false }: { readonly wait?: boolean | number } = {}): void {
    if (this.#expected !== undefined) throw new Error('cannot set plan more than once')
    this.#expected = count
    this.#wait = wait
  }

  /** An assertion or subtest begins. */
  count(): void {
    this.#counted++
    if (this.#counted === this.#expected) this.#met?.()
  }

  /**
   * The body has ended.
   *
   * @returns a promise if the test waits until the plan is met
   * @throws if the test made more or fewer than planned
   */
  check(): Promise<void> | undefined {
    if (this.#expected === undefined || this.#counted === this.#expected) return undefined
    const wait = this.#wait
    if (wait === false) throw new Error(`plan expected ${this.#expected} assertions but received ${this.#counted}`)
    return new Promise((resolve, reject) => {
      const late = () => reject(new Error(`plan timed out after ${wait}ms with ${this.#counted} assertions`))
      const timer = wait === true ? undefined : setTimeout(late, wait)
      this.#met = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  /** The same assertions, counted, and called as methods of the context. */
  counting(assertions: object, context: () => object): object {
    return new Proxy(assertions, {
      get: (target, name) => {
        const assertion: unknown = Reflect.get(target, name)
        if (typeof assertion !== 'function') return assertion
        return (...args: unknown[]) => {
          this.count()
          return Reflect.apply(assertion, context(), args)
        }
      },
    })
  }
}
