/**
 * Loads a graph of modules once and instantiates it afresh for every execution.
 *
 *     const loader = new Loader({ shared: new Map([['fast-check', fc]]), aliases: new Map(), refuse })
 *     loader.prepare('/project/account.fuzz.ts')  // reads, transforms and compiles, ahead of any execution
 *     const namespace = await loader.instantiate().import('/project/account.fuzz.ts')
 *
 * Invariant: everything but builtins and `shared` (the user's files, packages; ES modules,
 * CommonJS, TypeScript, JSON) exists once for each instance, and two instances see nothing of each
 * other. Resolution, formats and errors are Node's (see `resolve.ts`, `format.ts`); the transform
 * is in `esm-code.ts`.
 */
import { type Coverage, type CoverageOptions, ProgramCoverage } from './coverage.ts'
import { Instance as ModuleInstance } from './instance.ts'
import type { Position } from './positions.ts'
import type { BuiltinGate } from './resolve.ts'
import { Units } from './units.ts'

export interface LoaderOptions {
  /**
   * Modules that are the host's and never instantiated: specifier (exact) -> namespace or exports.
   * Builtins too.
   */
  readonly shared: ReadonlyMap<string, object>
  /**
   * Package name or specifier -> another, or an absolute path; from every importer, with its
   * subpaths.
   */
  readonly aliases: ReadonlyMap<string, string>
  /**
   * Called when something is asked for that cannot be controlled (a native addon, WebAssembly);
   * throws.
   */
  readonly refuse: (what: string) => never
  readonly builtins?: BuiltinGate
  /**
   * Runs an action outside the controlled world: all reading, stats and resolution go through it.
   * Calls are nested.
   */
  readonly outside?: <T>(action: () => T) => T
  /**
   * Files count their branches, and can trace their comparisons, when this is there; `{}` for the
   * user's own files.
   */
  readonly coverage?: CoverageOptions | undefined
}

/** One fresh set of modules. */
export interface Instance {
  /**
   * Evaluates the module at an absolute path and all it imports; its namespace, at once when no
   * module of the graph has top-level await, else a promise. What cannot be loaded or linked is
   * thrown at once.
   */
  import(path: string): object | Promise<object>
  /**
   * The same for its effects alone: namespaces are dear, and mostly nobody asks for that of the
   * entry.
   */
  evaluate(path: string): void | Promise<void>
}

export class Loader {
  readonly #units: Units
  readonly #outside: <T>(action: () => T) => T
  readonly #coverage: ProgramCoverage | undefined

  constructor(options: LoaderOptions) {
    this.#outside = options.outside ?? ((action) => action())
    this.#coverage = options.coverage === undefined ? undefined : new ProgramCoverage(options.coverage)
    this.#units = new Units({ ...options, outside: this.#outside, coverage: this.#coverage })
  }

  /**
   * Reads, links and compiles all that the module at an absolute path imports statically. Runs none
   * of it.
   */
  prepare(path: string): void {
    this.#units.prepare(this.#units.entry(path))
  }

  /** What instrumented files count and compare; undefined if none are. */
  get coverage(): Coverage | undefined {
    return this.#coverage
  }

  /**
   * @param trace run the builds that trace comparisons too, several times slower; they are made
   * when first needed
   */
  instantiate({ trace = false }: { readonly trace?: boolean } = {}): Instance {
    const traced = trace && this.#coverage !== undefined
    this.#units.positions.traced = traced
    return new ModuleInstance(this.#units, this.#outside, traced)
  }

  /**
   * From a position in code that ran (line and column from 1; path or file URL) to the one in the
   * user's source. The code is taken to be of the build that was instantiated last: a traced
   * execution is described before the next begins.
   */
  originalPosition(file: string, line: number, column: number): Position {
    return this.#units.positions.original(file, line, column)
  }
}
