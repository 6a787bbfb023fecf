/**
 * An attempt at a test, or a call of a hook, as its runner makes it: what it allows, which the body may
 * change, and what follows.
 *
 * Time is virtual, and measured when the body settles: one that never settles is a deadlock, or reaches a
 * bound of the execution.
 */
import { activeExecution } from './current.ts'

interface Bounds {
  readonly timeoutMs?: number | undefined
  readonly retry?: number | undefined
}

export class Attempt {
  /** Attempts after the first. */
  retry: number
  /** What runs behind the hooks, whether the test passes or not. */
  readonly ending: (() => unknown)[] = []
  #timeoutMs: number
  #sinceUs = 0

  constructor({ timeoutMs = Number.POSITIVE_INFINITY, retry = 0 }: Bounds) {
    this.#timeoutMs = timeoutMs
    this.retry = retry
  }

  get timeoutMs(): number {
    return this.#timeoutMs
  }

  /** The time runs from now on. */
  start(): void {
    this.#sinceUs = nowUs()
  }

  /** Allows so much time from now on, as `this.timeout` of mocha does. @throws if the time was up before */
  restart(timeoutMs: number): void {
    this.check()
    this.#timeoutMs = timeoutMs
    this.start()
  }

  /** @throws if the time is up */
  check(): void {
    const tookMs = (nowUs() - this.#sinceUs) / 1000
    if (tookMs > this.#timeoutMs) throw new TestTimeout(tookMs, this.#timeoutMs)
  }
}

function nowUs(): number {
  return activeExecution()?.elapsedUs() ?? 0
}

/** A test settled later than its timeout allows. */
export class TestTimeout extends Error {
  constructor(tookMs: number, timeoutMs: number) {
    super(`the test takes longer than its timeout of ${timeoutMs} ms`)
    this.name = 'TestTimeout'
    // Where the test waited tells more than where norn noticed.
    this.stack = `${this.name}: ${this.message} (${Math.round(tookMs)} ms of virtual time)`
  }
}
