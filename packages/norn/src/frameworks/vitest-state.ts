/**
 * How many assertions a test with inputs makes, by the state of vitest's own `expect`. Where tests run as
 * vitest runs them, its runner checks that.
 */

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
