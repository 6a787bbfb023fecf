/**
 * A unit: a module that is compiled once and instantiated many times.
 *
 * Invariant: executions change nothing here, only records (`record.ts`). The two builds of an
 * instrumented module (counters; counters and comparisons) have equal edges, cells and names.
 */
import type { CommonJsCode } from './commonjs-code.ts'
import type { Draft, ModuleFunction } from './esm-code.ts'
import type { ModuleShape } from './esm-shape.ts'
import type { Hoisted } from './hoisting.ts'
import type { Target } from './resolve.ts'
import type { WasmModule } from './wasm.ts'

export type Unit = EsmUnit | SyntheticUnit | HostUnit

/** An ES module. */
export interface EsmUnit {
  readonly kind: 'esm'
  readonly path: string
  /** The query of its import, if any. */
  readonly search: string
  readonly shape: ModuleShape
  /** Set if the module was generated for WebAssembly. */
  readonly wasm: WasmModule | undefined
  /** Set if it stands in for another module. */
  readonly mock?: MockedModule
  /** The modules that it replaces for those linked after it. */
  readonly mocks?: Hoisted['mocks'] | undefined
  readonly CellsOfUnit: typeof Cells
  /** Dropped once compiled. */
  draft: Draft | undefined
  /** One per request of the shape, once loaded. */
  edges: Unit[] | undefined
  /** Set by linking. */
  linked: Linked | undefined
  /** The JavaScript of an instrumented module, for the tracing build. */
  readonly source: string | undefined
  /** The tracing build, compiled at first use. */
  traced: Linked | undefined
  /** Set when an evaluation starts at this module. */
  closure: Closure | undefined
  namespace: NamespacePlan | undefined
}

/** Where a mock stands, and for what. */
export interface MockedModule {
  /** As the file of tests names it. */
  readonly specifier: string
  readonly importer: string
  /** The file of the module; undefined for a builtin. */
  readonly path: string | undefined
  /** Whether packages see the mock, and `require` gives it. */
  readonly isForAll: boolean
  /** The file in a folder `__mocks__` that stands in for it, if it has one. */
  readonly beside: string | undefined
}

export interface Linked {
  readonly run: ModuleFunction
  readonly usesMeta: boolean
  readonly usesDynamicImport: boolean
  /** The modules whose cells `run` takes. */
  readonly uses: readonly Unit[]
  /** Those whose namespaces it takes, by their index in `uses`. */
  readonly namespaces: readonly number[]
}

export interface Closure {
  /** All modules that an evaluation may run, including the first. */
  readonly units: readonly Unit[]
  readonly topLevelAwait: boolean
  /** Whether their tracing builds are compiled. */
  traced: boolean
}

/** A file that is not an ES module. An `import` sees its values after it has run. */
export interface SyntheticUnit {
  readonly kind: 'commonjs' | 'json' | 'module-builtin'
  readonly path: string
  /** The query of an `import` of JSON; the other kinds are one module for all queries. */
  readonly search: string
  readonly CellsOfUnit: typeof Cells
  /** The exports that an `import` sees, found at the first link. */
  names: ReadonlySet<string> | undefined
  define: Definer | undefined
  /** The wrapper of a CommonJS file. */
  readonly code: CommonJsCode | undefined
  /** The wrapper of the tracing build, compiled at first use. */
  traced: CommonJsCode | undefined
  /** The wrapper of the build whose scopes can be read, in place of `code` once it is compiled. */
  scoped: CommonJsCode | undefined
  /** The text of a JSON or CommonJS file. */
  readonly source: string
  closure: Closure | undefined
  namespace: NamespacePlan | undefined
}

/** A builtin or a shared module, one per process. */
export interface HostUnit {
  readonly kind: 'host'
  readonly target: Exclude<Target, { kind: 'file' }>
  readonly path: string
  readonly names: ReadonlySet<string>
  readonly cells: Cells
}

/** Creates namespaces: an instance, or the process for builtins and shared modules. */
export interface NamespaceSource {
  namespaceOf(unit: Unit): object
}

/**
 * The getters of a module's variables, under `$name`, and its namespace, created at first use. Each
 * unit has a subclass, so that V8 sees one object shape per unit.
 */
export class Cells {
  readonly source: NamespaceSource
  readonly unit: Unit
  namespaceObject: object | undefined = undefined

  constructor(source: NamespaceSource, unit: Unit) {
    this.source = source
    this.unit = unit
  }

  namespace(): object {
    return (this.namespaceObject ??= this.source.namespaceOf(this.unit))
  }
}

/** The exported names, sorted, each with the module and the cell of its value. */
export type NamespacePlan = readonly { readonly name: string; readonly unit: Unit; readonly key: string | undefined }[]

/** Defines getters that read the properties of `values`. */
export type Definer = (cells: Cells, values: Record<string, unknown>) => void

export function newCellsClass(): typeof Cells {
  return class extends Cells {}
}
