/** Numbers below a bound for which something must be computed again; each is listed once. */
export class Stale {
  readonly #has: (boolean | undefined)[]
  /** Only the first `#count` count, because setting the length of an array is slow. */
  readonly #list: number[] = []
  #count = 0

  constructor(bound: number) {
    this.#has = new Array<undefined>(bound)
  }

  add(number: number): void {
    if (this.#has[number] === true) return
    this.#has[number] = true
    this.#list[this.#count++] = number
  }

  /** Removes one of them; -1 if there is none. */
  take(): number {
    if (this.#count === 0) return -1
    const number = this.#list[--this.#count]!
    this.#has[number] = false
    return number
  }
}
