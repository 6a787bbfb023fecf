/**
 * Loads a graph of modules once, and instantiates it afresh for each execution.
 *
 *     const loader = new Loader({ shared: new Map([['fast-check', fc]]), aliases: new Map(), refuse })
 *     loader.prepare('/project/account.fuzz.ts')  // reads, transforms and compiles; runs nothing
 *     const namespace = await loader.instantiate().import('/project/account.fuzz.ts')
 *
 * Invariant: every module except builtins and `shared` (ES modules, CommonJS, TypeScript, JSON)
 * exists once per instance, and instances share no state. Resolution, formats and errors are Node's
 * (see `resolve.ts`, `format.ts`); `esm-code.ts` describes the transform.
 */
import { quoteWrittenSource } from './assertion-source.ts'
import type { RunningProject } from './configured-aliases.ts'
import type { Confinement, LeadingOut } from './confinement.ts'
import { type Coverage, type CoverageOptions, isUserCode, ProgramCoverage } from './coverage.ts'
import { answerEvaluatedImports, type EvaluatedImport } from './evaluated-imports.ts'
import { forgetFunction } from './function-text.ts'
import { Instance as ModuleInstance } from './instance.ts'
import type { Position } from './positions.ts'
import type { ProgramFiles } from './program-files.ts'
import type { BuiltinGate, ModuleGraph, Preload, SharedModules } from './resolve.ts'
import type { SharingOptions } from './sharing/host.ts'
import { ReadableScopes } from './sharing/readable-scopes.ts'
import { Sharing } from './sharing/sharing.ts'
import type { Ahead } from './sharing/worthwhile.ts'
import type { Cache } from './transform.ts'
import { Units } from './units.ts'

export interface LoaderOptions {
  /** Paths of modules that run before each file of properties. */
  readonly setup?: readonly string[]
  /** Modules that all instances share: exact specifier -> namespace or exports. */
  readonly shared: SharedModules
  /** Package name or specifier -> another one, or an absolute path. Subpaths follow. */
  readonly aliases: ReadonlyMap<string, string>
  /** Whose tests run, where a configuration declares several projects. */
  readonly project?: RunningProject | undefined
  /** Which aliases come from a failure file. */
  readonly confined?: Confinement | undefined
  /**
   * Called for a module that norn cannot control, or that a failure file must not name; throws.
   */
  readonly refuse: (what: string) => never
  /**
   * What a native addon exports; throws what the program may catch if it must not load. Default: refuses.
   */
  readonly addon?: (path: string) => object
  readonly builtins?: BuiltinGate
  /** Runs an action outside the world: all disk access and resolution go through it. May nest. */
  readonly outside?: <T>(action: () => T) => T
  /** The files as the execution has changed them: modules come from there, too. */
  readonly files?: ProgramFiles
  /** Whether code of the program runs. */
  readonly active?: () => boolean
  /** With it, executions share modules. */
  readonly sharing?: SharingOptions
  /** Instruments files to count branches and trace comparisons; `{}` selects the user's files. */
  readonly coverage?: CoverageOptions | undefined
  /** Keeps what files are transformed to. */
  readonly transformCache?: Cache | undefined
}

interface Instantiated {
  readonly trace?: boolean
  readonly isAlone?: boolean
  /** The files that are about to be evaluated: they declare tests, or prepare them. */
  readonly own?: readonly string[]
}

/** One fresh set of modules. */
export interface Instance {
  /**
   * Evaluates the module at an absolute path and its imports. Returns its namespace, or a promise
   * if a module of the graph has top-level await. Throws synchronously if loading or linking fails.
   */
  import(path: string): object | Promise<object>
  /** The same without the namespace, which is expensive to create. */
  evaluate(path: string): void | Promise<void>
}

export class Loader {
  readonly setup: readonly string[]
  readonly #units: Units
  readonly #coverage: ProgramCoverage | undefined
  /** Of each build; undefined if each execution evaluates all modules. */
  readonly #sharing: { readonly plain: Sharing; readonly traced: Sharing } | undefined
  /** That of the last execution, if it takes part. */
  #sharingNow: Sharing | undefined
  #running: ModuleInstance | undefined
  /** The counted files that the first execution had loaded before its body began. */
  #filesLoaded: number | undefined

  constructor(options: LoaderOptions) {
    this.setup = options.setup ?? []
    this.#coverage = options.coverage === undefined ? undefined : new ProgramCoverage(options.coverage)
    const outside = options.outside ?? ((action) => action())
    this.#units = new Units({ ...options, outside, coverage: this.#coverage })
    if (options.sharing === undefined) return
    const scopes = new ReadableScopes(this.#units)
    const sharing = (trace: boolean) =>
      new Sharing({
        units: this.#units,
        coverage: this.#coverage,
        scopes: {
          areReadable: (unit) => scopes.makeReadable(unit, trace),
          numberOf: (unit) => scopes.numberOf(unit),
          release: (unit) => scopes.release(unit, trace),
        },
        options: options.sharing!,
        instantiate: () => new ModuleInstance(this.#units, trace),
      })
    this.#sharing = { plain: sharing(false), traced: sharing(true) }
  }

  /** Reads, links and compiles a module and its static imports; runs none of them. */
  prepare(path: string): void {
    this.#units.prepare(this.#units.entry(path))
  }

  /** The aliases of a failure file that lead the module at a path, or what it imports, out of the project. */
  leadingOut(path: string): readonly LeadingOut[] {
    return this.#units.outside(() => this.#units.resolver.leadingOut(path))
  }

  /** The files of the user's own code that were loaded so far, by absolute path. */
  get ownFiles(): readonly string[] {
    return this.#units.paths.filter(isUserCode)
  }

  /** A search begins that lets executions share modules as soon as that pays. */
  expect(ahead: Ahead): void {
    this.#sharing?.plain.expect(ahead)
    this.#sharing?.traced.expect(ahead)
  }

  /**
   * Whether another search finds all counters numbered as in a loader of its own, which its corpus is saved with: no
   * execution has loaded a counted file behind those that the first one had loaded before its body began.
   */
  get isAsLoaded(): boolean {
    return this.#coverage?.files.length === this.#filesLoaded
  }

  /** Undefined if no files are instrumented. */
  get coverage(): Coverage | undefined {
    return this.#coverage
  }

  /**
   * @param options.trace run the builds that trace comparisons, which are several times slower
   * @param options.isAlone evaluate all modules, also those that other executions share
   * @param options.own what is about to be evaluated; without it, nothing is shared
   */
  instantiate({ trace = false, isAlone = false, own }: Instantiated = {}): Instance {
    this.#units.resolver.begin()
    const traced = trace && this.#coverage !== undefined
    this.#units.positions.traced = traced
    this.#sharingNow = isAlone || own === undefined ? undefined : this.#sharing?.[traced ? 'traced' : 'plain']
    if (own !== undefined) this.#units.options.shared.environment?.begin()
    const instance = this.#sharingNow?.begin(own!) ?? new ModuleInstance(this.#units, traced)
    this.#enter(instance)
    this.#units.options.builtins?.graphs(new Graph(instance, this.#enter), this.#another)
    return instance
  }

  /** All is loaded that the execution of an instance needs to begin. */
  loaded(instance: Instance): void {
    this.#filesLoaded ??= this.#coverage?.files.length
    this.#sharingNow?.loaded(instance)
  }

  /** Whether executions may share modules, now or later. */
  get mayShare(): boolean {
    return this.#sharing !== undefined && !(this.#sharing.plain.isOff && this.#sharing.traced.isOff)
  }

  /** Whether the last execution shared modules with others. */
  get hasShared(): boolean {
    return this.#sharingNow?.isOn ?? false
  }

  /** Whether sharing has changed how the modules of the last execution load: then it does not count. */
  get isMisled(): boolean {
    return this.#sharingNow?.isMisled ?? false
  }

  /** Whether executions share the module at a path. */
  shares(path: string): boolean {
    return this.#sharing?.plain.shares(this.#units.entry(path)) ?? false
  }

  /** Ends the sharing of modules: an execution was not as without. */
  stopSharing(): void {
    this.#sharing?.plain.stop()
    this.#sharing?.traced.stop()
  }

  // Functions of the loader, not of an instance: they serve all executions.
  readonly #enter = (instance: ModuleInstance): void => {
    this.#running = instance
    forgetFunction()
    answerEvaluatedImports(this.#answer)
    quoteWrittenSource(this.#positions)
    this.#units.options.builtins?.provide('module', this.#builtinModule)
  }
  readonly #answer = (asked: EvaluatedImport) => this.#running!.evaluatedImport(asked)
  readonly #positions = () => this.#running!.positions
  readonly #builtinModule = () => this.#running!.builtinModule()
  readonly #another = () => new Graph(new ModuleInstance(this.#units, this.#units.positions.traced), this.#enter)

  /**
   * Maps a position in code that ran (line and column from 1; path or file URL) to the user's
   * source. The code must be of the build that was instantiated last.
   */
  originalPosition(file: string, line: number, column: number): Position {
    return (this.#running ?? this.#units).positions.original(file, line, column)
  }
}

class Graph implements ModuleGraph {
  readonly #instance: ModuleInstance
  readonly #enter: (instance: ModuleInstance) => void

  constructor(instance: ModuleInstance, enter: (instance: ModuleInstance) => void) {
    this.#instance = instance
    this.#enter = enter
  }

  enter(): void {
    this.#enter(this.#instance)
  }

  loadFirst(modules: readonly Preload[]): void | Promise<unknown> {
    return this.#instance.loadFirst(modules)
  }

  run(path: string): void | Promise<unknown> {
    return this.#instance.run(path)
  }

  runText(text: string, name?: string): void | Promise<unknown> {
    return this.#instance.runText(text, name)
  }
}
