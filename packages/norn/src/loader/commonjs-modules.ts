/**
 * The CommonJS modules of one execution: `require`, its cache, and the builtin `module`.
 *
 * Follows lib/internal/modules/cjs/loader.js of Node 24, with `require` of ES modules.
 */

import { isAbsolute, join, resolve as resolvePath } from 'node:path'
import process from 'node:process'
import { exportsWhileLoading, haveLoaded } from './circular-exports.ts'
import { type CommonJsCode, compileCommonJs } from './commonjs-code.ts'
import {
  asBuiltin,
  type CommonJsHost,
  type CommonJsModule,
  type ExtensionHandler,
  extensionsOf,
  isNonEmpty,
  type ModuleClass,
  moduleClassFor,
  requireOf,
} from './commonjs-module.ts'
import { jsonValue } from './json.ts'
import { ModuleWrapper } from './module-wrapper.ts'
import { extensionNames, nodeModulePaths, requireFromHost, resolveRequire, withExtensions } from './node-internals.ts'
import { createNamespace, type Getter } from './record.ts'
import { nodeError, stackText, withRequireStack } from './require-errors.ts'
import type { Target } from './resolve.ts'
import type { LateLoads, LoadOrder } from './sharing/load-watch.ts'
import { Cells, type EsmUnit, type NamespaceSource, type Unit } from './unit.ts'
import type { FileUnit, Units } from './units.ts'

export type ImportOptions = { readonly with?: Readonly<Record<string, string>> } | undefined

/** What `import` becomes, in `import()` and `import.source()`. */
export interface DynamicImport {
  (specifier: unknown, options?: ImportOptions): Promise<object>
  source(specifier: unknown, options?: ImportOptions): Promise<object>
}

/** What CommonJS needs of the ES modules of its execution. */
export interface EsModules extends NamespaceSource {
  /** Where modules come from: the disk, or what the execution has made of it. */
  readonly units: Units
  /** The file that runs as the entry point of a thread or a process. */
  readonly entry: string | undefined
  /** Follows what loading does. */
  readonly watch: LoadOrder | undefined
  /** Shares what the body loads. */
  readonly late: LateLoads | undefined
  isEvaluating(unit: EsmUnit): boolean
  /** Evaluates a module; its namespace, or a promise of it. */
  evaluated(unit: Unit): object | Promise<object>
  /** The exports of a mock. */
  mockedNow(unit: EsmUnit): unknown
  /** The exports of a module. */
  getters(unit: FileUnit): [string, Getter][]
  /** The `import()` of the module at a path. */
  dynamicImport(path: string): DynamicImport
}

/** The constructor, and what a module belongs to: `moduleClassFor`. */
const PROTOTYPE_KEYS = 2

export class CommonJsModules implements CommonJsHost {
  #cache: Record<string, CommonJsModule> | undefined
  /** `require.main` */
  main: CommonJsModule | undefined
  readonly #modules: EsModules
  readonly #disk: Units
  readonly #trace: boolean
  #moduleBuiltin: ModuleClass | undefined
  /** The statics of Module before the program could replace them. */
  #statics: Readonly<Record<string, unknown>> = {}
  #extensions: Record<string, ExtensionHandler> | undefined
  #wrapper: ModuleWrapper | undefined
  /** Whether a module was required while it loaded. */
  #hasCycles = false
  readonly #handler: ExtensionHandler = (module, path) => this.load(module, path)

  /** @param trace whether the tracing builds run */
  constructor(modules: EsModules, disk: Units, trace: boolean) {
    this.#modules = modules
    this.#disk = disk
    this.#trace = trace
  }

  /** `require.cache`; most programs of ES modules never need it. */
  get cache(): Record<string, CommonJsModule> {
    return (this.#cache ??= Object.create(null) as Record<string, CommonJsModule>)
  }

  /** A module that no file has, in the working directory. */
  root(name: string): CommonJsModule {
    const Module = this.builtinModule()
    const module = new Module(join(process.cwd(), name))
    module.filename = module.id
    module.id = name
    module.paths = nodeModulePaths(module.path)
    return module
  }

  require(request: unknown, from: CommonJsModule): unknown {
    if (!isNonEmpty(request)) return requireFromHost(request as string) // Throws Node's error.
    const target = this.#resolved(request, from)
    const mock = this.#modules.units.mockAt(target, from.filename ?? from.id)
    if (mock?.mock?.isForAll) return this.#modules.mockedNow(mock)
    this.#modules.units.resolver.admit(target)
    if (target.kind === 'builtin' && target.id === 'module') return this.builtinModule()
    if (target.kind === 'shared') this.#modules.watch?.usesNorn(from.filename)
    if (target.kind !== 'file') return this.#inPlaceOf(target, request, from)?.exports ?? target.exports
    const module = this.required(target.path, from)
    return module.loaded ? module.exports : this.#whileLoading(module)
  }

  /** A module that the program has put into the cache by the name of a builtin. */
  #inPlaceOf(target: Target, request: string, from: CommonJsModule): { readonly exports: unknown } | undefined {
    const cached = target.kind === 'builtin' && !request.startsWith('node:') ? this.#cache?.[target.id] : undefined
    if (cached === undefined) return undefined
    addChild(from, cached)
    return cached.loaded ? cached : { exports: this.#whileLoading(cached) }
  }

  #whileLoading(module: CommonJsModule): unknown {
    this.#hasCycles = true
    return exportsWhileLoading(module)
  }

  #resolved(request: string, from: CommonJsModule): Target {
    const resolve = this.replaced('_resolveFilename')
    if (resolve === undefined) return this.#target(request, from)
    const found = resolve.call(this.#moduleBuiltin, request, from, false) as string
    return isAbsolute(found) ? { kind: 'file', path: found, search: '' } : this.#target(found, from)
  }

  #target(request: string, from: CommonJsModule): Target {
    try {
      return this.#modules.units.resolver.require(request, from.filename ?? from.id, from.path)
    } catch (error) {
      const path = isNotFound(error) ? this.#foundByExtension(request, from) : undefined
      if (path !== undefined) return { kind: 'file', path, search: '' }
      throw withRequireStack(error, from)
    }
  }

  /** The file that has one of the extensions that the program has added. */
  #foundByExtension(request: string, from: CommonJsModule): string | undefined {
    const names = Object.keys(this.extensions)
    if (names.every((name) => extensionNames.includes(name))) return undefined
    try {
      return this.lookUp(() => withExtensions(names, () => resolveRequire(request, asking(from), false)))
    } catch {
      return undefined
    }
  }

  get extensions(): Record<string, ExtensionHandler> {
    this.#extensions ??= extensionsOf(this.#handler)
    return this.#extensions
  }

  replaced(name: '_load' | '_resolveFilename'): Function | undefined {
    if (this.#moduleBuiltin === undefined) return undefined
    const now = (this.#moduleBuiltin as unknown as Record<string, unknown>)[name]
    return now === this.#statics[name] ? undefined : (now as Function)
  }

  resolve(request: string, from: CommonJsModule, options?: { paths?: string[] }): string {
    if (options?.paths !== undefined) {
      const paths = absolute(options.paths)
      return this.lookUp(() => resolveRequire(request, asking(from), false, { ...options, paths }))
    }
    try {
      const target = this.#target(request, from)
      return target.kind === 'file' ? target.path : request
    } catch (error) {
      if (!isOfNoBuiltin(error)) throw error
      const missing = nodeError('MODULE_NOT_FOUND', `Cannot find module '${request}'`)
      throw withRequireStack(Object.assign(missing, { requireStack: [] }), from)
    }
  }

  /** Whether the program has changed the class of modules, or how files are loaded. */
  get isPatched(): boolean {
    const Module = this.builtinModule() as unknown as Record<string, unknown>
    return (
      this.#wrapper?.isReplaced ||
      Object.keys(this.#statics).some((name) => Module[name] !== this.#statics[name]) ||
      Reflect.ownKeys(Module.prototype as object).length !== PROTOTYPE_KEYS ||
      Object.values(this.extensions).some((each) => each !== this.#handler)
    )
  }

  /** `require('module')`, and the constructor of the modules. */
  builtinModule(): ModuleClass {
    if (this.#moduleBuiltin === undefined) {
      this.#moduleBuiltin = asBuiltin(moduleClassFor(this), this)
      this.#statics = { ...this.#moduleBuiltin }
    }
    return this.#moduleBuiltin
  }

  /** Loads the module at a path, as if the module at another had required it. */
  preload(path: string, parent: string | undefined): void {
    if (parent === undefined) return void this.required(path, undefined)
    const asking = new (this.builtinModule())(parent)
    asking.filename = parent
    this.required(path, asking)
  }

  /** What programs replace is around the text of each module. */
  get wrapper(): ModuleWrapper {
    return (this.#wrapper ??= new ModuleWrapper())
  }

  /** What a program can change of the system of modules itself: the class, and how files are loaded. */
  get changeable(): readonly object[] {
    const Module = this.builtinModule()
    return [Module, Module.prototype, this.extensions]
  }

  /** An execution begins. */
  rewind(): void {
    this.#wrapper = undefined
  }

  /** Empties `require.cache`. */
  forget(): void {
    for (const path of Object.keys(this.cache)) delete this.cache[path]
  }

  /** Empties it, and returns what takes that back. */
  isolate(): () => void {
    const cached = { ...this.cache }
    this.forget()
    return () => {
      this.forget()
      Object.assign(this.cache, cached)
    }
  }

  /** Loads the module at a path, unless it is in the cache. */
  required(path: string, parent: CommonJsModule | undefined): CommonJsModule {
    const cached = this.cache[path]
    if (cached !== undefined) {
      addChild(parent, cached)
      if (!cached.loaded) this.#refuseCycle(path, parent)
      return cached
    }
    const { late } = this.#modules
    if (late?.reveal(path, parent)) return this.required(path, parent)
    const module = new (this.builtinModule())(path, parent)
    this.cache[path] = module
    if (path === this.#modules.entry) this.main = module
    const evaluated = late?.evaluating(module)
    let hasThrown = true
    try {
      module.load(path)
      hasThrown = false
      if (this.#hasCycles) haveLoaded(module.exports)
    } catch (error) {
      delete this.cache[path]
      const index = parent?.children?.indexOf(module) ?? -1
      if (index >= 0) parent!.children.splice(index, 1)
      throw error
    } finally {
      evaluated?.(hasThrown)
    }
    return module
  }

  #refuseCycle(path: string, parent: CommonJsModule | undefined): void {
    const unit = this.#modules.units.file(path, 'require')
    if (unit.kind !== 'esm') return
    const from = parent?.filename ? ` (from ${parent.filename})` : ''
    throw nodeError('ERR_REQUIRE_CYCLE_MODULE', `Cannot require() ES Module ${path} in a cycle.${from}`)
  }

  initPaths(): void {
    this.#disk.resolver.initPaths()
    this.#modules.units.resolver.forget()
  }

  refuse(what: string): never {
    return this.#disk.options.refuse(what)
  }

  /** Calls a function of Node that looks for files. */
  lookUp<T>(action: () => T): T {
    return this.#modules.units.outside(action)
  }

  load(module: CommonJsModule, path: string): void {
    const unit = this.#modules.units.file(path, 'require')
    const { watch } = this.#modules
    let hasThrown = true
    watch?.begin(unit, module.parent?.filename ?? undefined)
    try {
      this.#load(module, path, unit)
      hasThrown = false
    } finally {
      watch?.end(unit, hasThrown)
    }
  }

  #load(module: CommonJsModule, path: string, unit: FileUnit): void {
    if (unit.kind === 'esm') module.exports = this.#requireEsm(unit, module)
    else if (unit.kind === 'json') module.exports = jsonValue(unit)
    else {
      const { run, usesDynamicImport, mocks } =
        this.#wrapper?.compiled(unit.source, path) ?? this.#modules.units.commonJs(unit, this.#trace)
      const dynamicImport = usesDynamicImport ? this.#modules.dynamicImport(path) : undefined
      const self = mocks && new Cells(this.#modules, unit)
      const { exports } = module
      if (dynamicImport === undefined && self === undefined)
        run.call(exports, exports, requireOf(module), module, path, module.path)
      else run.call(exports, exports, requireOf(module), module, path, module.path, dynamicImport, self)
    }
  }

  /** Compiles text that is not a file's, for `module._compile`. */
  compile(content: string, path: string): CommonJsCode {
    return this.#wrapper?.compiled(content, path) ?? this.#disk.outside(() => compileCommonJs(content, path))
  }

  #requireEsm(unit: EsmUnit, module: CommonJsModule): unknown {
    if (this.#modules.units.prepare(unit).topLevelAwait) {
      const message =
        'require() cannot be used on an ESM graph with top-level await. Use import() instead. To see where the ' +
        'top-level await comes from, use --experimental-print-required-tla.'
      throw nodeError(
        'ERR_REQUIRE_ASYNC_MODULE',
        `${message}\nRequired module: ${unit.path}${stackText(module.parent)}`,
      )
    }
    if (this.#modules.isEvaluating(unit)) this.#refuseCycle(unit.path, module.parent)
    const namespace = this.#modules.evaluated(unit)
    if (Object.hasOwn(namespace, 'module.exports')) return (namespace as Record<string, unknown>)['module.exports']
    if (!Object.hasOwn(namespace, 'default') || Object.hasOwn(namespace, '__esModule')) return namespace
    const getters = this.#modules.getters(unit)
    return createNamespace([...getters, ['__esModule', () => true] as [string, Getter]].sort(byName))
  }

  dynamicImport(path: string): DynamicImport {
    return this.#modules.dynamicImport(path)
  }
}

function addChild(parent: CommonJsModule | undefined, child: CommonJsModule): void {
  if (parent?.children && !parent.children.includes(child)) parent.children.push(child)
}

/** What Node's resolver reads of the module that asks. */
const asking = ({ id, filename, paths }: CommonJsModule) => ({ id, filename: filename ?? id, paths })

/** Paths as they are in the working directory of the program. */
function absolute(paths: string[]): string[] {
  return Array.isArray(paths) ? paths.map((each) => (typeof each === 'string' ? resolvePath(each) : each)) : paths
}

const codeOf = (error: unknown) => (error as { code?: unknown } | undefined)?.code
const isNotFound = (error: unknown) => codeOf(error) === 'MODULE_NOT_FOUND'
const isOfNoBuiltin = (error: unknown) => codeOf(error) === 'ERR_UNKNOWN_BUILTIN_MODULE'

const byName = ([a]: [string, Getter], [b]: [string, Getter]): number => (a < b ? -1 : 1)
