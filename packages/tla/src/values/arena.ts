/**
 * Interning of values by hash-consing (Ershov 1958; Filliâtre and Conchon 2006): a composite value
 * is looked up by its kind and its parts, so equal values are one object.
 *
 * Invariants: the parts of an interned value are canonical and of the same arena; the elements of a
 * set are sorted by `compare`, without duplicates; a function is a tuple or record if it can be.
 * `code` identifies a value exactly, by 32 bits.
 *
 * The hash of a composite is the sum of the hashes of its parts, each mixed with its index (except
 * in a set). So a value that differs from a known one in one part, as most steps make it, is looked
 * up without hashing or copying the rest, and without allocation if it is known.
 *
 * Array arguments are copied into new values: callers may reuse them.
 */
import { CELL_BYTES, Cell, room } from './cell.ts'
import { insertInTurn, isAmong, isSame, sortDistinct } from './elements.ts'
import { hashText, mix, part, sum } from './hash.ts'
import { HashTable } from './hash-table.ts'
import { HeapFull, type Memory, UNLIMITED_MEMORY } from './memory.ts'
import { compare } from './order.ts'
import { Ranking } from './ranking.ts'
import type {
  Canonical,
  FunctionValue,
  Interned,
  ModelValue,
  RecordValue,
  SetValue,
  Shape,
  StringValue,
  Tuple,
} from './value.ts'

const FIRST_CODED = 1 << 12
/** Bytes allocated between two checks of the arena's and the heap's size. */
const LOOK_EVERY = 1 << 21
/** Size of the first `reclaim`, in bytes and as a share of the heap; then at twice what was kept. */
const [LARGE, LARGE_SHARE] = [2 ** 28, 0.3]
/** Growth required before the next `reclaim`. */
const REGROWN = 1.25
const SEEDS = { string: 3, 'model value': 5, set: 7, function: 11, tuple: 13, record: 17 } as const
/** Sets of at most this size are looked up before their elements are sorted. */
const FEW = 16
/** Bounds of the interval cache: the number of lowest elements, and the length. */
const MOST_INTERVALS = 300
/** Integers below this fit into a code directly. */
const DIRECT = 2 ** 30
const [CODE_TRUE, CODE_FALSE] = [-2, -4]
const NONE: readonly Canonical[] = room(0)

type Composite = 'set' | 'function' | 'tuple' | 'record'

export class Arena {
  /** By id; undefined if reclaimed. */
  readonly #cells: (Cell | undefined)[] = []
  /** No smaller id is free. */
  #firstFree = 0
  #size = 0
  /** Bytes allocated since the last check of the size. */
  #made = 0
  /** By id, whether its code was handed out, so that `decode` may need it. */
  #isCoded = new Uint8Array(FIRST_CODED)
  readonly #firstReclaimAt: number
  #reclaimAt: number
  #bytesKept = 0
  #generation = 0
  /** The composite values. */
  readonly #table = new HashTable()
  #parts = 0
  readonly #strings = new Map<string, Cell>()
  readonly #modelValues = new Map<string, Cell>()
  readonly #rankedStrings = new Ranking()
  readonly #rankedModelValues = new Ranking()
  readonly #shapes = new Map<string, Shape>()
  /** Cache of intervals, by lowest element and then by length. */
  readonly #intervals = new Map<number, SetValue[]>()
  /** Integers that do not fit into a code. */
  readonly #large: number[] = []
  readonly #largeCodes = new Map<number, number>()
  readonly memory: Memory
  readonly emptySet: SetValue
  readonly emptyTuple: Tuple
  /** `BOOLEAN`. */
  readonly booleans: SetValue

  /** @param memory of the platform; default: unlimited */
  constructor(memory: Memory = UNLIMITED_MEMORY) {
    this.memory = memory
    this.#firstReclaimAt = Math.min(LARGE, memory.room * LARGE_SHARE)
    this.#reclaimAt = this.#firstReclaimAt
    this.emptySet = this.sortedSet([])
    this.emptyTuple = this.tuple([])
    this.booleans = this.sortedSet([false, true])
  }

  /** Number of values. */
  get size(): number {
    return this.#size
  }

  /** Estimated memory of the values. */
  get bytes(): number {
    return this.#size * CELL_BYTES + this.#parts * 8 + this.#table.bytes
  }

  /** Changes with each `reclaim`: after it, an id may stand for another value. */
  get generation(): number {
    return this.#generation
  }

  /** Whether the arena has grown enough since the last `reclaim` for another to pay. */
  get hasGrown(): boolean {
    return this.bytes >= this.#bytesKept * REGROWN
  }

  /**
   * Drops unreachable values, except those whose code was handed out. Takes about a microsecond per
   * value.
   */
  reclaim(): void {
    const cells = this.#cells
    const isCoded = this.#isCoded
    this.#size -= this.memory.dropUnreachable(cells, (id) => isCoded[id] === 1)
    this.#firstFree = 0
    this.#generation++
    this.#parts = 0
    this.#table.clear()
    for (const cell of cells) {
      if (cell === undefined) continue
      this.#parts += cell.elements.length
      if (cell.kind !== 'string' && cell.kind !== 'model value') this.#table.add(cell.hash, cell.id)
    }
    this.#bytesKept = this.bytes
    this.#reclaimAt = Math.max(this.#firstReclaimAt, 2 * this.#bytesKept)
  }

  string(text: string): StringValue {
    let cell = this.#strings.get(text)
    if (cell === undefined) {
      cell = this.#add('string', hashText(text, SEEDS.string), NONE, undefined, text)
      this.#strings.set(text, cell)
      this.#rankedStrings.add(cell)
    }
    return cell as unknown as StringValue
  }

  modelValue(name: string): ModelValue {
    let cell = this.#modelValues.get(name)
    if (cell === undefined) {
      cell = this.#add('model value', hashText(name, SEEDS['model value']), NONE, undefined, name)
      this.#modelValues.set(name, cell)
      this.#rankedModelValues.add(cell)
    }
    return cell as unknown as ModelValue
  }

  /**
   * The set of values in any order, with duplicates; sorts the array.
   * @throws TlaError if they are not comparable
   */
  set(elements: Canonical[]): SetValue {
    if (elements.length <= FEW) return this.#smallSet(elements)
    for (let at = 1; at < elements.length; at++) {
      const [before, element] = [elements[at - 1]!, elements[at]!]
      if (before === element || compare(before, element) > 0) {
        sortDistinct(elements)
        break
      }
    }
    return this.sortedSet(elements)
  }

  /** Nearly always known, so that the elements need not be sorted. */
  #smallSet(elements: Canonical[]): SetValue {
    let length = 0
    let hash: number = SEEDS.set
    for (let at = 0; at < elements.length; at++) {
      const element = elements[at]!
      if (isAmong(elements, length, element)) continue
      elements[length++] = element
      hash = (hash + part(element, 0)) | 0
    }
    elements.length = length
    const table = this.#table
    for (let slot = table.first(hash); slot >= 0; slot = table.next(hash, slot)) {
      const cell = this.#cells[table.idAt(slot)]!
      if (cell.kind !== 'set' || cell.elements.length !== length) continue
      let same = 0
      while (same < length && isAmong(cell.elements, length, elements[same]!)) same++
      if (same === length) return cell as unknown as SetValue
    }
    insertInTurn(elements)
    const result = room(length)
    for (let at = 0; at < length; at++) result[at] = elements[at]!
    return this.#insert('set', hash, result, undefined, undefined) as unknown as SetValue
  }

  /** The set of values that are already sorted and distinct. */
  sortedSet(elements: readonly Canonical[]): SetValue {
    let hash: number = SEEDS.set
    for (let at = 0; at < elements.length; at++) hash = (hash + part(elements[at]!, 0)) | 0
    return this.#intern('set', hash, elements, undefined, undefined) as unknown as SetValue
  }

  /** `set \cup {element}` if it is known; `element` is not in the set. */
  knownSetWith(set: SetValue, element: Canonical): SetValue | undefined {
    const hash = (set.hash + part(element, 0)) | 0
    const { elements } = set
    const { length } = elements
    const table = this.#table
    for (let slot = table.first(hash); slot >= 0; slot = table.next(hash, slot)) {
      const cell = this.#cells[table.idAt(slot)]!
      if (cell.kind !== 'set' || cell.elements.length !== length + 1) continue
      let place = 0
      while (place < length && cell.elements[place] === elements[place]) place++
      if (cell.elements[place] === element && isSame(cell.elements, elements, place, length, 1)) {
        return cell as unknown as SetValue
      }
    }
    return undefined
  }

  /** `set \cup {element}`, not known yet; `element` belongs at index `place`. */
  setWith(set: SetValue, place: number, element: Canonical): SetValue {
    const { elements } = set
    const length = elements.length + 1
    const result = room(length)
    for (let at = 0; at < place; at++) result[at] = elements[at]!
    result[place] = element
    for (let at = place + 1; at < length; at++) result[at] = elements[at - 1]!
    const hash = (set.hash + part(element, 0)) | 0
    return this.#insert('set', hash, result, undefined, undefined) as unknown as SetValue
  }

  /** The set without the element at index `place`. */
  setWithout(set: SetValue, place: number): SetValue {
    const { elements } = set
    const hash = (set.hash - part(elements[place]!, 0)) | 0
    const length = elements.length - 1
    const table = this.#table
    for (let slot = table.first(hash); slot >= 0; slot = table.next(hash, slot)) {
      const cell = this.#cells[table.idAt(slot)]!
      if (cell.kind !== 'set' || cell.elements.length !== length) continue
      if (isSame(elements, cell.elements, 0, place, 0) && isSame(elements, cell.elements, place, length, 1)) {
        return cell as unknown as SetValue
      }
    }
    const result = room(length)
    for (let at = 0; at < place; at++) result[at] = elements[at]!
    for (let at = place; at < length; at++) result[at] = elements[at + 1]!
    return this.#insert('set', hash, result, undefined, undefined) as unknown as SetValue
  }

  /** `low..high`, listed; cached. */
  interval(low: number, high: number): SetValue {
    if (high < low) return this.emptySet
    let from = this.#intervals.get(low)
    if (from === undefined) {
      from = []
      if (this.#intervals.size < MOST_INTERVALS) this.#intervals.set(low, from)
    }
    const length = high - low + 1
    const known = from[length]
    if (known !== undefined) return known
    const interval = this.sortedSet(Array.from({ length }, (_, at) => low + at))
    if (length < MOST_INTERVALS) from[length] = interval
    return interval
  }

  tuple(elements: readonly Canonical[]): Tuple {
    return this.#intern('tuple', sum(SEEDS.tuple, elements), elements, undefined, undefined) as unknown as Tuple
  }

  /** `Append(tuple, element)`. */
  appended(tuple: Tuple, element: Canonical): Tuple {
    const { elements } = tuple
    const { length } = elements
    const hash = (tuple.hash + part(element, length)) | 0
    const table = this.#table
    for (let slot = table.first(hash); slot >= 0; slot = table.next(hash, slot)) {
      const cell = this.#cells[table.idAt(slot)]!
      if (cell.kind !== 'tuple' || cell.elements.length !== length + 1 || cell.elements[length] !== element) continue
      if (isSame(cell.elements, elements, 0, length, 0)) return cell as unknown as Tuple
    }
    const result = room(length + 1)
    for (let at = 0; at < length; at++) result[at] = elements[at]!
    result[length] = element
    return this.#insert('tuple', hash, result, undefined, undefined) as unknown as Tuple
  }

  /** The shape of records with these fields, distinct and in any order. */
  shape(names: readonly string[]): Shape {
    const sorted = names.toSorted((a, b) => (a < b ? -1 : 1))
    const key = sorted.join('\0')
    let shape = this.#shapes.get(key)
    if (shape === undefined) {
      const domain = this.set(sorted.map((name) => this.string(name)))
      const texts = domain.elements.map((name) => (name as StringValue).text)
      shape = { id: this.#shapes.size, names: texts, domain, sort: -1 }
      this.#shapes.set(key, shape)
    }
    return shape
  }

  /** A record; `shape` is not empty, and `elements` are in the order of its names. */
  record(shape: Shape, elements: readonly Canonical[]): RecordValue {
    const hash = sum(mix(SEEDS.record, shape.domain.hash), elements)
    return this.#intern('record', hash, elements, shape.domain, shape) as unknown as RecordValue
  }

  /** A function in canonical form; `elements` are in the order of `domain`. */
  function(domain: SetValue, elements: readonly Canonical[]): FunctionValue | Tuple | RecordValue {
    const keys = domain.elements
    const first = keys[0]
    if (first === undefined) return this.emptyTuple
    // Sorted and distinct: if the first is 1 and the last is n, they are 1..n.
    if (first === 1 && keys[keys.length - 1] === keys.length) return this.tuple(elements)
    if (typeof first === 'object' && first.kind === 'string') {
      const shape = this.#shapeOf(domain)
      if (shape !== null) return this.record(shape, elements)
    }
    const hash = sum(mix(SEEDS.function, domain.hash), elements)
    return this.#intern('function', hash, elements, domain, undefined) as unknown as FunctionValue
  }

  /** The tuple, record or function with its element at index `place` replaced. */
  withElement<Kind extends Tuple | RecordValue | FunctionValue>(value: Kind, place: number, element: Canonical): Kind {
    const { elements, kind } = value
    const before = elements[place]!
    if (before === element) return value
    const { domain, extra } = value as unknown as Cell
    const hash = (value.hash - part(before, place) + part(element, place)) | 0
    const { length } = elements
    const table = this.#table
    for (let slot = table.first(hash); slot >= 0; slot = table.next(hash, slot)) {
      const cell = this.#cells[table.idAt(slot)]!
      if (cell.kind !== kind || cell.domain !== domain) continue
      if (cell.elements.length !== length || cell.elements[place] !== element) continue
      if (isSame(cell.elements, elements, 0, place, 0) && isSame(cell.elements, elements, place + 1, length, 0)) {
        return cell as unknown as Kind
      }
    }
    const result = room(length)
    for (let at = 0; at < length; at++) result[at] = elements[at]!
    result[place] = element
    return this.#insert(kind, hash, result, domain, extra as Shape | undefined) as unknown as Kind
  }

  /** 32 bits that identify the value in this arena. */
  code(value: Canonical): number {
    if (typeof value === 'number') {
      if (value < DIRECT && value >= -DIRECT) return (value << 1) | 1
      let code = this.#largeCodes.get(value)
      if (code === undefined) {
        // Below those of the booleans; interned values have codes from 0.
        code = -6 - 2 * this.#large.length
        this.#large.push(value)
        this.#largeCodes.set(value, code)
      }
      return code
    }
    if (typeof value === 'boolean') return value ? CODE_TRUE : CODE_FALSE
    this.#isCoded[value.id] = 1
    return value.id << 1
  }

  /** The value with a code. */
  decode(code: number): Canonical {
    if ((code & 1) === 1) return code >> 1
    if (code >= 0) return this.#cells[code >> 1]! as unknown as Interned
    if (code === CODE_TRUE) return true
    if (code === CODE_FALSE) return false
    return this.#large[(-6 - code) / 2]!
  }

  /** Null if not all elements are strings. Cached in the set. */
  #shapeOf(domain: SetValue): Shape | null {
    const cell = domain as unknown as Cell
    if (cell.extra === undefined) {
      const isShape = domain.elements.every((key) => typeof key === 'object' && key.kind === 'string')
      cell.extra = isShape ? this.shape(domain.elements.map((key) => (key as StringValue).text)) : null
    }
    return cell.extra as Shape | null
  }

  #intern(
    kind: Composite,
    hash: number,
    elements: readonly Canonical[],
    domain: SetValue | undefined,
    shape: Shape | undefined,
  ): Cell {
    const { length } = elements
    const table = this.#table
    for (let slot = table.first(hash); slot >= 0; slot = table.next(hash, slot)) {
      const cell = this.#cells[table.idAt(slot)]!
      if (cell.kind !== kind || cell.domain !== domain || cell.elements.length !== length) continue
      if (isSame(cell.elements, elements, 0, length, 0)) return cell
    }
    const result = room(length)
    for (let at = 0; at < length; at++) result[at] = elements[at]!
    return this.#insert(kind, hash, result, domain, shape)
  }

  /** Adds a composite value that is not known yet. */
  #insert(
    kind: Composite,
    hash: number,
    elements: readonly Canonical[],
    domain: SetValue | undefined,
    shape: Shape | undefined,
  ): Cell {
    const cell = this.#add(kind, hash, elements, domain, shape)
    this.#table.add(hash, cell.id)
    return cell
  }

  #add(
    kind: Interned['kind'],
    hash: number,
    elements: readonly Canonical[],
    domain: SetValue | undefined,
    extra: string | Shape | undefined,
  ): Cell {
    const cells = this.#cells
    while (this.#firstFree < cells.length && cells[this.#firstFree] !== undefined) this.#firstFree++
    const id = this.#firstFree
    const cell = new Cell(kind, id, hash, elements, domain, extra)
    cells[id] = cell
    this.#size++
    this.#parts += elements.length
    if (id >= this.#isCoded.length) this.#isCoded = doubled(this.#isCoded)
    this.#made += CELL_BYTES + elements.length * 8
    if (this.#made > LOOK_EVERY) this.#look()
    return cell
  }

  /** @throws HeapFull */
  #look(): void {
    this.#made = 0
    if (this.bytes >= this.#reclaimAt || (this.hasGrown && this.memory.isTight())) this.reclaim()
    if (this.memory.isOverfull()) throw new HeapFull(this.memory)
  }
}

function doubled(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const result = new Uint8Array(2 * bytes.length)
  result.set(bytes)
  return result
}
