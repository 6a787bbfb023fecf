/**
 * Interning of values by hash-consing (Ershov 1958; Filliâtre and Conchon 2006): a composite value is looked up by its kind
 * and the codes of its parts, so equal values are one object.
 *
 * Invariants: the parts of an interned value are canonical and of the same arena; the elements of a set are sorted by
 * `compare`, without duplicates; a function is a tuple or record if it can be. `code` names a value by 32 bits, exactly.
 */
import { compare } from './order.ts'
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

/** One class for all kinds, so that property reads stay monomorphic. */
class Cell {
  readonly kind: Interned['kind']
  readonly id: number
  readonly hash: number
  readonly text: string
  readonly type: string
  readonly domain: SetValue | undefined
  readonly shape: Shape | undefined
  readonly elements: readonly Canonical[]

  constructor(
    kind: Interned['kind'],
    id: number,
    hash: number,
    elements: readonly Canonical[],
    domain: SetValue | undefined,
    shape: Shape | undefined,
    text: string,
    type: string,
  ) {
    this.kind = kind
    this.id = id
    this.hash = hash
    this.text = text
    this.type = type
    this.domain = domain
    this.shape = shape
    this.elements = elements
  }
}

const FIRST_SIZE = 1 << 12
const SEEDS = { string: 3, 'model value': 5, set: 7, function: 11, tuple: 13, record: 17 } as const
/** Intervals that are kept: of so many lowest elements, and of less than so many elements. */
const MOST_INTERVALS = 300
/** Integers below this fit into a code directly. */
const DIRECT = 2 ** 30
const [CODE_TRUE, CODE_FALSE] = [-2, -4]

export class Arena {
  #cells: Cell[] = []
  #table: (Cell | undefined)[] = new Array(FIRST_SIZE).fill(undefined)
  #mask = FIRST_SIZE - 1
  readonly #strings = new Map<string, Cell>()
  readonly #modelValues = new Map<string, Cell>()
  readonly #shapes = new Map<string, Shape>()
  /** By their lowest element and then by their size. */
  readonly #intervals = new Map<number, SetValue[]>()
  /** Integers that do not fit into a code. */
  readonly #large: number[] = []
  readonly #largeCodes = new Map<number, number>()
  readonly emptySet: SetValue
  readonly emptyTuple: Tuple
  /** `BOOLEAN`. */
  readonly booleans: SetValue

  constructor() {
    this.emptySet = this.sortedSet([])
    this.emptyTuple = this.tuple([])
    this.booleans = this.sortedSet([false, true])
  }

  /** How many values there are. */
  get size(): number {
    return this.#cells.length
  }

  string(text: string): StringValue {
    const known = this.#strings.get(text)
    if (known !== undefined) return known as unknown as StringValue
    const cell = this.#add('string', hashText(text, SEEDS.string), [], undefined, undefined, text, '')
    this.#strings.set(text, cell)
    return cell as unknown as StringValue
  }

  modelValue(name: string): ModelValue {
    const known = this.#modelValues.get(name)
    if (known !== undefined) return known as unknown as ModelValue
    const type = name.length > 2 && name[1] === '_' ? name[0]! : ''
    const cell = this.#add('model value', hashText(name, SEEDS['model value']), [], undefined, undefined, name, type)
    this.#modelValues.set(name, cell)
    return cell as unknown as ModelValue
  }

  /** The set of some values, in any order, with duplicates; the array is taken over. @throws TlaError if they do not compare */
  set(elements: Canonical[]): SetValue {
    if (elements.length < 2) return this.sortedSet(elements)
    let sorted = true
    for (let at = 1; at < elements.length; at++) {
      if (compare(elements[at - 1]!, elements[at]!) >= 0) {
        sorted = false
        break
      }
    }
    if (!sorted) {
      elements.sort(compare)
      let kept = 1
      for (let at = 1; at < elements.length; at++) {
        if (elements[at] !== elements[kept - 1]) elements[kept++] = elements[at]!
      }
      elements.length = kept
    }
    return this.sortedSet(elements)
  }

  /** The set of values that are sorted and distinct already; the array is taken over. */
  sortedSet(elements: readonly Canonical[]): SetValue {
    return this.#intern('set', elements, undefined, undefined) as unknown as SetValue
  }

  /** `low..high`, listed. Those that were asked for before are kept, up to `MOST_INTERVALS`. */
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

  /** The array is taken over. */
  tuple(elements: readonly Canonical[]): Tuple {
    return this.#intern('tuple', elements, undefined, undefined) as unknown as Tuple
  }

  /** The shape of records with these fields, in any order; no two equal. */
  shape(names: readonly string[]): Shape {
    const sorted = names.toSorted((a, b) => (a < b ? -1 : 1))
    const key = sorted.join('\0')
    let shape = this.#shapes.get(key)
    if (shape === undefined) {
      const domain = this.set(sorted.map((name) => this.string(name)))
      shape = { id: this.#shapes.size, names: domain.elements.map((name) => (name as StringValue).text), domain }
      this.#shapes.set(key, shape)
    }
    return shape
  }

  /** A record; `elements` in the order of the names of the shape, taken over. `shape` is not empty. */
  record(shape: Shape, elements: readonly Canonical[]): RecordValue {
    return this.#intern('record', elements, shape.domain, shape) as unknown as RecordValue
  }

  /** A function in its canonical form; `elements` in the order of those of `domain`, taken over. */
  function(domain: SetValue, elements: readonly Canonical[]): FunctionValue | Tuple | RecordValue {
    const keys = domain.elements
    const first = keys[0]
    if (first === undefined) return this.emptyTuple
    // Sorted, so n numbers from 1 to n are these.
    if (first === 1 && keys[keys.length - 1] === keys.length) return this.tuple(elements)
    if (typeof first === 'object' && first.kind === 'string') {
      if (keys.every((key) => typeof key === 'object' && key.kind === 'string')) {
        return this.record(this.shape(keys.map((key) => (key as StringValue).text)), elements)
      }
    }
    return this.#intern('function', elements, domain, undefined) as unknown as FunctionValue
  }

  /** 32 bits that no other value of this arena has. */
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
    return value.id << 1
  }

  /** The value that has a code. */
  decode(code: number): Canonical {
    if ((code & 1) === 1) return code >> 1
    if (code >= 0) return this.#cells[code >> 1]! as unknown as Interned
    if (code === CODE_TRUE) return true
    if (code === CODE_FALSE) return false
    return this.#large[(-6 - code) / 2]!
  }

  #intern(
    kind: 'set' | 'function' | 'tuple' | 'record',
    elements: readonly Canonical[],
    domain: SetValue | undefined,
    shape: Shape | undefined,
  ): Cell {
    let hash = domain === undefined ? SEEDS[kind] : mix(SEEDS[kind], domain.hash)
    for (let at = 0; at < elements.length; at++) hash = mix(hash, hashOf(elements[at]!))
    hash ^= hash >>> 15
    let place = hash & this.#mask
    for (;;) {
      const cell = this.#table[place]
      if (cell === undefined) break
      if (cell.hash === hash && cell.kind === kind && cell.domain === domain && isSame(cell.elements, elements))
        return cell
      place = (place + 1) & this.#mask
    }
    const cell = this.#add(kind, hash, elements, domain, shape, '', '')
    this.#table[place] = cell
    if (this.#cells.length * 2 > this.#mask) this.#grow()
    return cell
  }

  #add(
    kind: Interned['kind'],
    hash: number,
    elements: readonly Canonical[],
    domain: SetValue | undefined,
    shape: Shape | undefined,
    text: string,
    type: string,
  ): Cell {
    const cell = new Cell(kind, this.#cells.length, hash, elements, domain, shape, text, type)
    this.#cells.push(cell)
    return cell
  }

  #grow(): void {
    this.#table = new Array(this.#table.length * 2).fill(undefined)
    this.#mask = this.#table.length - 1
    for (const cell of this.#cells) {
      if (cell.kind === 'string' || cell.kind === 'model value') continue
      let place = cell.hash & this.#mask
      while (this.#table[place] !== undefined) place = (place + 1) & this.#mask
      this.#table[place] = cell
    }
  }
}

/** Of the value alone: the same in every arena and process. */
export function hashOf(value: Canonical): number {
  if (typeof value === 'number') return Math.imul(value, 0x9e3779b1) ^ 0x2545f491
  if (typeof value === 'boolean') return value ? 0x51ed270b : 0x2c1b3c6d
  return value.hash
}

function isSame(left: readonly Canonical[], right: readonly Canonical[]): boolean {
  const { length } = left
  if (length !== right.length) return false
  for (let at = 0; at < length; at++) if (left[at] !== right[at]) return false
  return true
}

/** MurmurHash3's finaliser, chained. */
function mix(hash: number, part: number): number {
  let mixed = Math.imul(hash ^ part, 0x85ebca6b)
  mixed ^= mixed >>> 13
  return Math.imul(mixed, 0xc2b2ae35) ^ (mixed >>> 16)
}

function hashText(text: string, seed: number): number {
  let hash = seed
  for (let at = 0; at < text.length; at++) hash = mix(hash, text.charCodeAt(at))
  return hash ^ (hash >>> 15)
}
