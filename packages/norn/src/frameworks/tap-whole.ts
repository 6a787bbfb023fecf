/**
 * A file of tap as the test that it is for tap: its assertions, and the tests that its callbacks declare. Where
 * it declares tests while it is evaluated, those are its tests, and only its assertions are here.
 *
 * For tap a file ends with its process. Here it ends when the tests of the first callback that declares some have
 * ended, or when none has for so long as tap waits for a file.
 */
import { type TapFile, TapRun } from './tap-run.ts'

/** As tap waits for a file, in milliseconds. */
const PATIENCE_MS = 30_000

export class TapWhole {
  readonly #run: TapRun
  readonly #declared = Promise.withResolvers<void>()
  readonly #waiting: (() => void)[] = []
  #isTest = false
  #isRunning = false

  constructor(file: TapFile) {
    this.#run = new TapRun('', () => this.#declared.promise, file)
  }

  /** The file has been evaluated, and has declared no test. */
  becomesTest(): void {
    this.#isTest = true
  }

  /** Runs the file as a test. */
  async run(ending?: (() => unknown)[]): Promise<void> {
    this.#isRunning = true
    const timer = setTimeout(() => this.#declared.resolve(), PATIENCE_MS)
    for (const declare of this.#waiting.splice(0)) declare()
    try {
      await this.#run.run(ending)
    } finally {
      clearTimeout(timer)
    }
  }

  /**
   * A callback declares a test, which runs once the file does. Returns the promise of its end; undefined if the
   * file is not a test.
   */
  declares(how: 'test' | 'skip', args: readonly unknown[]): Promise<unknown> | undefined {
    if (!this.#isTest) return undefined
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const declare = () => {
      resolve(this.#of(how, args))
      this.#declared.resolve()
    }
    if (this.#isRunning) declare()
    else this.#waiting.push(declare)
    return promise
  }

  /** An assertion, or another function of `t` that a file calls outside of its tests. */
  asserts(name: string, args: readonly unknown[]): unknown {
    return this.#of(name, args)
  }

  /** @throws the first assertion outside of tests that failed */
  check(): void {
    this.#run.check()
  }

  #of(name: string, args: readonly unknown[]): unknown {
    return Reflect.apply(this.#run.context[name] as Function, undefined, args)
  }
}
