/**
 * What the process holds of one module: compiled once, instantiated many times.
 *
 * Invariant: nothing here changes through an execution; what does stands in records (`record.ts`).
 * The builds of an instrumented module (counters alone, and counters with comparisons) have the
 * same edges, cells and names.
 */
import type { CommonJsCode } from './commonjs-code.ts'
import type { Draft, ModuleFunction } from './esm-code.ts'
import type { ModuleShape } from './esm-shape.ts'
import type { Target } from './resolve.ts'

export type Unit = EsmUnit | SyntheticUnit | HostUnit

/** An ES module. */
export interface EsmUnit {
  readonly kind: 'esm'
  readonly path: string
  /** With the query it was imported by, if any. */
  readonly url: string
  readonly shape: ModuleShape
  readonly CellsOfUnit: typeof Cells
  /** Dropped once compiled. */
  draft: Draft | undefined
  /** One for each request of the shape, once loaded. */
  edges: Unit[] | undefined
  /** Set by linking. */
  linked: Linked | undefined
  /** The JavaScript it was made from, if it is instrumented: for the build that traces. */
  readonly source: string | undefined
  /** The build that traces comparisons, made when first asked for. */
  traced: Linked | undefined
  /** Set when an evaluation starts here. */
  closure: Closure | undefined
  namespace: NamespacePlan | undefined
}

export interface Linked {
  readonly run: ModuleFunction
  readonly usesMeta: boolean
  readonly usesDynamicImport: boolean
  /** The modules whose cells are passed to `run`. */
  readonly uses: readonly Unit[]
}

export interface Closure {
  /** All modules that an evaluation from here may evaluate, this one included. */
  readonly units: readonly Unit[]
  readonly topLevelAwait: boolean
  /** Whether their builds that trace are there. */
  traced: boolean
}

/** A file that is no ES module, seen from an `import`: its values are there once it has run. */
export interface SyntheticUnit {
  readonly kind: 'commonjs' | 'json' | 'module-builtin'
  readonly path: string
  readonly CellsOfUnit: typeof Cells
  /** The exports an `import` sees, found when first linked to. */
  names: ReadonlySet<string> | undefined
  define: Definer | undefined
  /** The wrapper of a CommonJS file. */
  readonly code: CommonJsCode | undefined
  /**
   * The wrapper that traces comparisons, made when first asked for; for a file that is
   * instrumented.
   */
  traced: CommonJsCode | undefined
  /** The text of a JSON or CommonJS file. */
  readonly source: string
  closure: Closure | undefined
  namespace: NamespacePlan | undefined
}

/** A builtin or a shared module: one for the process. */
export interface HostUnit {
  readonly kind: 'host'
  readonly target: Exclude<Target, { kind: 'file' }>
  readonly path: string
  readonly names: ReadonlySet<string>
  readonly cells: Cells
}

/** Who makes namespaces: an instance, or for builtins and shared modules the process. */
export interface NamespaceSource {
  namespaceOf(unit: Unit): object
}

/**
 * The getters of a module's variables, under `$name` so that no name clashes, and its namespace,
 * made when first asked for. Each unit has a subclass of its own, so the shape of its objects is
 * stable for V8.
 */
export class Cells {
  readonly source: NamespaceSource
  readonly unit: Unit
  made: object | undefined = undefined

  constructor(source: NamespaceSource, unit: Unit) {
    this.source = source
    this.unit = unit
  }

  namespace(): object {
    return (this.made ??= this.source.namespaceOf(this.unit))
  }
}

/** Exported names in order, each with the module and the cell that its value comes from. */
export type NamespacePlan = readonly { readonly name: string; readonly unit: Unit; readonly key: string | undefined }[]

/** Gives cells getters that read the properties of `values`. */
export type Definer = (cells: Cells, values: Record<string, unknown>) => void

export function newCellsClass(): typeof Cells {
  return class extends Cells {}
}
