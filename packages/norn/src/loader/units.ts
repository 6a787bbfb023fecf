/**
 * The modules of the process: each file is read, parsed and compiled once.
 *
 * Invariants: units are keyed by path, and by query for ES modules (at most QUERIES_KEPT). All disk
 * access and resolution runs inside `options.outside`. A file that fails to load is not cached, so
 * the next import fails with a new error.
 */
import { assetModule } from './assets.ts'
import { type CommonJsCode, type CommonJsText, compileCommonJs, exportNames } from './commonjs-code.ts'
import { isUserCode, type ProgramCoverage } from './coverage.ts'
import { type Draft, type DraftText, draft, draftOf, mapOf } from './esm-code.ts'
import type { Request } from './esm-shape.ts'
import { formatByName, packageTypeOf } from './format.ts'
import type { Hoisted } from './hoisting.ts'
import { hostUnit } from './host-unit.ts'
import { allowsAddons } from './internals.ts'
import { isTypeScript } from './javascript.ts'
import { closureOf, link, linked } from './linking.ts'
import { mockUnit } from './module-mocks.ts'
import { esmUnit, moduleBuiltin, synthetic } from './new-units.ts'
import { codes, dataURLProcessor, type PackageType, validateAttributes } from './node-internals.ts'
import { folderOf, isData, urlOf } from './paths.ts'
import { Positions, showWritten } from './positions.ts'
import type { ProgramFiles } from './program-files.ts'
import { realFiles } from './real-files.ts'
import { nodeError } from './require-errors.ts'
import { Resolver, type ResolverOptions, type Target } from './resolve.ts'
import { placeAt, withPlace } from './source-error.ts'
import { definerFor } from './synthetic.ts'
import { type Fill, MODULE } from './template.ts'
import { type Build, type Cache, instrumentOf, transform } from './transform.ts'
import type { Closure, EsmUnit, HostUnit, SyntheticUnit, Unit } from './unit.ts'
import { isUnknownKind, isUnresolved, withAdvice } from './unresolved.ts'
import { WasmModule } from './wasm.ts'

export interface UnitsOptions extends ResolverOptions {
  /**
   * What a native addon exports; throws what the program may catch if it must not load. Default: refuses.
   */
  readonly addon?: (path: string) => object
  /** The files as the execution has changed them. */
  readonly files?: ProgramFiles | undefined
  /** Whether code of the program runs. */
  readonly active?: (() => boolean) | undefined
  /** Without it, files are not instrumented. */
  readonly coverage?: ProgramCoverage | undefined
  /** Keeps what files are transformed to. */
  readonly transformCache?: Cache | undefined
}

export type FileUnit = EsmUnit | SyntheticUnit

/** Modules with longer texts are evaluated in each execution. */
const MOST_CHARACTERS = 1 << 21

/** Bounds the variants `file?query`, which a program may create without end. */
const QUERIES_KEPT = 256

/** A build of a module whose scopes can be read. */
export interface ScopesBuild {
  /** Whether all of them can be. */
  readonly isReadable: boolean
  /** Gives the module back the builds of before. */
  undo(): void
}

export class Units {
  readonly resolver: Resolver
  readonly positions: Positions
  readonly options: UnitsOptions
  readonly #files = new Map<string, FileUnit>()
  readonly #queries = new Map<string, FileUnit>()
  readonly #hosts = new Map<string, HostUnit | SyntheticUnit>()
  readonly #entries = new Map<string, string>()
  /** The types of packages, by folder: Node looks for package.json again for each file. */
  readonly #types = new Map<string, PackageType>()
  readonly #sources = new WeakMap<EsmUnit, EsmUnit>()
  /** Modules that files of tests replace, by `keyOf`. */
  protected readonly mocks: Map<string, EsmUnit>

  /** Whether files of tests replace modules. */
  get hasMocks(): boolean {
    return this.mocks.size > 0
  }

  /** The files that were loaded so far, by absolute path. */
  get paths(): readonly string[] {
    return [...this.#files.keys()]
  }

  /** @param others whose mocks these have, too */
  constructor(options: UnitsOptions, positions = new Positions(), others?: Units) {
    this.options = options
    this.mocks = others === undefined ? new Map() : others.mocks
    this.positions = positions
    this.resolver = new Resolver(options)
  }

  /** Runs an action outside the world, where Node sees the files that this loads from. */
  outside<T>(action: () => T): T {
    const { outside, changing } = this.options
    return changing === undefined ? outside(action) : outside(() => changing.within(action))
  }

  /** The module at a path, after resolving symbolic links. */
  entry(path: string): FileUnit {
    let real = this.#entries.get(path)
    if (real === undefined) this.#entries.set(path, (real = this.outside(() => realFiles.realPath(path))))
    return this.file(real, 'import')
  }

  /** The module that an `import` leads to. */
  imported(specifier: string, importer: string, attributes: Readonly<Record<string, string>>, source = false): Unit {
    const target = this.resolver.import(specifier, importer)
    const mock = this.mockAt(target, importer)
    if (mock !== undefined) return mock
    const imported = this.#asset(target, importer) ?? this.#unitOf(target)
    const unit = source ? this.sourceOf(imported) : imported
    const format = imported.kind === 'json' ? 'json' : imported.kind === 'commonjs' ? 'commonjs' : 'module'
    // Compilers and bundlers read JSON without an attribute.
    const needsAttribute = format === 'json' && !isTypeScript(importer) && !importer.endsWith('.jsx')
    if (needsAttribute || Object.keys(attributes).length > 0) {
      const url = target.kind === 'file' ? urlOf(target.path) : specifier
      validateAttributes(url, format, { ...attributes })
    }
    return unit
  }

  /** The module that `import source` gives: it exports the source of another. */
  sourceOf(unit: Unit): FileUnit {
    if (unit.kind !== 'esm' || unit.wasm === undefined) {
      const url = unit.kind === 'host' || unit.kind === 'module-builtin' ? unit.path : urlOf(unit.path) + unit.search
      const error = new SyntaxError(`Source phase import object is not defined for module '${url}'`)
      throw Object.assign(error, { code: 'ERR_SOURCE_PHASE_NOT_DEFINED' })
    }
    const known = this.#sources.get(unit)
    if (known !== undefined) return known
    const parsed = draft('export default import.meta.source', unit.path)
    const made = esmUnit(parsed, `${unit.search}\0source`, { wasm: unit.wasm })
    this.#sources.set(unit, made)
    return made
  }

  get mocked(): ReadonlyMap<string, EsmUnit> {
    return this.mocks
  }

  /** The mock in place of a module, for an importer. Packages see those of jest, but not of vitest. */
  mockAt(target: Target, importer: string): EsmUnit | undefined {
    if (this.mocks.size === 0) return undefined
    const unit = this.mocks.get(keyOf(target))
    return unit?.mock?.isForAll || isUserCode(importer) ? unit : undefined
  }

  /** @throws Error if the module that a specifier leads to is not mocked */
  mockOf(specifier: string, importer: string): EsmUnit {
    const found = this.mocks.get(keyOf(this.#asked(specifier, this.file(importer, 'import'))))
    if (found === undefined) throw new Error(`'${specifier}' of ${importer} is not mocked`)
    return found
  }

  /** The module that a specifier leads to, mocked or not. */
  original(specifier: string, importer: string): Unit {
    return this.#unitOf(this.#asked(specifier, this.file(importer, 'import')))
  }

  /** What a module names, as `import` or `require` in it. */
  #asked(specifier: string, { kind, path }: FileUnit): Target {
    return kind === 'commonjs' ? this.resolver.require(specifier, path) : this.resolver.import(specifier, path)
  }

  #addMocks(unit: EsmUnit | SyntheticUnit, mocks: Hoisted['mocks'] = []): void {
    for (const { specifier, start, isForAll } of mocks) {
      const target = this.#located(unit, specifier, start, () => this.#asked(specifier, unit))
      const path = target.kind === 'file' ? target.path : undefined
      const key = keyOf(target)
      const mock = this.mocks.get(key) ?? mockUnit({ specifier, importer: unit.path, path, isForAll })
      this.mocks.set(key, mock)
      const required = isForAll ? this.#required(specifier, unit.path) : undefined
      if (required !== undefined) this.mocks.set(keyOf(required), mock)
    }
  }

  /** What `require` finds, which may be another file of a package, or none. */
  #required(specifier: string, importer: string): Target | undefined {
    try {
      return this.resolver.require(specifier, importer)
    } catch {
      return undefined
    }
  }

  #asset(target: Target, importer: string): Unit | undefined {
    if (target.kind !== 'file' || !(isTypeScript(importer) || importer.endsWith('.jsx'))) return undefined
    const text = assetModule(target.path)
    if (text === undefined) return undefined
    let unit = this.#files.get(target.path)
    if (unit === undefined) this.#files.set(target.path, (unit = esmUnit(draft(text, target.path), '', {})))
    return unit
  }

  #unitOf(target: Target): Unit {
    if (target.kind === 'file') return this.file(target.path, 'import', target.search)
    return this.host(target)
  }

  /** A builtin or a shared module, as an `import` sees it. */
  host(target: Exclude<Target, { kind: 'file' }>): HostUnit | SyntheticUnit {
    const name = target.kind === 'shared' ? target.specifier : `node:${target.id}`
    let unit = this.#hosts.get(name)
    if (unit === undefined) {
      unit = name === 'node:module' ? moduleBuiltin() : hostUnit(target)
      this.#hosts.set(name, unit)
    }
    return unit
  }

  /** Loads the module in a file, if necessary. */
  file(path: string, asked: 'import' | 'require', search = ''): FileUnit {
    const isComputed = search !== '' || isData(path)
    const known = isComputed ? this.#queries.get(path + search) : this.#files.get(path)
    if (known !== undefined) return known
    const unit = this.load(path, asked, search)
    if (!isComputed || unit.kind === 'commonjs') this.#files.set(path, unit)
    else {
      if (this.#queries.size >= QUERIES_KEPT) this.#queries.delete(this.#queries.keys().next().value!)
      this.#queries.set(path + search, unit)
    }
    return unit
  }

  /** The length of all sources, in characters. */
  get bytes(): number {
    let bytes = 0
    for (const { path } of this.#files.values()) bytes += this.positions.originOf(path)?.source.length ?? 0
    return bytes
  }

  /** Whether this loaded a module from a path. */
  has(path: string): boolean {
    return this.#files.has(path) || this.#queries.has(path)
  }

  protected read(path: string): Buffer {
    return realFiles.read(path)
  }

  protected load(path: string, asked: 'import' | 'require', search: string): FileUnit {
    return this.outside(() => this.#load(path, asked, search))
  }

  readonly #typeOf = (path: string): PackageType => {
    if (this.options.changing !== undefined) return packageTypeOf(path)
    const folder = folderOf(path)
    let type = this.#types.get(folder)
    if (type === undefined) this.#types.set(folder, (type = packageTypeOf(path)))
    return type
  }

  #load(path: string, asked: 'import' | 'require', search: string): FileUnit {
    const named = formatByName(path, asked, this.#typeOf)
    if (named === 'addon') {
      if (!allowsAddons())
        throw nodeError('ERR_DLOPEN_DISABLED', 'Cannot load native addon because loading addons is disabled.')
      const { addon, refuse } = this.options
      const exports = addon?.(path) ?? refuse(`native addon ${path}`)
      const run = (_exports: unknown, _require: unknown, module: object) => void Object.assign(module, { exports })
      return synthetic('commonjs', path, '', search, { run, usesDynamicImport: false, map: undefined })
    }
    const content = isData(path) ? contentOf(path) : this.read(path)
    if (named === 'wasm') {
      const wasm = new WasmModule(content, path)
      return esmUnit(draft(wasm.text, path), search, { wasm })
    }
    const text = content.toString('utf8')
    if (named === 'json') return synthetic('json', path, text.charCodeAt(0) === 0xfeff ? text.slice(1) : text, search)
    const build = this.instruments(path) ? 'counted' : 'plain'
    const { code = text, written, module, commonJs } = this.#transformed(text, path, named, build)
    const origin = { written, source: written === undefined ? code : text }
    if (module !== undefined) {
      const parsed = this.#draft(module, code, path, build)
      const { rewriting } = parsed
      this.positions.add(path, { rewritten: () => mapOf(rewriting), ...origin })
      return esmUnit(parsed, search, { source: build === 'plain' ? undefined : code })
    }
    try {
      const compiled = this.#commonJs(commonJs, code, path, build)
      this.positions.add(path, { rewritten: compiled.map, ...origin })
      const unit = synthetic('commonjs', path, code, '', compiled)
      this.#addMocks(unit, compiled.mocks)
      return unit
    } catch (error) {
      showWritten(error, path, origin)
      throw error
    }
  }

  #transformed(text: string, path: string, named: 'module' | 'commonjs' | 'detect', build: Build) {
    return transform(text, path, named, build, isData(path) ? undefined : this.options.transformCache)
  }

  #draft(module: DraftText, source: string, path: string, build: Build, number?: number): Draft {
    return draftOf(module, path, source, instrumentOf(build), this.#namesOf(module, source, path, number))
  }

  #commonJs(
    rewritten: CommonJsText | undefined,
    source: string,
    path: string,
    build: Build,
    number?: number,
  ): CommonJsCode {
    const names = rewritten && this.#namesOf(rewritten, source, path, number)
    return compileCommonJs(source, path, rewritten, instrumentOf(build), names)
  }

  /** What the instrumentation of a text names. @param number of the module, if its scopes are readable */
  #namesOf(text: DraftText | CommonJsText, source: string, path: string, number?: number): Fill | undefined {
    const { inserted: { instrumented } = {}, stem } = text
    const names = instrumented && this.options.coverage!.add(path, source, stem, instrumented)
    return number === undefined ? names : (hole) => (hole === MODULE ? `${number}` : names!(hole))
  }

  protected instruments(path: string): boolean {
    return !isData(path) && !path.endsWith('.node') && (this.options.coverage?.includes(path) ?? false)
  }

  /** Where the maps of a loaded module are. */
  protected positionsOf(_: FileUnit): Positions {
    return this.positions
  }

  /** Compiles the missing tracing builds of all modules that an evaluation of `unit` needs. */
  prepareTraced(unit: FileUnit): void {
    const closure = this.prepare(unit)
    if (closure.traced) return
    this.outside(() => {
      for (const each of closure.units) {
        if (each.kind !== 'esm' || each.source === undefined || each.traced !== undefined) continue
        const { source, path } = each
        const parsed = this.#draft(this.#transformed(source, path, 'module', 'traced').module!, source, path, 'traced')
        const { rewriting } = parsed
        each.traced = linked(each, parsed)
        this.positionsOf(each).addTraced(path, () => mapOf(rewriting))
      }
    })
    closure.traced = true
  }

  /** The wrapper function of a CommonJS file, in one of its builds. */
  commonJs(unit: SyntheticUnit, trace: boolean): CommonJsCode {
    if (!trace || unit.code!.map === undefined) return unit.scoped ?? unit.code!
    if (unit.traced === undefined) {
      const { source, path } = unit
      unit.traced = this.outside(() => {
        const { commonJs } = this.#transformed(source, path, 'commonjs', 'traced')
        return this.#commonJs(commonJs, source, path, 'traced')
      })
      this.positionsOf(unit).addTraced(path, unit.traced.map)
    }
    return unit.traced
  }

  /** Whether a module has a build of its own that traces. */
  isTraceable(unit: FileUnit): boolean {
    return unit.kind === 'esm' ? unit.source !== undefined : unit.kind === 'commonjs' && unit.code!.map !== undefined
  }

  /**
   * Compiles a build of a module again, so that its scopes can be read and put back.
   *
   * @param number of the module, by which its scopes tell whose they are
   * @returns whether all its scopes can be, and how to have the build of before, which runs faster
   */
  makeScopesReadable(unit: FileUnit, number: number, trace: boolean): ScopesBuild {
    if (unit.kind === 'json' || unit.kind === 'module-builtin') return { isReadable: true, undo() {} }
    const { path } = unit
    const origin = this.positions.originOf(path)
    const isLarge = (origin?.source.length ?? 0) > MOST_CHARACTERS
    // To find the scopes of a large one would take more memory than an execution may use.
    if (origin === undefined || isLarge || (unit.kind === 'esm' && unit.wasm !== undefined))
      return { isReadable: false, undo() {} }
    return this.outside(() => {
      const kind = trace ? 'traced' : this.instruments(path) ? 'counted' : 'plain'
      const build: Build = `${kind} with scopes`
      const format = unit.kind === 'esm' ? 'module' : 'commonjs'
      const text = trace ? unit.source! : origin.source
      const { code = text, module, commonJs } = this.#transformed(text, path, format, build)
      let map: (() => string) | undefined
      const undo = this.#undoing(unit, trace)
      if (unit.kind === 'commonjs') {
        const compiled = this.#commonJs(commonJs, code, path, build, number)
        unit[trace ? 'traced' : 'scoped'] = compiled
        map = compiled.map
      } else {
        const parsed = this.#draft(module!, code, path, build, number)
        const { rewriting } = parsed
        ;(unit as EsmUnit)[trace ? 'traced' : 'linked'] = linked(unit as EsmUnit, parsed)
        map = () => mapOf(rewriting)
      }
      if (trace) this.positions.addTraced(path, map)
      else this.positions.add(path, { ...origin, rewritten: map })
      return { isReadable: !((module ?? commonJs)?.inserted?.isOpaque ?? true), undo }
    })
  }

  /** How a module gets back the builds that it has now. */
  #undoing(unit: FileUnit, trace: boolean): () => void {
    const { path } = unit
    const { scoped, linked: plain, traced } = unit as Partial<SyntheticUnit & EsmUnit>
    const origin = this.positions.originOf(path)!
    const rewriting = this.positions.tracedRewriting(path)
    return () => {
      if (!trace) {
        Object.assign(unit, unit.kind === 'esm' ? { linked: plain } : { scoped })
        this.positions.add(path, origin)
      } else if (traced !== undefined) {
        unit.traced = traced
        this.positions.addTraced(path, rewriting)
      }
    }
  }

  /** Loads and links all modules that an evaluation of `unit` needs, and sets `unit.closure`. */
  prepare(unit: FileUnit): Closure {
    if (unit.closure !== undefined) return unit.closure
    return this.outside(() => {
      this.#loadEdges(unit, new Set())
      const closure = closureOf(unit)
      for (const each of closure.units) if (each.kind === 'esm' && each.linked === undefined) this.#link(each)
      return (unit.closure = closure)
    })
  }

  #link(unit: EsmUnit): void {
    try {
      link(unit)
    } catch (error) {
      this.positionsOf(unit).showWritten(error, unit.path)
      throw error
    }
  }

  #loadEdges(unit: Unit, seen: Set<Unit>): void {
    if (unit.kind === 'commonjs') unit.names ??= this.#commonJsNames(unit)
    if (unit.kind === 'commonjs' || unit.kind === 'json') unit.define ??= definerFor(unit.names!)
    if (unit.kind !== 'esm' || seen.has(unit)) return
    seen.add(unit)
    if (unit.edges === undefined) this.#addMocks(unit, unit.mocks)
    unit.edges ??= unit.shape.requests.map((request) => this.#edge(unit, request))
    for (const each of unit.edges) this.#loadEdges(each, seen)
  }

  #edge(unit: EsmUnit, { specifier, attributes, source, specifierStart }: Request): Unit {
    return this.#located(unit, specifier, specifierStart, () => this.imported(specifier, unit.path, attributes, source))
  }

  /** Adds to the error of a specifier that leads nowhere what to do, and where it is. */
  #located<Found>(unit: EsmUnit | SyntheticUnit, specifier: string, start: number, find: () => Found): Found {
    try {
      return find()
    } catch (error) {
      if (!isUnresolved(error) && !isUnknownKind(error)) throw error
      withAdvice(error, specifier, unit.path)
      const text = unit.kind === 'esm' ? unit.draft!.source : unit.source
      withPlace(error, unit.path, text, placeAt(text, start))
      this.positionsOf(unit).showWritten(error, unit.path)
      throw error
    }
  }

  /** The names an `import` sees, by Node's lexer, with re-exports. Set early, because of cycles. */
  #commonJsNames(unit: SyntheticUnit): ReadonlySet<string> {
    const { names, reexports } = exportNames(unit.source, unit.path)
    const all = new Set([...names, 'default', 'module.exports'])
    unit.names = all
    for (const specifier of reexports) {
      let from: Unit | undefined
      try {
        const target = this.resolver.require(specifier, unit.path)
        if (target.kind === 'file' && /\.(?:c?[jt]s|[jt]sx)$/.test(target.path))
          from = this.file(target.path, 'require')
      } catch {
        // A missing re-export has no names; `require` reports it when the module runs.
      }
      if (from?.kind === 'commonjs') for (const name of (from.names ??= this.#commonJsNames(from))) all.add(name)
    }
    return all
  }
}

function contentOf(url: string): Buffer {
  const processed = dataURLProcessor(new URL(url))
  if (processed === 'failure') throw new codes.ERR_INVALID_URL!(url)
  return Buffer.from(processed.body)
}

/** What a module is known by, for mocks. */
export function keyOf(target: Target): string {
  if (target.kind === 'file') return target.path
  return target.kind === 'shared' ? target.specifier : `node:${target.id.replace(/^node:/, '')}`
}
