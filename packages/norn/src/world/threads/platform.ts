/**
 * Platform tasks: work that V8 returns to the main thread, run in the poll phase.
 *
 * Follows src/node_platform.cc: one libuv handle, created before any of the program's, wakes for
 * all tasks that are due then; they run in order of time, each followed by ticks and microtasks.
 * What becomes due meanwhile waits for the next poll phase. A waiting task keeps the loop alive.
 */

import { type Arrival, type AsyncHandle, type AsyncHandles, isolateOf } from '../loop/async-handles.ts'
import type { Step } from '../loop/causality.ts'
import type { Interceptor } from '../loop/interceptor.ts'
import type { Isolate } from '../loop/isolate.ts'
import { STEP_US } from '../loop/loop.ts'
import type { Control } from '../realm/replace.ts'

export interface PlatformHost extends Control {
  readonly handles: AsyncHandles
  nowUs(): number
  /**
   * Announces a callback in the poll phase without a pool thread.
   *
   * @param point given if platform threads work on it first, which may delay it
   */
  announce(kind: string, resource: string, point?: 'callback'): { readonly step: Step; readonly delayUs: number }
  /** Draws how long platform threads go on with an announced callback, in microseconds. */
  workUs(step: Step, kind: string): number
}

interface Task extends Arrival {
  readonly atUs: number
  /** Poll phases in which V8 goes on with it, the last of which runs it. */
  readonly phases: number
}

export const platformTasks: Interceptor<PlatformHost, { readonly platform: Platform }> = {
  name: 'platform tasks',
  install: (host) => {
    const platform = new Platform(host)
    return { provides: { platform }, enter: () => platform.enter() }
  },
}

export class Platform implements AsyncHandle {
  dueUs = Number.POSITIVE_INFINITY
  #tasks: Task[] = []
  /** How many of the first tasks run in this poll phase. */
  #batch = 0
  readonly #host: PlatformHost

  constructor(host: PlatformHost) {
    this.#host = host
  }

  /** Begins an execution; called before any other handle opens. */
  enter(): void {
    if (this.#tasks.length > 0) this.#tasks = []
    this.#batch = 0
    this.dueUs = Number.POSITIVE_INFINITY
    this.#host.handles.open(this)
  }

  /** Runs a function in the next poll phase, after tasks that other threads finish during this step. */
  post(kind: string, resource: string, run: () => void): void {
    this.#add({
      ...this.#host.announce(kind, resource),
      kind,
      resource,
      run,
      atUs: this.#host.nowUs() + STEP_US,
      phases: 1,
    })
  }

  /**
   * Runs a function in a poll phase after other threads have worked on it, with a drawn latency.
   * They may be done before the step that asked them: then it runs in the poll phase of that step.
   *
   * @param phases with 2, the first poll phase only goes on with the work, for which a latency is
   * drawn again, and a later one runs it
   */
  work(kind: string, resource: string, run: () => void, phases = 1): Step {
    const announced = this.#host.announce(kind, resource, 'callback')
    this.#add({ ...announced, kind, resource, run, atUs: this.#host.nowUs() + announced.delayUs, phases })
    return announced.step
  }

  /** Ends the wait of an isolate after a drawn latency, or at a time if nothing is to be drawn. */
  unblock(isolate: Isolate, run: () => void, atUs?: number): void {
    const announced = this.#host.announce('wait', '', atUs === undefined ? 'callback' : undefined)
    const task = { ...announced, isolate, unblocks: true, kind: 'wait', resource: '', run, phases: 1 }
    this.#add({ ...task, atUs: atUs ?? this.#host.nowUs() + announced.delayUs })
  }

  keepsAlive(isolate?: Isolate): boolean {
    return isolate === undefined ? this.#tasks.length > 0 : this.#tasks.some((task) => isolateOf(task) === isolate)
  }

  next(nowUs: number, served: number): Arrival | undefined {
    if (served === 0) this.#batch = this.#tasks.filter(({ atUs }) => atUs <= nowUs).length
    while (this.#batch > 0) {
      this.#batch--
      const task = this.#tasks.shift()!
      if (task.phases === 1) return task
      const delayUs = this.#host.workUs(task.step, `finish ${task.kind}`)
      this.#add({ ...task, atUs: nowUs + delayUs, phases: task.phases - 1 })
    }
    this.dueUs = this.#tasks[0]?.atUs ?? Number.POSITIVE_INFINITY
    return undefined
  }

  #add(task: Task): void {
    const later = this.#tasks.findIndex(({ atUs }) => atUs > task.atUs)
    if (later < 0) this.#tasks.push(task)
    else this.#tasks.splice(later, 0, task)
    this.dueUs = this.#tasks[0]!.atUs
  }
}
