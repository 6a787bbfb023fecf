/**
 * The isolates beside the body's: when they end, and what happens then.
 *
 * Follows src/node_worker.cc: a thread ends when nothing keeps its loop alive, when it exits, or
 * when its parent terminates it. Queued operations of it are cancelled; the parent learns of the end
 * once those that a pool's thread has taken are done. Threads that it started end before it. The
 * first thread of a child process ends in the same way, or by a signal; a process that it started
 * lives on.
 */

import type { AsyncHandles } from '../loop/async-handles.ts'
import type { Causality } from '../loop/causality.ts'
import type { Interceptor } from '../loop/interceptor.ts'
import type { Isolate } from '../loop/isolate.ts'
import { alive, type Others, type TimerPhases } from '../loop/loop.ts'
import type { Descriptors } from '../loop/poll-descriptors.ts'
import type { Pool } from '../loop/pool.ts'

export interface IsolatesHost {
  readonly causality: Causality
  readonly pool: Pool
  readonly handles: AsyncHandles
  readonly descriptors: Descriptors
  readonly timers: TimerPhases & { clear(isolate: Isolate): void }
  /** Runs what the isolate, which now runs, listens for at its end; ends it unless it goes on. */
  finish(isolate: Isolate, isAlive: () => boolean): void
  /** Releases what the isolate held, and tells its parent. */
  released(isolate: Isolate): void
}

export const isolates: Interceptor<IsolatesHost, { readonly isolates: Isolates }> = {
  name: 'isolates',
  install: (host) => {
    const isolates = new Isolates(host)
    return { provides: { isolates }, leave: () => isolates.reset() }
  },
}

export class Isolates implements Others {
  readonly #host: IsolatesHost
  #known: Isolate[] = []
  readonly #cleared = new Set<Isolate>()

  constructor(host: IsolatesHost) {
    this.#host = host
  }

  get main(): Isolate {
    return this.#host.causality.main
  }

  /** Whether there are none. */
  get isEmpty(): boolean {
    return this.#known.length === 0
  }

  add(isolate: Isolate): void {
    this.#known.push(isolate)
    isolate.parent?.children.add(isolate)
  }

  get isUnsettled(): boolean {
    return this.#known.some((isolate) => isolate.hasEnded || this.#isIdle(isolate))
  }

  settle(): boolean {
    for (const isolate of this.#known) {
      if (this.#isIdle(isolate)) {
        this.#host.causality.resume(isolate)
        this.#host.finish(isolate, () => this.#isAlive(isolate))
      }
      if (isolate.hasEnded && this.#release(isolate)) return true
    }
    return false
  }

  reset(): void {
    if (this.isEmpty) return
    this.#known = []
    this.#cleared.clear()
  }

  /** Whether it has nothing left to run. */
  #isIdle(isolate: Isolate): boolean {
    return !isolate.hasEnded && !isolate.isBlocked && isolate.isStarted && !this.#isAlive(isolate)
  }

  #isAlive(isolate: Isolate): boolean {
    return alive(this.#host, isolate)
  }

  /** Returns whether nothing of it is left. */
  #release(isolate: Isolate): boolean {
    const { pool, timers } = this.#host
    if (!this.#cleared.has(isolate)) {
      this.#cleared.add(isolate)
      // A process that exits joins the threads of its pool, which work off their queue before.
      if (isolate.parent !== undefined || isolate.process.signal !== '') pool.cancel(isolate)
      timers.clear(isolate)
      for (const child of isolate.children) child.exitCode ??= 1
    }
    if (isolate.children.size > 0 || pool.pendingOf(isolate)) return false
    this.#known = this.#known.filter((each) => each !== isolate)
    isolate.parent?.children.delete(isolate)
    if (isolate.parent === undefined) isolate.process.hasEnded = true
    const { parent } = isolate
    this.#host.causality.resume(isolate, parent === undefined || parent.hasEnded ? this.main : parent)
    this.#host.released(isolate)
    return true
  }
}
