/** A bound on the memory of a check, which its caches count themselves against. */
export class Memory {
  readonly limitBytes: number
  #usedBytes = 0

  constructor(limitBytes: number) {
    this.limitBytes = limitBytes
  }

  /** Whether there is room, which is then taken. */
  take(bytes: number): boolean {
    if (this.#usedBytes + bytes > this.limitBytes) return false
    this.#usedBytes += bytes
    return true
  }

  /** Counts what exists already, past the bound if need be. */
  count(bytes: number): void {
    this.#usedBytes += bytes
  }

  release(bytes: number): void {
    this.#usedBytes -= bytes
  }

  /** Why a search ended, and what to do. */
  reason(what: string): string {
    const limitMb = Number((this.limitBytes / 2 ** 20).toPrecision(3))
    return `${what} takes more memory than ${limitMb} MB: raise the bound on memory`
  }

  get isExceeded(): boolean {
    return this.#usedBytes > this.limitBytes
  }
}
