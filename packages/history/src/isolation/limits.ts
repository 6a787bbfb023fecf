/** What a check may use. Past it the check ends with an unknown verdict, by way of this error. */
export class LimitError extends Error {
  override readonly name = 'LimitError'
}

export class Limits {
  readonly #memoryBytes: number
  readonly #deadline: number
  #usedBytes = 0

  constructor(memoryMb: number | undefined, budgetMs: number | undefined) {
    this.#memoryBytes = (memoryMb ?? Number.POSITIVE_INFINITY) * 1024 * 1024
    this.#deadline = performance.now() + (budgetMs ?? Number.POSITIVE_INFINITY)
  }

  /**
   * To be called before the memory is allocated.
   *
   * @param purpose `to order the versions`
   * @throws LimitError if that is more than the bound leaves
   */
  reserve(bytes: number, purpose: string): void {
    this.#usedBytes += bytes
    if (this.#usedBytes <= this.#memoryBytes) return
    const mb = (amount: number) => `${Math.ceil(amount / 1024 / 1024)} MB`
    throw new LimitError(
      `memory: ${mb(this.#usedBytes)} needed ${purpose}, beside the history, and ${mb(this.#memoryBytes)} left; ` +
        'raise the bound',
    )
  }

  /** Memory that has been dropped. */
  release(bytes: number): void {
    this.#usedBytes -= bytes
  }

  /** @throws LimitError if the time is up */
  checkTime(): void {
    if (performance.now() > this.#deadline) throw new LimitError('time: the budget is used up; raise the budget')
  }
}
