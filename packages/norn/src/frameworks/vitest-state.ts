/**
 * What vitest's own `expect` asks of its runner: the state of a worker, which its matchers read, and the state
 * of the test, by which it counts assertions. Without it, custom matchers and `expect.getState` throw.
 */

/** The name of the global under which vitest keeps the state of a worker. */
const WORKER_STATE = '__vitest_worker__'

/** What `expect` has of the test that runs. */
interface ExpectState {
  readonly assertionCalls: number
  readonly isExpectingAssertions: boolean
  readonly isExpectingAssertionsError: Error | null
  readonly expectedAssertionsNumber: number | null
  readonly expectedAssertionsNumberErrorGen: (() => Error) | null
}

interface Expect {
  getState?(): Partial<ExpectState>
  setState?(state: object): void
}

/** Must be called before the world is installed. @param file of tests, absolute */
export function provideWorkerState(file: string): void {
  const state = { filepath: file, config: { expect: {}, snapshotOptions: { expand: false } }, providedContext: {} }
  Object.defineProperty(globalThis, WORKER_STATE, {
    // Another vitest may run this process.
    value: (globalThis as Record<string, unknown>)[WORKER_STATE] ?? state,
    configurable: true,
    writable: true,
  })
}

/** A test begins. */
export function beginTest(expect: unknown, title: string): void {
  ;(expect as Expect).setState?.({
    assertionCalls: 0,
    isExpectingAssertions: false,
    isExpectingAssertionsError: null,
    expectedAssertionsNumber: null,
    expectedAssertionsNumberErrorGen: null,
    currentTestName: title,
  })
}

/** A test has ended. @throws Error if it asserted less, or more, than it announced */
export function checkAssertions(expect: unknown): void {
  const state = (expect as Expect).getState?.()
  if (state === undefined) return
  const { assertionCalls = 0, isExpectingAssertions, isExpectingAssertionsError } = state
  const { expectedAssertionsNumber = null, expectedAssertionsNumberErrorGen } = state
  if (expectedAssertionsNumber !== null && assertionCalls !== expectedAssertionsNumber)
    throw expectedAssertionsNumberErrorGen?.() ?? new Error(`expected ${expectedAssertionsNumber} assertions`)
  if (isExpectingAssertions && assertionCalls === 0)
    throw isExpectingAssertionsError ?? new Error('expected any number of assertions, but got none')
}
