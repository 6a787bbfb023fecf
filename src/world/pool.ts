/**
 * The thread pool: operations that take effect at one time and call back at a later one.
 *
 * Follows libuv's pool of four threads: an operation starts when a thread is free, in the order of submission (FIFO);
 * which of the running ones finishes first is open, and is decided by their latencies. An operation holds its thread
 * until its effect. Its completion is then seen by the loop in the order of completion times.
 *
 * Pure: knows no Node; times are microseconds given by the caller.
 */
import type { Step } from './causality.ts'

/** One operation as its owner (files, zlib, crypto, dns) hands it in. */
export interface PoolOperation {
  /** What it does, in the words of the API: `unlink`, `open`, `deflate`. */
  readonly kind: string
  /** What it does it to: an absolute path, or empty. */
  readonly resource: string
  /** Performed once, synchronously, when the operation takes effect; may throw. */
  effect(): unknown
  /** Called once, later: runs the callback or settles the promise. */
  complete(error: unknown, result: unknown): void
}

export interface PoolTask {
  readonly operation: PoolOperation
  readonly step: Step
  readonly effectLatencyUs: number
  readonly callbackLatencyUs: number
  /** Order of submission. */
  readonly id: number
  state: 'queued' | 'running' | 'completed'
  /** When it takes effect (running) or calls back (completed). */
  atUs: number
  error: unknown
  failed: boolean
  result: unknown
}

export const POOL_THREADS = 4

/** How long an operation takes on an idle machine; latencies come on top. */
export const OPERATION_US = 50

export class Pool {
  #tasks: PoolTask[] = []
  #submitted = 0
  readonly #onEffect: (task: PoolTask) => void

  /** @param onEffect told of each operation right after it took effect */
  constructor(onEffect: (task: PoolTask) => void) {
    this.#onEffect = onEffect
  }

  get pending(): number {
    return this.#tasks.length
  }

  get tasks(): readonly PoolTask[] {
    return this.#tasks
  }

  submit(operation: PoolOperation, step: Step, latencies: { effectUs: number; callbackUs: number }, nowUs: number) {
    this.#tasks.push({
      operation,
      step,
      effectLatencyUs: latencies.effectUs,
      callbackLatencyUs: latencies.callbackUs,
      id: this.#submitted++,
      state: 'queued',
      atUs: Number.POSITIVE_INFINITY,
      error: undefined,
      failed: false,
      result: undefined,
    })
    this.#startQueued(nowUs)
  }

  /** When the next effect or callback is due; infinite if there is none. */
  nextEventUs(): number {
    let next = Number.POSITIVE_INFINITY
    for (const task of this.#tasks) if (task.atUs < next) next = task.atUs
    return next
  }

  /** Performs all effects due by `nowUs`, in the order of their times. */
  performDue(nowUs: number): void {
    for (;;) {
      let due: PoolTask | undefined
      for (const task of this.#tasks) {
        if (task.state === 'running' && task.atUs <= nowUs && (due === undefined || task.atUs < due.atUs)) due = task
      }
      if (due === undefined) return
      this.#perform(due)
    }
  }

  /** Takes out the operations whose callbacks are due by `nowUs`, in the order of their times. */
  takeCompleted(nowUs: number): PoolTask[] {
    const isDue = (task: PoolTask) => task.state === 'completed' && task.atUs <= nowUs
    const due = this.#tasks.filter(isDue)
    if (due.length === 0) return due
    this.#tasks = this.#tasks.filter((task) => !isDue(task))
    return due.sort((a, b) => a.atUs - b.atUs || a.id - b.id)
  }

  reset(): void {
    this.#tasks = []
    this.#submitted = 0
  }

  #startQueued(nowUs: number): void {
    let running = 0
    for (const task of this.#tasks) if (task.state === 'running') running++
    for (const task of this.#tasks) {
      if (running >= POOL_THREADS) return
      if (task.state !== 'queued') continue
      task.state = 'running'
      task.atUs = nowUs + OPERATION_US + task.effectLatencyUs
      running++
    }
  }

  #perform(task: PoolTask): void {
    try {
      task.result = task.operation.effect()
    } catch (error) {
      task.failed = true
      task.error = error
    }
    const effectUs = task.atUs
    task.state = 'completed'
    task.atUs = effectUs + task.callbackLatencyUs
    this.#onEffect(task)
    this.#startQueued(effectUs)
  }
}
