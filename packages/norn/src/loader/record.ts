/**
 * A module in one execution: its evaluation state and its cells, the getters of its variables.
 *
 * Invariant: the evaluation fields are those of ECMAScript's Cyclic Module Records (16.2.1.5) under
 * other names, and only `evaluation.ts` writes them.
 */
import type { Cells, Unit } from './unit.ts'

export type Status = 'linked' | 'evaluating' | 'evaluating-async' | 'evaluated'

export class ModuleRecord {
  readonly unit: Unit
  readonly cells: Cells
  /** Runs the body; a promise for a module with top-level await. */
  body: () => void | Promise<void>
  status: Status = 'linked'
  /** Set when evaluation threw; `error` may be any value, undefined too. */
  failed = false
  error: unknown
  depth = 0
  lowestDepth = 0
  /** The stack of the running evaluation that contains this record. */
  stack: ModuleRecord[] | undefined
  cycleRoot: ModuleRecord | undefined
  /** 0: synchronous; from 1: order among asynchronous modules; -1: done. */
  asyncOrder = 0
  pending = 0
  asyncParents: ModuleRecord[] = []
  /** Settles with the evaluation of the cycle whose root this record is. */
  completion: PromiseWithResolvers<void> | undefined

  constructor(unit: Unit, cells: Cells, body: () => void | Promise<void>) {
    this.unit = unit
    this.cells = cells
    this.body = body
  }
}

export type Getter = () => unknown

type Table = Record<string, Getter>

/**
 * The getter of a variable. A module with top-level await defines its getters late, and tests may replace those of
 * any ES module (`replaced-exports.ts`), so its variables are looked up at each read.
 */
export function getterOf(cells: Cells, key: string): Getter {
  const table = cells as unknown as Table
  return cells.unit.kind === 'esm' ? () => table[key]!() : table[key]!
}

/** The cells of a module with top-level await until its body starts: they throw. */
export function fillEarly(cells: Cells, keys: Iterable<string>): void {
  for (const key of keys) {
    ;(cells as unknown as Table)[key] = () => {
      throw new ReferenceError(`Cannot access '${key.slice(1).replaceAll('*', '')}' before initialization`)
    }
  }
}

/** A module namespace object: null prototype, sorted names, live and read-only values. */
export function createNamespace(getters: Iterable<readonly [string, Getter]>): object {
  const namespace = Object.create(null) as object
  for (const [name, get] of getters) Object.defineProperty(namespace, name, { get, enumerable: true })
  Object.defineProperty(namespace, Symbol.toStringTag, { value: 'Module' })
  return Object.preventExtensions(namespace)
}
