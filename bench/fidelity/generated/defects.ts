/** Defects that norn's loop once had, to be found by generated programs. */
import type { Replacement } from '../mutants.ts'

export const DEFECTS: readonly Replacement[] = [
  {
    name: 'a port made in a callback of the pool is served in the same poll phase',
    file: 'packages/norn/src/world/loop/async-handles.ts',
    find: `
    this.#toServe = this.#handles
    this.#handles = []
  }

  /** The next callback of the current round; undefined when the round is over. */
  take(nowUs: number): Arrival | undefined {`,
    replace: `
  }

  take(nowUs: number): Arrival | undefined {
    if (this.#toServe === undefined) {
      this.#toServe = this.#handles
      this.#handles = []
    }`,
  },
  {
    name: 'dns.lookup takes all threads of the pool',
    file: 'packages/norn/src/world/loop/pool.ts',
    find: 'const SLOW_THREADS = 2',
    replace: 'const SLOW_THREADS = 4',
  },
]
