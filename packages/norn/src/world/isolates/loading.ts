/** A program while it loads: a process or thread that ends meanwhile, because nothing is left to do, says so. */
import type { ModuleGraph, Preload } from '../../loader/resolve.ts'

export class Loading {
  /** Whether its modules wait for a promise. */
  isUnfinished = false
  readonly #caught: (error: unknown) => void

  /** @param caught hears of what a promise of its modules rejects with */
  constructor(caught: (error: unknown) => void) {
    this.#caught = caught
  }

  /**
   * Runs it behind what it preloads, which Node does not call unfinished. What it throws at once is thrown.
   */
  begin(graph: ModuleGraph, preloads: readonly Preload[], run: () => void | Promise<unknown>): void {
    const loading = graph.loadFirst(preloads)
    if (loading === undefined) this.follow(run())
    else loading.then(() => this.follow(run())).catch(this.#caught)
  }

  follow(pending: void | Promise<unknown>): void {
    if (pending === undefined) return
    this.isUnfinished = true
    pending.then(() => {
      this.isUnfinished = false
    }, this.#caught)
  }
}
