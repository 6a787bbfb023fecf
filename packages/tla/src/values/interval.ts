/** `low..high` with too many elements to list. */
import type { Arena } from './arena.ts'
import { foreign, Symbolic } from './symbolic-set.ts'
import type { Canonical, Value } from './value.ts'

export class Interval extends Symbolic {
  readonly low: number
  /** Not below `low`. */
  readonly high: number

  constructor(arena: Arena, low: number, high: number) {
    super(arena)
    this.low = low
    this.high = high
  }

  describe(): string {
    return `${this.low}..${this.high}`
  }

  has(value: Value): boolean {
    return typeof value === 'number' ? value >= this.low && value <= this.high : foreign(value, this)
  }

  *elements(): Iterable<Canonical> {
    for (let element = this.low; element <= this.high; element++) yield element
  }

  size(): number {
    return this.high - this.low + 1
  }

  isSame(other: Interval): boolean {
    return this.low === other.low && this.high === other.high
  }
}
