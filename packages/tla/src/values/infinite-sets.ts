/** `Nat`, `Int`, `Real`, `STRING` and `Seq(S)`. */
import type { Arena } from './arena.ts'
import { equal } from './equality.ts'
import { member } from './member.ts'
import { printPart } from './print.ts'
import { foreign, infinite, refuseMember, Symbolic } from './symbolic-set.ts'
import type { Canonical, Value } from './value.ts'

abstract class Infinite extends Symbolic {
  // biome-ignore lint/correctness/useYield: it has no elements to give, only a reason why not
  *elements(): Iterable<Canonical> {
    throw infinite(this)
  }

  size(): number {
    return Number.POSITIVE_INFINITY
  }
}

/** `Nat` and `Int`. */
export class Integers extends Infinite {
  /** 0 for `Nat`. */
  readonly low: number

  constructor(arena: Arena, low: number) {
    super(arena)
    this.low = low
  }

  describe(): string {
    return this.low === 0 ? 'Nat' : 'Int'
  }

  override finite(): string {
    return this.low === 0 ? '0..9' : '-9..9'
  }

  has(value: Value): boolean {
    return typeof value === 'number' ? value >= this.low : foreign(value, this)
  }

  isSame(other: Integers): boolean {
    return this.low === other.low
  }
}

/** `Real`, which TLC knows by name only. */
export class Reals extends Infinite {
  describe(): string {
    return 'Real'
  }

  has(value: Value): boolean {
    throw refuseMember(value, this)
  }

  isSame(): boolean {
    return true
  }
}

/** `STRING`. */
export class Strings extends Infinite {
  describe(): string {
    return 'STRING'
  }

  has(value: Value): boolean {
    return (typeof value === 'object' && value.kind === 'string') || foreign(value, this)
  }

  isSame(): boolean {
    return true
  }
}

/** `Seq(S)`: infinite even if `S` is empty, as TLC has it. */
export class Sequences extends Infinite {
  readonly set: Value

  constructor(arena: Arena, set: Value) {
    super(arena)
    this.set = set
  }

  describe(): string {
    return `Seq(${printPart(this.set)})`
  }

  override finite(): string | undefined {
    return this.#isFinite() ? `UNION {[1..n -> ${printPart(this.set)}] : n \\in 0..3}` : undefined
  }

  #isFinite(): boolean {
    const { set } = this
    return (
      typeof set === 'object' && (set.kind === 'set' || (set.kind === 'symbolic set' && Number.isFinite(set.size())))
    )
  }

  has(value: Value): boolean {
    if (typeof value !== 'object') return foreign(value, this)
    if (value.kind === 'rule function') return this.has(value.toFunction())
    if (value.kind !== 'tuple') return foreign(value, this)
    for (const element of value.elements) if (!member(element, this.set)) return false
    return true
  }

  isSame(other: Sequences): boolean {
    return equal(this.set, other.set)
  }
}
