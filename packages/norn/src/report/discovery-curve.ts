/**
 * The discovery curve of a search: what was discovered by which execution, in a bounded number of points.
 * It never falls: several workers report in turns, each what it has discovered itself.
 */

const MAX_POINTS = 120

export class DiscoveryCurve {
  #points: (readonly [executions: number, discovered: number])[] = []
  #every = 1
  #seen = 0
  #most = 0

  add(executions: number, discovered: number): void {
    this.#most = Math.max(this.#most, discovered)
    // While a failure shrinks, the search stands still.
    if (this.#points.at(-1)?.[0] === executions) return
    if (this.#seen++ % this.#every !== 0) return
    this.#points.push([executions, this.#most])
    if (this.#points.length < MAX_POINTS) return
    this.#points = this.#points.filter((_, index) => index % 2 === 0)
    this.#every *= 2
  }

  /** The points, from the first execution to the last. */
  ending(executions: number, discovered: number): readonly (readonly [executions: number, discovered: number])[] {
    const inside = this.#points.filter(([at]) => at < executions)
    return [[0, 0], ...inside, [executions, Math.max(this.#most, discovered)]]
  }
}
