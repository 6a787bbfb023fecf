/**
 * The modules of one execution, each evaluated once.
 *
 * Invariants: instances share only compiled code, builtins and `options.shared`. The loader adds no
 * asynchrony: only `import()` and top-level await create promises. `require` of ES modules follows
 * lib/internal/modules of Node 24.
 */
import { dirname, isAbsolute, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ChangedUnits } from './changed-units.ts'
import { type CommonJsCode, compileCommonJs } from './commonjs-code.ts'
import {
  asBuiltin,
  type CommonJsHost,
  type CommonJsModule,
  type ExtensionHandler,
  extensionsOf,
  type ModuleClass,
  moduleClassFor,
  requireOf,
} from './commonjs-module.ts'
import { cellKey } from './esm-code.ts'
import type { EvaluatedImport } from './evaluated-imports.ts'
import { evaluate } from './evaluation.ts'
import { jsonValue } from './json.ts'
import { namespacePlan } from './linking.ts'
import { LoadedModules } from './loaded-modules.ts'
import { containsModuleSyntax, nodeModulePaths, requireFromHost, resolveRequire } from './node-internals.ts'
import { isData, urlOf } from './paths.ts'
import type { Positions } from './positions.ts'
import { createNamespace, fillEarly, type Getter, getterOf, ModuleRecord } from './record.ts'
import { nodeError, stackText, withRequireStack } from './require-errors.ts'
import type { Target } from './resolve.ts'
import { snapshot } from './synthetic.ts'
import type { Cells, EsmUnit, SyntheticUnit, Unit } from './unit.ts'
import type { FileUnit, Units } from './units.ts'

/** The target of assignments to imported names, which throw. */
const CONSTANTS = new Proxy(Object.freeze(Object.create(null)), {
  set(): never {
    throw new TypeError('Assignment to constant variable.')
  },
})

type ImportOptions = { readonly with?: Readonly<Record<string, string>> } | undefined

/** What `import` becomes, in `import()` and `import.source()`. */
interface DynamicImport {
  (specifier: unknown, options?: ImportOptions): Promise<object>
  source(specifier: unknown, options?: ImportOptions): Promise<object>
}

const noBody = (): void => {}

export class Instance implements CommonJsHost {
  /** `require.cache`. */
  readonly cache: Record<string, CommonJsModule> = Object.create(null)
  readonly #disk: Units
  #changed: ChangedUnits | undefined
  /** Whether the tracing builds run. */
  readonly #trace: boolean
  readonly #records = new Map<Unit, ModuleRecord>()
  readonly #loaded: LoadedModules
  /** The file that runs as the entry point of a thread or a process. */
  #entry: string | undefined
  /** `require.main` */
  main: CommonJsModule | undefined
  #moduleBuiltin: ModuleClass | undefined
  /** The statics of Module before the program could replace them. */
  #statics: Readonly<Record<string, unknown>> = {}
  #extensions: Record<string, ExtensionHandler> | undefined

  constructor(units: Units, trace: boolean) {
    this.#disk = units
    this.#loaded = new LoadedModules(this.cache)
    this.#trace = trace
  }

  /** Where modules come from: the disk, or what the execution has made of it. */
  get #units(): Units {
    if (this.#changed !== undefined) return this.#changed
    const { files } = this.#disk.options
    if (files === undefined || files.changes() === 0) return this.#disk
    return (this.#changed = new ChangedUnits(this.#disk, files, this.#loaded))
  }

  get positions(): Positions {
    return (this.#changed ?? this.#disk).positions
  }

  /** See `Instance.import` of loader.ts. */
  import(path: string): object | Promise<object> {
    return this.#evaluated(this.#units.entry(path))
  }

  evaluate(path: string): void | Promise<void> {
    const unit = this.#units.entry(path)
    return this.#evaluation(unit, this.#recordOf(unit))
  }

  /** See `ModuleGraph` of resolve.ts. Resolves as Node does the script of a thread or a process. */
  run(path: string): void | Promise<unknown> {
    const unit = this.#units.file(this.#resolvedEntry(path), 'import')
    this.#entry = unit.path
    if (unit.kind === 'esm') return this.#evaluation(unit, this.#recordOf(unit))
    this.#required(unit.path, undefined)
    return undefined
  }

  #resolvedEntry(path: string): string {
    try {
      const target = this.#units.resolver.require(path, join(process.cwd(), 'noop.js'))
      return target.kind === 'file' ? target.path : path
    } catch (error) {
      throw withRequireStack(error, undefined)
    }
  }

  runText(text: string, name = '[worker eval]'): void | Promise<unknown> {
    const module = this.#root(name)
    if (text.startsWith('data:')) return this.dynamicImport(module.filename!)(text)
    if (containsModuleSyntax(text, module.filename!))
      return this.dynamicImport(module.filename!)(`data:text/javascript,${encodeURIComponent(text)}`)
    module._compile(text, name)
    return undefined
  }

  /** A module that no file has, in the working directory. */
  #root(name: string): CommonJsModule {
    const Module = this.builtinModule()
    const module = new Module(join(process.cwd(), name))
    module.filename = module.id
    module.id = name
    module.paths = nodeModulePaths(module.path)
    return module
  }

  #evaluated(unit: Unit): object | Promise<object> {
    if (unit.kind === 'host') {
      this.#units.resolver.admit(unit.target)
      return unit.cells.namespace()
    }
    const record = this.#recordOf(unit)
    const pending = this.#evaluation(unit, record)
    return pending === undefined ? record.cells.namespace() : pending.then(() => record.cells.namespace())
  }

  #recordOf(unit: FileUnit): ModuleRecord {
    const { units } = this.#units.prepare(unit)
    if (this.#trace) this.#units.prepareTraced(unit)
    return this.#records.get(unit) ?? this.#instantiate(units, unit)
  }

  #evaluation({ closure }: FileUnit, record: ModuleRecord): void | Promise<void> {
    try {
      return evaluate(record, this.#dependencies)
    } catch (error) {
      if (closure!.topLevelAwait) return Promise.reject(error)
      throw error
    }
  }

  readonly #dependencies = ({ unit }: ModuleRecord): ModuleRecord[] => {
    const records: ModuleRecord[] = []
    for (const each of (unit as EsmUnit).edges!) if (each.kind !== 'host') records.push(this.#records.get(each)!)
    return records
  }

  /** Creates the missing records of a closure; then runs their first steps, which need them all. */
  #instantiate(units: readonly Unit[], wanted: Unit): ModuleRecord {
    const fresh: ModuleRecord[] = []
    for (const unit of units) {
      if (unit.kind === 'host') this.#units.resolver.admit(unit.target)
      if (unit.kind === 'host' || this.#records.has(unit)) continue
      const record = new ModuleRecord(unit, new unit.CellsOfUnit(this, unit), noBody)
      this.#records.set(unit, record)
      this.#loaded.add(unit)
      fresh.push(record)
    }
    for (const record of fresh) {
      const { unit } = record
      if (unit.kind === 'esm') this.#startEsm(record, unit)
      else if (unit.kind !== 'host') this.#startSynthetic(record, unit)
    }
    return this.#records.get(wanted)!
  }

  #startEsm(record: ModuleRecord, unit: EsmUnit): void {
    const { run, uses, usesDynamicImport, usesMeta } = (this.#trace && unit.traced) || unit.linked!
    const arguments_: unknown[] = [
      record.cells,
      usesDynamicImport ? this.dynamicImport(unit.path) : undefined,
      usesMeta ? this.#meta(unit) : undefined,
      CONSTANTS,
    ]
    for (const each of uses) arguments_.push(this.#cells(each))
    if (unit.shape.topLevelAwait) {
      fillEarly(record.cells, [...unit.shape.localExports.values()].map(cellKey))
      record.body = () => run(...arguments_) as Promise<void>
      return
    }
    const steps = run(...arguments_) as Generator<void, void, void>
    steps.next()
    record.body = () => {
      steps.next()
    }
  }

  #startSynthetic(record: ModuleRecord, unit: SyntheticUnit): void {
    const values: Record<string, unknown> = Object.create(null)
    unit.define!(record.cells, values)
    record.body = () => {
      if (unit.kind === 'module-builtin') {
        const Module = this.builtinModule() as unknown as Record<string, unknown>
        for (const name of unit.names!) values[name] = name === 'default' ? Module : Module[name]
      } else if (unit.search !== '' || isData(unit.path)) {
        // Without a query, `require` returns the same value.
        values.default = jsonValue(unit)
      } else snapshot(this.#required(unit.path, undefined).exports, unit.names!, values)
    }
  }

  #cells(unit: Unit): Cells {
    return unit.kind === 'host' ? unit.cells : this.#records.get(unit)!.cells
  }

  namespaceOf(unit: Unit): object {
    return createNamespace(this.#getters(unit as FileUnit))
  }

  #getters(unit: FileUnit): [string, Getter][] {
    unit.namespace ??= namespacePlan(unit)
    return unit.namespace.map(({ name, unit: from, key }) => {
      const cells = this.#cells(from)
      return [name, key === undefined ? () => cells.namespace() : getterOf(cells, key)]
    })
  }

  #meta(unit: EsmUnit): object {
    const { path, search, wasm } = unit
    if (wasm !== undefined) return wasm.metaFor(() => this.#records.get(unit)!.cells.namespace())
    const meta = {
      ...(isData(path) ? {} : { dirname: dirname(path), filename: path }),
      main: path === this.#entry,
      resolve: (specifier: string) => this.#resolveUrl(`${specifier}`, path),
      url: urlOf(path) + search,
    }
    return Object.setPrototypeOf(meta, null)
  }

  #resolveUrl(specifier: string, path: string): string {
    try {
      const target = this.#units.resolver.import(specifier, path)
      if (target.kind === 'file') return urlOf(target.path) + target.search
      return target.kind === 'builtin' ? `node:${target.id.replace(/^node:/, '')}` : target.specifier
    } catch (error) {
      const { code, url } = error as { code?: string; url?: string }
      if (url && (code === 'ERR_MODULE_NOT_FOUND' || code === 'ERR_UNSUPPORTED_DIR_IMPORT')) return url
      throw error
    }
  }

  /** The `import()` of the module at a path. */
  dynamicImport(path: string): DynamicImport {
    const load = async (specifier: unknown, options: ImportOptions, source: boolean): Promise<object> => {
      const asked = `${specifier}`
      this.#loaded.importing(asked, path)
      // Never synchronously: the code after the call of import() runs first.
      await undefined
      return this.#evaluated(this.#units.imported(asked, path, { ...options?.with }, source))
    }
    return Object.assign((specifier: unknown, options: ImportOptions) => load(specifier, options, false), {
      source: async (specifier: unknown, options: ImportOptions) =>
        ((await load(specifier, options, true)) as { default: object }).default,
    })
  }

  /** Answers `import()` in evaluated code; undefined if the import is not of this program. */
  evaluatedImport({ specifier, importer, attributes, source }: EvaluatedImport): Promise<object> | undefined {
    const { active } = this.#disk.options
    const path = importer?.startsWith('file:') ? fileURLToPath(importer) : (importer ?? join(process.cwd(), '/'))
    if (!active?.() && !this.#units.has(path)) return undefined
    const load = this.dynamicImport(path)
    return source ? load.source(specifier, { with: attributes }) : load(specifier, { with: attributes })
  }

  // CommonJS

  require(request: unknown, from: CommonJsModule): unknown {
    if (typeof request !== 'string' || request === '') return requireFromHost(request as string) // Throws Node's error.
    const target = this.#resolved(request, from)
    this.#units.resolver.admit(target)
    if (target.kind === 'builtin' && target.id === 'module') return this.builtinModule()
    if (target.kind !== 'file') return target.exports
    return this.#required(target.path, from).exports
  }

  #resolved(request: string, from: CommonJsModule): Target {
    const resolve = this.replaced('_resolveFilename')
    if (resolve === undefined) return this.#target(request, from)
    const found = resolve.call(this.#moduleBuiltin, request, from, false) as string
    return isAbsolute(found) ? { kind: 'file', path: found, search: '' } : this.#target(found, from)
  }

  #target(request: string, from: CommonJsModule): Target {
    try {
      return this.#units.resolver.require(request, from.filename ?? from.id, from.path)
    } catch (error) {
      throw withRequireStack(error, from)
    }
  }

  get extensions(): Record<string, ExtensionHandler> {
    this.#extensions ??= extensionsOf((module, path) => this.load(module, path))
    return this.#extensions
  }

  replaced(name: '_load' | '_resolveFilename'): Function | undefined {
    if (this.#moduleBuiltin === undefined) return undefined
    const now = (this.#moduleBuiltin as unknown as Record<string, unknown>)[name]
    return now === this.#statics[name] ? undefined : (now as Function)
  }

  resolve(request: string, from: CommonJsModule, options?: { paths?: string[] }): string {
    if (options?.paths !== undefined) {
      const asking = { id: from.id, filename: from.filename ?? from.id, paths: from.paths }
      return this.#units.outside(() => resolveRequire(request, asking, false, options))
    }
    const target = this.#target(request, from)
    return target.kind === 'file' ? target.path : request
  }

  /** `require('module')`, and the constructor of the modules. */
  builtinModule(): ModuleClass {
    if (this.#moduleBuiltin === undefined) {
      this.#moduleBuiltin = asBuiltin(moduleClassFor(this), this)
      this.#statics = { ...this.#moduleBuiltin }
    }
    return this.#moduleBuiltin
  }

  /** Loads the module at a path, unless it is in the cache. */
  #required(path: string, parent: CommonJsModule | undefined): CommonJsModule {
    const cached = this.cache[path]
    if (cached !== undefined) {
      if (parent?.children && !parent.children.includes(cached)) parent.children.push(cached)
      if (!cached.loaded) this.#refuseCycle(path, parent)
      return cached
    }
    const module = new (this.builtinModule())(path, parent)
    this.cache[path] = module
    if (path === this.#entry) this.main = module
    try {
      module.load(path)
    } catch (error) {
      delete this.cache[path]
      const index = parent?.children?.indexOf(module) ?? -1
      if (index >= 0) parent!.children.splice(index, 1)
      throw error
    }
    return module
  }

  #refuseCycle(path: string, parent: CommonJsModule | undefined): void {
    const unit = this.#units.file(path, 'require')
    if (unit.kind !== 'esm') return
    const from = parent?.filename ? ` (from ${parent.filename})` : ''
    throw nodeError('ERR_REQUIRE_CYCLE_MODULE', `Cannot require() ES Module ${path} in a cycle.${from}`)
  }

  /** Calls a function of Node that looks for files. */
  lookUp<T>(action: () => T): T {
    return this.#units.outside(action)
  }

  load(module: CommonJsModule, path: string): void {
    const unit = this.#units.file(path, 'require')
    if (unit.kind === 'esm') module.exports = this.#requireEsm(unit, module)
    else if (unit.kind === 'json') module.exports = jsonValue(unit)
    else {
      const { run, usesDynamicImport } = this.#units.commonJs(unit, this.#trace)
      const dynamicImport = usesDynamicImport ? this.dynamicImport(path) : undefined
      const { exports } = module
      if (dynamicImport === undefined) run.call(exports, exports, requireOf(module), module, path, module.path)
      else run.call(exports, exports, requireOf(module), module, path, module.path, dynamicImport)
    }
  }

  /** Compiles text that is not a file's, for `module._compile`. */
  compile(content: string, path: string): CommonJsCode {
    return this.#disk.outside(() => compileCommonJs(content, path))
  }

  #requireEsm(unit: EsmUnit, module: CommonJsModule): unknown {
    if (this.#units.prepare(unit).topLevelAwait) {
      const message =
        'require() cannot be used on an ESM graph with top-level await. Use import() instead. To see where the ' +
        'top-level await comes from, use --experimental-print-required-tla.'
      throw nodeError(
        'ERR_REQUIRE_ASYNC_MODULE',
        `${message}\nRequired module: ${unit.path}${stackText(module.parent)}`,
      )
    }
    if (this.#records.get(unit)?.status === 'evaluating') this.#refuseCycle(unit.path, module.parent)
    const namespace = this.#evaluated(unit)
    if (Object.hasOwn(namespace, 'module.exports')) return (namespace as Record<string, unknown>)['module.exports']
    if (!Object.hasOwn(namespace, 'default') || Object.hasOwn(namespace, '__esModule')) return namespace
    const getters = this.#getters(unit)
    return createNamespace([...getters, ['__esModule', () => true] as [string, Getter]].sort(byName))
  }
}

const byName = ([a]: [string, Getter], [b]: [string, Getter]): number => (a < b ? -1 : 1)
