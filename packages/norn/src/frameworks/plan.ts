/**
 * The plan of a test of node:test: how many assertions and subtests it makes (`t.plan`). Follows
 * `TestPlan` (lib/internal/test_runner/test.js), but waits without a limit.
 */
export class Plan {
  #expected: number | undefined
  #counted = 0
  #met: (() => void) | undefined
  #waits = false

  /** @param wait whether the end of the test waits for the plan, and how long; the length is ignored */
  expect(count: number, { wait }: { readonly wait?: boolean | number } = {}): void {
    this.#expected = count
    this.#waits = wait !== undefined && wait !== false
  }

  /** An assertion or subtest begins. */
  count(): void {
    this.#counted++
    if (this.#counted === this.#expected) this.#met?.()
  }

  /** Resolves when the plan is met; undefined if nothing is to wait for. */
  get met(): Promise<void> | undefined {
    if (!this.#waits || this.#counted >= this.#expected!) return undefined
    return new Promise((resolve) => {
      this.#met = resolve
    })
  }

  /** @throws if the test made more or fewer than planned */
  check(): void {
    if (this.#expected === undefined || this.#counted === this.#expected) return
    throw new Error(`plan expected ${this.#expected} assertions but received ${this.#counted}`)
  }

  /** The same assertions, counted. */
  counting(assertions: object): object {
    return new Proxy(assertions, {
      get: (target, name) => {
        const assertion: unknown = Reflect.get(target, name)
        if (typeof assertion !== 'function') return assertion
        return (...args: unknown[]) => {
          this.count()
          return Reflect.apply(assertion, target, args)
        }
      },
    })
  }
}
