/** Ordinary tests of a framework as a property without inputs: it fails if one of them does. */
import type { TestsRun } from '../contract/execution.ts'
import { TestTimeout } from '../property/attempt.ts'
import { runInFileOrder, type TestObserver } from '../property/file-order.ts'
import type { Property } from '../property/property.ts'
import { settingsOf, type Test } from '../property/suites.ts'

/** How the tests of an execution go. */
export class TestRecord implements TestObserver {
  readonly #failed: string[] = []
  readonly #retried: string[] = []
  readonly #skipped: string[] = []
  readonly #goesOn: boolean
  #first: { readonly error: unknown } | undefined
  #last: string | undefined

  /** @param goesOn whether the tests behind one that fails run */
  constructor(goesOn: boolean) {
    this.#goesOn = goesOn
  }

  begins({ name }: Test): void {
    this.#last = name
  }

  fails({ name }: Test, error: unknown): boolean {
    this.#failed.push(name)
    this.#first ??= { error }
    return this.#goesOn
  }

  skips({ name }: Test): void {
    this.#skipped.push(name)
  }

  retried({ name }: Test): void {
    this.#retried.push(name)
  }

  /** @throws what the first test that failed threw */
  check(): void {
    if (this.#first !== undefined) throw this.#first.error
  }

  get result(): TestsRun {
    const isLate = this.#first?.error instanceof TestTimeout
    const tests = { failed: this.#failed, retried: this.#retried, skipped: this.#skipped, last: this.#last }
    return isLate ? { ...tests, isLate } : tests
  }
}

/** Whether a property is a test of a file that is a program of its own: of node:test, or tap. */
export function isOfProgram({ test }: Property): boolean {
  return test !== undefined && settingsOf(test).isProgram === true
}

/**
 * Tests of a file as one property, which runs them in the order of the file.
 *
 * @throws Error if the file declares no test of such a name
 */
export function propertyOfTests(
  declared: readonly Property[],
  names: readonly string[],
  file: string,
  record: TestRecord,
): Property {
  const wanted = new Set(names)
  const tests = declared.flatMap(({ test }) => (test !== undefined && wanted.has(test.name) ? [test] : []))
  const missing = names.find((name) => !tests.some((test) => test.name === name))
  if (missing !== undefined) throw new Error(`${file} declares no test '${missing}'`)
  const run = async () => {
    await runInFileOrder(tests, record)
    record.check()
  }
  return { name: names.join(), inputs: {}, body: run, options: {}, mode: 'run' }
}
