/**
 * The tests that do not pass in the world, each with its reason. The list is exact: what fails and is not here is
 * unexplained, and an entry that no longer fails is reported as well.
 */
import type { TestOutcome } from './examine.ts'

/**
 * `time bound`: the test says how long something may take at most, or counts on timers of different lengths not to be
 * late; no machine keeps that. `finding`: an error of the package (docs/findings.md). `too heavy`: takes longer than an
 * execution may, and is not run.
 */
export type ExpectedKind = 'time bound' | 'finding' | 'too heavy'

export interface Expected {
  readonly kind: ExpectedKind
  readonly package: string
  readonly file: string
  readonly tests: readonly string[]
  /** What the failures say; any if it is not given. */
  readonly message?: RegExp
  readonly reason: string
}

export const EXPECTED: readonly Expected[] = []

/** The entry that explains a failure of a test; for one that is not run, call it without a message. */
export function expectation(
  { file, test }: Pick<TestOutcome, 'file' | 'test'>,
  message?: string,
): Expected | undefined {
  return EXPECTED.find(
    (each) =>
      each.package === file.package &&
      each.file === file.name &&
      each.tests.includes(test) &&
      (message === undefined || each.message === undefined || each.message.test(message)),
  )
}

/** What the list says of tests that ran and did not fail so. */
export function stale(outcomes: readonly TestOutcome[]): string[] {
  return EXPECTED.filter(({ kind }) => kind !== 'too heavy').flatMap((each) =>
    outcomes
      .filter(({ file, test }) => each.package === file.package && each.file === file.name && each.tests.includes(test))
      .filter((outcome) => !outcome.failures.some(({ message }) => expectation(outcome, message) === each))
      .map(
        ({ file, test }) => `${file.package} ${file.name} '${test}': is expected to fail (${each.reason}), and did not`,
      ),
  )
}
