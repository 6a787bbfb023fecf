/**
 * The modules of one execution, each evaluated once.
 *
 * Invariants: instances share only compiled code, builtins and `options.shared`. The loader adds no
 * asynchrony: only `import()` and top-level await create promises.
 */

import { tracingChannel } from 'node:diagnostics_channel'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { ChangedUnits } from './changed-units.ts'
import type { CommonJsModule, ModuleClass } from './commonjs-module.ts'
import { CommonJsModules, type DynamicImport, type EsModules, type ImportOptions } from './commonjs-modules.ts'
import { cellKey } from './esm-code.ts'
import type { EvaluatedImport } from './evaluated-imports.ts'
import { evaluate } from './evaluation.ts'
import { jsonValue } from './json.ts'
import { namespacePlan } from './linking.ts'
import { keepFirst, LoadedModules } from './loaded-modules.ts'
import { ModuleMocks, mockedGetters } from './module-mocks.ts'
import { containsModuleSyntax } from './node-internals.ts'
import { isData, urlOf } from './paths.ts'
import type { Positions } from './positions.ts'
import { createNamespace, fillEarly, type Getter, getterOf, ModuleRecord } from './record.ts'
import { RenewedUnits } from './renewed-units.ts'
import { noteNamespace, ReplacedExports } from './replaced-exports.ts'
import { withRequireStack } from './require-errors.ts'
import type { Preload } from './resolve.ts'
import type { LateLoads, LoadOrder } from './sharing/load-watch.ts'
import { snapshot } from './synthetic.ts'
import type { Cells, EsmUnit, NamespaceSource, SyntheticUnit, Unit } from './unit.ts'
import type { FileUnit, Units } from './units.ts'

/** Hears of each call of `import()`. */
const calls = tracingChannel('module.import')

/** The target of assignments to imported names, which throw. */
const CONSTANTS = new Proxy(Object.freeze(Object.create(null)), {
  set(): never {
    throw new TypeError('Assignment to constant variable.')
  },
})

const noBody = (): void => {}

/** The value of a variable; undefined for one that is not initialised. */
function readNow(getter: Getter | undefined): unknown {
  try {
    return getter?.()
  } catch {
    return undefined
  }
}

/** Evaluated modules, as imports see them. */
export type KeptRecords = readonly (readonly [Unit, ModuleRecord])[]

export class Instance implements EsModules, NamespaceSource {
  readonly #commonJs: CommonJsModules
  readonly #disk: Units
  #changed: ChangedUnits | undefined
  #renewed: RenewedUnits | undefined
  /** Whether the tracing builds run. */
  readonly #trace: boolean
  readonly #records = new Map<Unit, ModuleRecord>()
  readonly #loaded: LoadedModules
  /** Each `import.meta` that there is. */
  readonly #metas = new Map<Unit, object>()
  mocks = new ModuleMocks(this)
  readonly replacedExports = new ReplacedExports(
    (unit) => (unit.namespace ??= namespacePlan(unit)),
    (unit) => this.#cells(unit),
  )
  /** The file that runs as the entry point of a thread or a process. */
  entry: string | undefined
  /** Follows what loading does. */
  watch: LoadOrder | undefined
  /** Shares what the body loads. */
  late: LateLoads | undefined
  /** How many modules are kept from one execution to the next: the first ones. */
  #kept = 0
  #keptLoaded = 0

  constructor(units: Units, trace: boolean) {
    this.#disk = units
    this.#commonJs = new CommonJsModules(this, units, trace)
    this.#loaded = new LoadedModules(this.#commonJs)
    this.#trace = trace
  }

  /**
   * Loads a module before anybody has asked for it.
   *
   * @param parent the path of the CommonJS module that requires it; undefined if it is imported
   */
  preload(unit: FileUnit, parent: string | undefined): void {
    if (parent === undefined) void this.#evaluation(unit, this.#recordOf(unit))
    else this.#commonJs.preload(unit.path, parent)
  }

  /** What a module makes others see: where a search for all that it keeps begins. */
  exportsOf(unit: FileUnit): unknown[] {
    const required = this.#commonJs.cache[unit.path]?.exports
    const cells = this.#records.get(unit)?.cells
    const names = unit.kind === 'esm' ? unit.shape.localExports.values() : (unit.names ?? [])
    const table = cells as unknown as Record<string, Getter | undefined>
    return [
      required,
      this.#metas.get(unit),
      ...(cells === undefined ? [] : [...names].map((name) => readNow(table[cellKey(name)]))),
    ]
  }

  /** Norn's own objects that modules lead to. */
  get machinery(): readonly object[] {
    return [this, this.#commonJs]
  }

  /** What a program can change of the system of modules itself. */
  get changeable(): readonly object[] {
    return [this.#commonJs.cache, ...this.#commonJs.changeable]
  }

  /** The CommonJS modules that are loaded, by path. */
  get required(): Readonly<Record<string, CommonJsModule>> {
    return this.#commonJs.cache
  }

  /** Keeps what is loaded now for the executions that follow. */
  keep(): void {
    this.#kept = this.#records.size
    this.#keptLoaded = this.#loaded.size
  }

  /** Forgets what was loaded since `keep`: an execution begins. `require.cache` is put back by others. */
  rewind(): void {
    keepFirst(this.#records, this.#kept)
    this.#loaded.rewind(this.#keptLoaded)
    this.#commonJs.rewind()
    this.#changed = undefined
    this.#renewed = undefined
    this.mocks = new ModuleMocks(this)
    this.replacedExports.undo()
  }

  get recordCount(): number {
    return this.#records.size
  }

  /** The records behind the first ones; undefined if one is not evaluated. */
  recordsFrom(count: number): KeptRecords | undefined {
    const records = [...this.#records].slice(count)
    return records.every(([, { status, failed }]) => status === 'evaluated' && !failed) ? records : undefined
  }

  /** Takes modules for evaluated that were in an earlier execution; false if it has others of them. */
  adopt(modules: Iterable<CommonJsModule>, records: KeptRecords): boolean {
    if (records.some(([unit]) => this.#records.has(unit))) return false
    for (const [unit, record] of records) {
      this.#records.set(unit, record)
      this.#loaded.add(unit as FileUnit)
    }
    for (const each of modules) this.#commonJs.cache[each.filename!] = each
    return true
  }

  /** Whether modules are found, read and loaded as if nobody had ever changed how. */
  get isPlain(): boolean {
    return this.units === this.#disk && !this.#disk.hasMocks && !this.#commonJs.isPatched
  }

  /** Where modules come from: the disk, or what the execution has made of it. */
  get units(): Units {
    if (this.#renewed !== undefined) return this.#renewed
    if (this.#changed !== undefined) return this.#changed
    const { files } = this.#disk.options
    if (files === undefined || files.changes() === 0) return this.#disk
    return (this.#changed = new ChangedUnits(this.#disk, files, this.#loaded))
  }

  get positions(): Positions {
    return (this.#renewed ?? this.#changed ?? this.#disk).positions
  }

  /** See `Instance.import` of loader.ts. */
  import(path: string): object | Promise<object> {
    return this.evaluated(this.units.entry(path))
  }

  evaluate(path: string): void | Promise<void> {
    const unit = this.units.entry(path)
    return this.#evaluation(unit, this.#recordOf(unit))
  }

  /** See `ModuleGraph` of resolve.ts. */
  loadFirst(modules: readonly Preload[]): void | Promise<unknown> {
    if (modules.length === 0) return undefined
    const parent = this.#commonJs.root('noop.js')
    parent.id = 'internal/preload'
    for (const { kind, specifier } of modules) if (kind === 'require') parent.require(specifier)
    const imports = modules.filter(({ kind }) => kind === 'import')
    if (imports.length === 0) return undefined
    const load = this.dynamicImport(join(process.cwd(), 'noop.js'))
    const none = Promise.resolve<unknown>(undefined)
    return imports.reduce((before, { specifier }) => before.then(() => load(specifier)), none)
  }

  /** See `ModuleGraph` of resolve.ts. Resolves as Node does the script of a thread or a process. */
  run(path: string): void | Promise<unknown> {
    const unit = this.units.file(this.#resolvedEntry(path), 'import')
    this.entry = unit.path
    if (unit.kind === 'esm') return this.#evaluation(unit, this.#recordOf(unit))
    this.#commonJs.required(unit.path, undefined)
    return undefined
  }

  #resolvedEntry(path: string): string {
    try {
      const target = this.units.resolver.require(path, join(process.cwd(), 'noop.js'))
      return target.kind === 'file' ? target.path : path
    } catch (error) {
      throw withRequireStack(error, undefined)
    }
  }

  runText(text: string, name = '[worker eval]'): void | Promise<unknown> {
    const module = this.#commonJs.root(name)
    if (text.startsWith('data:')) return this.dynamicImport(module.filename!)(text)
    if (containsModuleSyntax(text, module.filename!))
      return this.dynamicImport(module.filename!)(`data:text/javascript,${encodeURIComponent(text)}`)
    module._compile(text, name)
    return undefined
  }

  evaluated(unit: Unit): object | Promise<object> {
    if (unit.kind === 'host') {
      this.units.resolver.admit(unit.target)
      return unit.cells.namespace()
    }
    const record = this.#recordOf(unit)
    const pending = this.#evaluation(unit, record)
    return pending === undefined ? record.cells.namespace() : pending.then(() => record.cells.namespace())
  }

  /** See `MockSource` of module-mocks.ts. */
  mockOf(specifier: string, importer: string): EsmUnit {
    return this.units.mockOf(specifier, importer)
  }

  /** See `MockSource` of module-mocks.ts. */
  mockNow(specifier: string, importer: string, isForAll: boolean): EsmUnit {
    return this.#renew().mock(specifier, importer, isForAll)
  }

  /** See `MockSource` of module-mocks.ts. */
  unmockNow(specifier: string, importer: string): void {
    this.#renew().unmock(specifier, importer)
  }

  /** See `MockSource` of module-mocks.ts. */
  forgetLoaded(isRequiredToo: boolean): void {
    this.#renew().forget()
    if (!isRequiredToo) return
    this.#commonJs.forget()
    for (const unit of this.mocks.forget()) this.#records.delete(unit)
  }

  /** See `MockSource` of module-mocks.ts. */
  isolated(action: () => unknown): unknown {
    const takeBack = [this.#renew().isolate(), this.#commonJs.isolate()]
    const end = () => {
      for (const each of takeBack) each()
    }
    let result: unknown
    try {
      result = action()
    } finally {
      if (!(result instanceof Promise)) end()
    }
    return result instanceof Promise ? result.finally(end) : result
  }

  #renew(): RenewedUnits {
    return (this.#renewed ??= new RenewedUnits(this.#disk, this.#loaded))
  }

  original(specifier: string, importer: string, isRequired: boolean): object | Promise<object> {
    return this.#exportsOf(this.units.original(specifier, importer), isRequired)
  }

  /** See `MockSource` of module-mocks.ts. */
  originalIn(path: string, isRequired: boolean): object | Promise<object> {
    return this.#exportsOf(this.units.entry(path), isRequired)
  }

  #exportsOf(unit: Unit, isRequired: boolean): object | Promise<object> {
    if (!isRequired || unit.kind !== 'commonjs') return this.evaluated(unit)
    return this.#commonJs.required(unit.path, undefined).exports as object
  }

  /** What `require` gives for a mocked module. */
  mockedNow(unit: EsmUnit): unknown {
    const exports = this.mocks.exports(unit, this.#recordOf(unit).cells)
    if (!(exports instanceof Promise)) return exports
    throw new Error(`require cannot wait for the factory of the mock of '${unit.mock!.specifier}'`)
  }

  isEvaluating(unit: EsmUnit): boolean {
    return this.#records.get(unit)?.status === 'evaluating'
  }

  #recordOf(unit: FileUnit): ModuleRecord {
    const { units } = this.units.prepare(unit)
    if (this.#trace) this.units.prepareTraced(unit)
    return this.#records.get(unit) ?? this.#instantiate(units, unit)
  }

  /** `require` for a module that uses it beside `import`: see commonjs-names.ts, whose code calls this. */
  requireIn(path: string): unknown {
    return (this.builtinModule() as unknown as { createRequire(from: string): unknown }).createRequire(path)
  }

  /** `require('module')`. */
  builtinModule(): ModuleClass {
    return this.#commonJs.builtinModule()
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
      if (unit.kind === 'host') this.units.resolver.admit(unit.target)
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
      const { watch } = this
      if (watch === undefined || unit.kind === 'host' || unit.kind === 'commonjs') continue
      const { body } = record
      record.body = () => {
        watch.begin(unit, undefined)
        let hasThrown = true
        try {
          const pending = body()
          hasThrown = false
          return pending
        } finally {
          watch.end(unit, hasThrown)
        }
      }
    }
    return this.#records.get(wanted)!
  }

  #startEsm(record: ModuleRecord, unit: EsmUnit): void {
    const { run, uses, namespaces, usesDynamicImport, usesMeta } = (this.#trace && unit.traced) || unit.linked!
    const arguments_: unknown[] = [
      record.cells,
      usesDynamicImport ? this.dynamicImport(unit.path) : undefined,
      usesMeta ? this.#meta(unit) : undefined,
      CONSTANTS,
    ]
    for (const each of uses) arguments_.push(this.#cells(each))
    for (const index of namespaces) {
      const cells = this.#cells(uses[index]!)
      arguments_.push(() => cells.namespace())
    }
    if (unit.shape.topLevelAwait) {
      fillEarly(record.cells, [...unit.shape.localExports.values()].map(cellKey))
      record.body = () => run(...arguments_) as Promise<void>
      if (unit.mocks !== undefined) {
        const steps = run(...arguments_) as AsyncGenerator<void, void, void>
        const first = steps.next()
        first.catch(() => {}) // The second step tells.
        record.body = () => first.then(() => steps.next()) as Promise<unknown> as Promise<void>
      }
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
        const Module = this.#commonJs.builtinModule() as unknown as Record<string, unknown>
        for (const name of unit.names!) values[name] = name === 'default' ? Module : Module[name]
      } else if (unit.search !== '' || isData(unit.path)) {
        // Without a query, `require` returns the same value.
        values.default = jsonValue(unit)
      } else snapshot(this.#commonJs.required(unit.path, undefined).exports, unit.names!, values)
    }
  }

  #cells(unit: Unit): Cells {
    return unit.kind === 'host' ? unit.cells : this.#records.get(unit)!.cells
  }

  namespaceOf(unit: Unit): object {
    const namespace = createNamespace(this.getters(unit as FileUnit))
    noteNamespace(namespace, this, unit)
    return namespace
  }

  getters(unit: FileUnit): [string, Getter][] {
    if (unit.kind === 'esm' && unit.mock !== undefined) return mockedGetters(this.#cells(unit))
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
      main: path === this.entry,
      resolve: (specifier: string) => this.#resolveUrl(`${specifier}`, path),
      url: urlOf(path) + search,
    }
    this.#metas.set(unit, Object.setPrototypeOf(meta, null))
    return meta
  }

  #resolveUrl(specifier: string, path: string): string {
    try {
      const target = this.units.resolver.import(specifier, path)
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
    const evaluated = async (specifier: unknown, options: ImportOptions, source: boolean): Promise<object> => {
      const asked = `${specifier}`
      this.#loaded.importing(asked, path)
      // Never synchronously: the code after the call of import() runs first.
      await undefined
      return this.evaluated(this.units.imported(asked, path, { ...options?.with }, source))
    }
    const traced: typeof evaluated = async (specifier, options, source) => {
      const url = `${specifier}`
      return calls.tracePromise(() => evaluated(url, options, source), { __proto__: null, parentURL: urlOf(path), url })
    }
    const load: typeof evaluated = (...asked) => (calls.hasSubscribers ? traced : evaluated)(...asked)
    return Object.assign((specifier: unknown, options: ImportOptions) => load(specifier, options, false), {
      source: async (specifier: unknown, options: ImportOptions) =>
        ((await load(specifier, options, true)) as { default: object }).default,
    })
  }

  /** Answers `import()` in evaluated code; undefined if the import is not of this program. */
  evaluatedImport({ specifier, importer, attributes, source }: EvaluatedImport): Promise<object> | undefined {
    const { active } = this.#disk.options
    const path = importer?.startsWith('file:') ? fileURLToPath(importer) : (importer ?? join(process.cwd(), '/'))
    if (!active?.() && !this.units.has(path)) return undefined
    const load = this.dynamicImport(path)
    return source ? load.source(specifier, { with: attributes }) : load(specifier, { with: attributes })
  }
}
