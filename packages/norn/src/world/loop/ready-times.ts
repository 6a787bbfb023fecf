/**
 * Descriptors by the time at which they become ready: a binary heap, the earliest first, so that
 * thousands of connections cost a turn of the loop no more than those that are ready. Pure.
 */

export interface Timed {
  /** In microseconds of virtual time. */
  readonly readyUs: number
  /** Whether nobody polls it at present. */
  readonly isBlocked: boolean
  /** Its place in the heap, which alone changes it; -1 outside. */
  place: number
}

export class ReadyTimes<Item extends Timed> {
  readonly #heap: Item[] = []

  add(item: Item): void {
    this.#heap.push(item)
    this.#rise(item, this.#heap.length - 1)
  }

  remove(item: Item): void {
    const { place } = item
    const last = this.#heap.pop()!
    item.place = -1
    if (last === item) return
    this.#set(last, place)
    this.changed(last)
  }

  /** The time of an item has changed. */
  changed(item: Item): void {
    this.#rise(item, item.place)
    this.#sink(item, item.place)
  }

  /**
   * The earliest time, infinite if there is none.
   *
   * @param afterUs leaves out those that are ready by then
   */
  next(afterUs = Number.NEGATIVE_INFINITY): number {
    return this.#next(0, afterUs, Number.POSITIVE_INFINITY)
  }

  /** Those that are ready, in no order. */
  readyBy(nowUs: number): Item[] {
    const ready: Item[] = []
    this.#collect(0, nowUs, ready)
    return ready
  }

  #next(at: number, afterUs: number, leastUs: number): number {
    const item = this.#heap[at]
    if (item === undefined || item.readyUs >= leastUs) return leastUs
    if (item.readyUs > afterUs && !item.isBlocked) return item.readyUs
    return this.#next(2 * at + 2, afterUs, this.#next(2 * at + 1, afterUs, leastUs))
  }

  #collect(at: number, nowUs: number, ready: Item[]): void {
    const item = this.#heap[at]
    if (item === undefined || item.readyUs > nowUs) return
    if (!item.isBlocked) ready.push(item)
    this.#collect(2 * at + 1, nowUs, ready)
    this.#collect(2 * at + 2, nowUs, ready)
  }

  #rise(item: Item, from: number): void {
    let at = from
    while (at > 0) {
      const above = (at - 1) >> 1
      const parent = this.#heap[above]!
      if (parent.readyUs <= item.readyUs) break
      this.#set(parent, at)
      at = above
    }
    this.#set(item, at)
  }

  #sink(item: Item, from: number): void {
    let at = from
    for (;;) {
      let below = 2 * at + 1
      let child = this.#heap[below]
      const other = this.#heap[below + 1]
      if (child === undefined) break
      if (other !== undefined && other.readyUs < child.readyUs) [child, below] = [other, below + 1]
      if (child.readyUs >= item.readyUs) break
      this.#set(child, at)
      at = below
    }
    this.#set(item, at)
  }

  #set(item: Item, place: number): void {
    this.#heap[place] = item
    item.place = place
  }
}
