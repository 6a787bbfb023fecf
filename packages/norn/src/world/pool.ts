/**
 * The thread pool: operations that take effect at one time and call back at a later one.
 *
 * Follows libuv's pool of four threads (src/threadpool.c): an operation starts when a thread is free, in the order of
 * submission (FIFO); which of the running ones finishes first is open, and is decided by their latencies. A thread does
 * the work, then posts its completion, and only then takes the next: so an operation holds its thread until its callback
 * is due, and completions are called back in the order in which they were posted.
 *
 * Pure: knows no Node; times are microseconds given by the caller.
 */
import type { Step } from './causality.ts'

/** One operation as its owner (files, zlib, crypto, dns) hands it in. */
export interface PoolOperation {
  /** What it does, in the words of the API: `unlink`, `open`, `deflate`. */
  readonly kind: string
  /** What it does it to: a path (absolute, resolved lexically; of a descriptor, what it was opened with), or empty. */
  readonly resource: string
  /** Performed once, synchronously, when the operation takes effect; may throw. */
  effect(): unknown
  /** If it can be seen half done: at how many places it can be torn, and what does it up to one. `effect` does the rest. */
  readonly divided?: { readonly places: number; begin(place: number): void }
  /** Called once, later: runs the callback or settles the promise. */
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
  /** When it takes effect (running), or when its completion is posted (effective, completed). */
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

/** How long an operation takes on an idle machine; latencies come on top. */
export const OPERATION_US = 50

export class Pool {
  /** On a thread, or completed and not taken yet: a handful, however many wait. */
  #started: PoolTask[] = []
  #queue: PoolTask[] = []
  /** Where the queue begins; what stands before has been started. */
  #head = 0
  #completed: PoolTask[] = []
  #submitted = 0
  readonly #onEffect: (task: PoolTask) => void

  /** @param onEffect told of each operation right after it took effect, or half of it */
  constructor(onEffect: (task: PoolTask) => void) {
    this.#onEffect = onEffect
  }

  /** How many operations were submitted so far: ids count up to here. */
  get submitted(): number {
    return this.#submitted
  }

  get pending(): number {
    return this.#started.length + this.#queue.length - this.#head
  }

  /** Whether an operation has yet to take effect. */
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

  /** When the next effect or completion is due; infinite if there is none. */
  nextEventUs(): number {
    let next = Number.POSITIVE_INFINITY
    for (const task of this.#started) if (task.atUs < next) next = task.atUs
    return next
  }

  /** Performs all effects, and posts all completions, that are due by `nowUs`, in the order of their times. */
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

  /** Takes out the operations whose completions have been posted, in that order. */
  takeCompleted(): PoolTask[] {
    const completed = this.#completed
    if (completed.length === 0) return completed
    this.#completed = []
    this.#started = this.#started.filter((task) => task.state !== 'completed')
    return completed
  }

  /** Puts back, at the front, what was taken and has not been called back. */
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
