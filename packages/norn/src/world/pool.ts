/**
 * The thread pool: operations that take effect at one time and call back at a later one.
 *
 * Follows libuv's pool of four threads (src/threadpool.c): operations start in order of submission
 * when a thread is free; their latencies decide which finishes first. A thread works, posts the
 * completion, and only then takes the next operation, so an operation holds its thread until its
 * callback is due, and completions call back in the order posted. Pure: callers give times in
 * microseconds.
 */
import type { Step } from './causality.ts'

/** An operation as files, zlib, crypto or dns submit it. */
export interface PoolOperation {
  /** The name of the API: `unlink`, `open`, `deflate`. */
  readonly kind: string
  /**
   * An absolute path, resolved lexically; for a descriptor, the path it was opened with; or empty.
   */
  readonly resource: string
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

/** The duration of an operation on an idle machine, in microseconds; latencies are added. */
export const OPERATION_US = 50

export class Pool {
  /** On a thread, or completed but not taken: few, however long the queue. */
  #started: PoolTask[] = []
  #queue: PoolTask[] = []
  /** Where the queue begins; earlier entries have started. */
  #head = 0
  #completed: PoolTask[] = []
  #submitted = 0
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
    return this.#started.length + this.#queue.length - this.#head
  }

  /** Whether an operation has not taken effect yet. */
  get effectsPending(): boolean {
    return this.#head < this.#queue.length || this.#started.some((task) => task.state === 'running')
  }

  get tasks(): readonly PoolTask[] {
    return [...this.#started, ...this.#queue.slice(this.#head)]
  }

  submit(operation: PoolOperation, step: Step, latencies: PoolLatencies, nowUs: number) {
    this.#queue.push({
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
    })
    this.#startQueued(nowUs)
  }

  /** When the next effect or completion is due; infinite if none is. */
  nextEventUs(): number {
    let next = Number.POSITIVE_INFINITY
    for (const task of this.#started) if (task.atUs < next) next = task.atUs
    return next
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
    this.#started = []
    this.#queue = []
    this.#head = 0
    this.#completed = []
    this.#submitted = 0
  }

  #startQueued(nowUs: number): void {
    let busy = 0
    for (const task of this.#started) if (task.state !== 'completed') busy++
    for (; busy < POOL_THREADS && this.#head < this.#queue.length; busy++) {
      const task = this.#queue[this.#head++]!
      task.state = 'running'
      task.atUs = nowUs + OPERATION_US + task.effectLatencyUs
      this.#started.push(task)
    }
    if (this.#head === this.#queue.length) {
      this.#queue.length = this.#head = 0
    }
  }

  #perform(task: PoolTask): void {
    const { operation, tear, half } = task
    const tears = tear !== undefined && tear.us > 0 && !half
    try {
      if (tears) operation.divided!.begin(tear.place)
      else task.result = operation.effect()
    } catch (error) {
      task.failed = true
      task.error = error
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
