/**
 * Tasks of the platform: what V8 hands back to Node to be done on the main thread, and Node does in the poll phase.
 *
 * Follows src/node_platform.cc: one handle of libuv, made before any of the program's, is woken for all of them; each
 * task is run in an order of its time, with ticks and microtasks drained behind it. A task that waits keeps the loop
 * going.
 */
import type { Arrival, AsyncHandle, AsyncHandles } from '../async-handles.ts'
import type { Step } from '../causality.ts'
import type { Control } from '../replace.ts'

export interface PlatformHost extends Control {
  readonly handles: AsyncHandles
  nowUs(): number
  /**
   * Something will call back in the poll phase without a thread of the pool.
   *
   * @param point given if it may be late, because threads of the platform work on it first
   */
  announce(kind: string, resource: string, point?: 'callback'): { readonly step: Step; readonly delayUs: number }
}

/** How long work of another thread takes on an idle machine; latencies come on top. */
const WORK_US = 50

interface Task extends Arrival {
  readonly atUs: number
}

export class Platform implements AsyncHandle {
  dueUs = Number.POSITIVE_INFINITY
  #tasks: Task[] = []
  readonly #host: PlatformHost

  constructor(host: PlatformHost) {
    this.#host = host
  }

  /** Before an execution; first of all handles. */
  enter(): void {
    this.#tasks = []
    this.dueUs = Number.POSITIVE_INFINITY
    this.#host.handles.open(this)
  }

  /** Runs something in the next poll phase. */
  post(kind: string, resource: string, run: () => void): void {
    this.#add({ ...this.#host.announce(kind, resource), kind, resource, run, atUs: this.#host.nowUs() })
  }

  /** Runs something in a poll phase once other threads have worked on it, which is drawn. */
  work(kind: string, resource: string, run: () => void): void {
    const announced = this.#host.announce(kind, resource, 'callback')
    this.#add({ ...announced, kind, resource, run, atUs: this.#host.nowUs() + WORK_US + announced.delayUs })
  }

  keepsAlive(): boolean {
    return this.#tasks.length > 0
  }

  next(nowUs: number): Arrival | undefined {
    const [first] = this.#tasks
    if (first === undefined || first.atUs > nowUs) {
      this.dueUs = first?.atUs ?? Number.POSITIVE_INFINITY
      return undefined
    }
    return this.#tasks.shift()
  }

  #add(task: Task): void {
    const later = this.#tasks.findIndex(({ atUs }) => atUs > task.atUs)
    if (later < 0) this.#tasks.push(task)
    else this.#tasks.splice(later, 0, task)
    this.dueUs = this.#tasks[0]!.atUs
  }
}
