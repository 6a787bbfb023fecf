/**
 * Calls and returns of operations in the order of time: a list that operations are taken from and put
 * back into, in any order, while it grows at its end.
 */
export class TimeLine {
  /** Of entries, numbered from 1 in the order of time; 0 is before the first one and after the last. */
  readonly #next: number[] = [0]
  readonly #previous: number[] = [0]
  /** The operation that is called, or ~operation if it returns. */
  readonly #kind: number[] = [0]
  readonly #call: number[] = []
  readonly #return: number[] = []

  /** An operation is called now; it gets the next number, from 0. It is not in the list yet. */
  call(): number {
    this.#return.push(Number.POSITIVE_INFINITY)
    return this.#call.push(this.#entry(this.#call.length)) - 1
  }

  /** An operation returns now. */
  return(operation: number): void {
    this.#return[operation] = this.#entry(~operation)
  }

  /** Whether one has returned before the other was called. */
  precedes(operation: number, other: number): boolean {
    return this.#return[operation]! < this.#call[other]!
  }

  /** Puts in the call, and the return if it has returned. */
  put(operation: number): void {
    const next = this.#put(this.#call[operation]!, this.#next[0]!)
    const returned = this.#return[operation]!
    if (returned !== Number.POSITIVE_INFINITY) this.#put(returned, next)
  }

  /** Takes out what is in the list of an operation. */
  take(operation: number): void {
    this.#take(this.#call[operation]!)
    const returned = this.#return[operation]!
    if (returned !== Number.POSITIVE_INFINITY) this.#take(returned)
  }

  /** The first entry; 0 if there is none. */
  get first(): number {
    return this.#next[0]!
  }

  after(entry: number): number {
    return this.#next[entry]!
  }

  /** The operation whose call an entry is, or a negative number. */
  called(entry: number): number {
    return entry === 0 ? -1 : this.#kind[entry]!
  }

  /** The operation whose return an entry is. */
  returned(entry: number): number {
    return ~this.#kind[entry]!
  }

  /** The operation that returns first, of those in the list. */
  get firstReturning(): number {
    let entry = this.#next[0]!
    while (this.#kind[entry]! >= 0) entry = this.#next[entry]!
    return ~this.#kind[entry]!
  }

  #entry(kind: number): number {
    this.#next.push(-1)
    this.#previous.push(-1)
    return this.#kind.push(kind) - 1
  }

  /** @param from an entry that is not after it, or the one it is put before */
  #put(entry: number, from: number): number {
    const next = this.#next
    const previous = this.#previous
    let after = from
    if (previous[0]! < entry) after = 0
    while (after !== 0 && after < entry) after = next[after]!
    const before = previous[after]!
    next[before] = entry
    previous[entry] = before
    next[entry] = after
    previous[after] = entry
    return after
  }

  #take(entry: number): void {
    const next = this.#next[entry]!
    if (next < 0) return
    const previous = this.#previous[entry]!
    this.#next[previous] = next
    this.#previous[next] = previous
    this.#next[entry] = -1
  }
}
