/** The counters of a program, such as hits of its lines, summed over an execution. */
import { ShapeError } from './protocol.ts'

const MAX_HITS = 2 ** 32 - 1

export class ProgramCoverage {
  /** Hits, by counter; valid until the next execution. */
  readonly counters: Uint32Array

  /** @param counters how many there are */
  constructor(counters: number) {
    this.counters = new Uint32Array(counters)
  }

  reset(): void {
    this.counters.fill(0)
  }

  /**
   * Adds what an answer counted.
   *
   * @param coverage numbers of counters, each followed by its hits; undefined: none were hit
   * @throws ShapeError
   */
  add(coverage: unknown): void {
    if (coverage === undefined) return
    if (!Array.isArray(coverage) || coverage.length % 2 !== 0)
      throw new ShapeError('coverage: expected a list of counters, each followed by its hits')
    const { counters } = this
    for (let at = 0; at < coverage.length; at += 2) {
      const [counter, hits] = [coverage[at], coverage[at + 1]]
      if (!isInteger(counter, 0, counters.length - 1))
        throw new ShapeError(`coverage[${at}]: expected a counter, 0 to ${counters.length - 1}, got ${shown(counter)}`)
      if (!isInteger(hits, 1, MAX_HITS))
        throw new ShapeError(`coverage[${at + 1}]: expected hits, 1 to ${MAX_HITS}, got ${shown(hits)}`)
      counters[counter] = Math.min(counters[counter]! + hits, MAX_HITS)
    }
  }
}

function isInteger(value: unknown, least: number, most: number): value is number {
  return Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most
}

function shown(value: unknown): string {
  return JSON.stringify(value).slice(0, 100)
}
