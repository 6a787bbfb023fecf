/**
 * The thread pool: operations that take effect at one time and call back at a later one.
 *
 * Follows libuv's pool of four threads (src/threadpool.c): operations start in order of submission
 * when a thread is free; their latencies decide which finishes first. Slow I/O (dns) takes half of
 * the threads at most, and gives way to what is queued behind it. A thread works, posts the
 * completion, and only then takes the next operation, so an operation holds its thread until its
 * callback is due, and completions call back in the order posted. Pure: callers give times in
 * microseconds.
 */
import type { Step } from './causality.ts'
import type { Isolate } from './isolate.ts'

/** An operation as files, zlib, crypto or dns submit it. */
export interface PoolOperation {
  /** The name of the API: `unlink`, `open`, `deflate`. */
  readonly kind: string
  /**
   * An absolute path, resolved lexically; for a descriptor, the path it was opened with; or empty.
   */
  readonly resource: string
  /** What Node lists of it among the active requests: its object, or the name of one that norn does not make. */
  readonly request?: object | string
  /** Slow I/O, as libuv calls it: host names. */
  readonly slow?: true
  /** Runs once, synchronously, when the operation takes effect; may throw. */
  effect(): unknown
  /**
   * For transfers visible half done: the number of places to tear at, and the first part; `effect`
   * does the rest.
   */
  readonly divided?: { readonly places: number; begin(place: number): void }
  /** Runs once, later: calls back or settles the promise. */
  complete(error: unknown, result: unknown): void
}

export interface PoolTask {
  readonly operation: PoolOperation
  readonly step: Step
  readonly effectLatencyUs: number
  readonly callbackLatencyUs: number
  readonly tear: PoolLatencies['tear']
  half: boolean
  /** Order of submission. */
  readonly id: number
  state: 'queued' | 'running' | 'effective' | 'completed'
  /** When it takes effect (running), or posts its completion (effective, completed). */
  atUs: number
  error: unknown
  failed: boolean
  result: unknown
}

/** In microseconds. */
export interface PoolLatencies {
  readonly effectUs: number
  readonly callbackUs: number
  /** How long it stays half done, and where; 0 us if it is done at once. */
  readonly tear?: { readonly us: number; readonly place: number }
}

export const POOL_THREADS = 4

/** Threads that slow I/O may take at once. */
const SLOW_THREADS = 2

/** Stands in the queue for the slow operations, which have one of their own; follows libuv. */
const SLOW = Symbol('slow operations')

/** The duration of an operation on an idle machine, in microseconds; latencies are added. */
export const OPERATION_US = 50

export class Pool {
  /** On a thread, or completed but not taken: few, however long the queue. */
  #started: PoolTask[] = []
  #queue: (PoolTask | typeof SLOW)[] = []
  /** Where the queue begins; earlier entries have started. */
  #head = 0
  /** While it is not empty, the queue holds `SLOW` once. */
  #slowQueue: PoolTask[] = []
  #completed: PoolTask[] = []
  #held: PoolTask[] = []
  #submitted = 0
  #performing: PoolTask | undefined
  readonly #onEffect: (task: PoolTask) => void

  /** @param onEffect called right after an operation took effect, or half of it */
  constructor(onEffect: (task: PoolTask) => void) {
    this.#onEffect = onEffect
  }

  /** The number of operations submitted, which bounds their ids. */
  get submitted(): number {
    return this.#submitted
  }

  get pending(): number {
    const slow = this.#slowQueue.length
    return this.#started.length + this.#queue.length - this.#head + (slow > 0 ? slow - 1 : 0)
  }

  /** Whether an operation has not taken effect yet. */
  get effectsPending(): boolean {
    return this.#head < this.#queue.length || this.#started.some((task) => task.state === 'running')
  }

  get tasks(): readonly PoolTask[] {
    const queued = this.#queue.slice(this.#head).flatMap((entry) => (entry === SLOW ? this.#slowQueue : [entry]))
    return [...this.#started, ...queued]
  }

  /** Keeps an operation of an isolate that blocks, instead of calling it back. */
  hold(task: PoolTask): void {
    this.#held.push(task)
  }

  /** The isolate no longer blocks. */
  release(isolate: Isolate): void {
    this.giveBack(this.#held.filter(({ step }) => step.isolate === isolate))
    this.#held = this.#held.filter(({ step }) => step.isolate !== isolate)
  }

  /** Whether an operation of an isolate is pending. */
  pendingOf(isolate: Isolate): boolean {
    return this.tasks.some(({ step }) => step.isolate === isolate)
  }

  /** Removes the operations of an isolate that no thread has taken yet. */
  cancel(isolate: Isolate): void {
    const isOther = (entry: PoolTask | typeof SLOW) => entry === SLOW || entry.step.isolate !== isolate
    this.#slowQueue = this.#slowQueue.filter(isOther)
    this.#queue = this.#queue
      .slice(this.#head)
      .filter((entry) => isOther(entry) && (entry !== SLOW || this.#slowQueue.length > 0))
    this.#head = 0
  }

  submit(operation: PoolOperation, step: Step, latencies: PoolLatencies, nowUs: number) {
    const task: PoolTask = {
      operation,
      step,
      effectLatencyUs: latencies.effectUs,
      callbackLatencyUs: latencies.callbackUs,
      tear: latencies.tear,
      half: false,
      id: this.#submitted++,
      state: 'queued',
      atUs: Number.POSITIVE_INFINITY,
      error: undefined,
      failed: false,
      result: undefined,
    }
    if (operation.slow) this.#slowQueue.push(task)
    if (!operation.slow) this.#queue.push(task)
    else if (this.#slowQueue.length === 1) this.#queue.push(SLOW)
    this.#startQueued(nowUs)
  }

  /** Whether completions are posted that were not taken. */
  get completed(): boolean {
    return this.#completed.length > 0
  }

  /** When the first of them was posted; infinite if there is none. */
  get completedUs(): number {
    return this.#completed[0]?.atUs ?? Number.POSITIVE_INFINITY
  }

  /**
   * When the next effect or completion is due; infinite if none is.
   *
   * @param afterUs leaves out what is due by then
   */
  nextEventUs(afterUs = Number.NEGATIVE_INFINITY): number {
    let next = Number.POSITIVE_INFINITY
    for (const { atUs } of this.#started) if (atUs > afterUs && atUs < next) next = atUs
    return next
  }

  /** The task that is taking effect. */
  get performing(): PoolTask | undefined {
    return this.#performing
  }

  /** Performs the effects and posts the completions due by `nowUs`, in order of time. */
  performDue(nowUs: number): void {
    for (;;) {
      let due: PoolTask | undefined
      for (const task of this.#started) {
        const isNext = task.atUs <= nowUs && (due === undefined || task.atUs < due.atUs)
        if (isNext && (task.state === 'running' || task.state === 'effective')) due = task
      }
      if (due === undefined) return
      if (due.state === 'running') this.#perform(due)
      else this.#post(due)
    }
  }

  /** Removes and returns the operations whose completions are posted, in that order. */
  takeCompleted(): PoolTask[] {
    const completed = this.#completed
    if (completed.length === 0) return completed
    this.#completed = []
    this.#started = this.#started.filter((task) => task.state !== 'completed')
    return completed
  }

  /** Puts operations that were taken but not called back at the front again. */
  giveBack(tasks: readonly PoolTask[]): void {
    this.#completed.unshift(...tasks)
    this.#started.unshift(...tasks)
  }

  reset(): void {
    this.#head = 0
    if (this.#submitted > 0) {
      this.#started = []
      this.#queue = []
      this.#slowQueue = []
      this.#completed = []
      this.#held = []
    }
    this.#submitted = 0
  }

  #startQueued(nowUs: number): void {
    let busy = 0
    let slow = 0
    for (const { state, operation } of this.#started) {
      if (state === 'completed') continue
      busy++
      if (operation.slow) slow++
    }
    for (; busy < POOL_THREADS; busy++) {
      const task = this.#takeQueued(slow < SLOW_THREADS)
      if (task === undefined) break
      if (task.operation.slow) slow++
      task.state = 'running'
      task.atUs = nowUs + OPERATION_US + task.effectLatencyUs
      this.#started.push(task)
    }
    if (this.#head === this.#queue.length) {
      this.#queue.length = this.#head = 0
    }
  }

  /** The next operation to start. One slow operation starts, then the next waits behind the rest. */
  #takeQueued(slowAllowed: boolean): PoolTask | undefined {
    for (let left = this.#queue.length - this.#head; left > 0; left--) {
      const entry = this.#queue[this.#head++]!
      if (entry !== SLOW) return entry
      const task = slowAllowed ? this.#slowQueue.shift() : undefined
      if (this.#slowQueue.length > 0) this.#queue.push(SLOW)
      if (task !== undefined) return task
    }
    return undefined
  }

  #perform(task: PoolTask): void {
    const { operation, tear, half } = task
    const tears = tear !== undefined && tear.us > 0 && !half
    this.#performing = task
    try {
      if (tears) operation.divided!.begin(tear.place)
      else task.result = operation.effect()
    } catch (error) {
      task.failed = true
      task.error = error
    } finally {
      this.#performing = undefined
    }
    if (tears && !task.failed) {
      task.half = true
      task.atUs += tear.us
      this.#onEffect(task)
      return
    }
    task.state = 'effective'
    task.atUs += task.callbackLatencyUs
    this.#onEffect(task)
  }

  #post(task: PoolTask): void {
    task.state = 'completed'
    this.#completed.push(task)
    this.#startQueued(task.atUs)
  }
}
