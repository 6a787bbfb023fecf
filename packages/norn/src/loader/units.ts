/**
 * The modules of the process: each file is read, parsed and compiled once.
 *
 * Invariants: units are keyed by path, and by query for ES modules (at most QUERIES_KEPT). All disk
 * access and resolution runs inside `options.outside`. A file that fails to load is not cached, so
 * the next import fails with a new error.
 */
import { pathToFileURL } from 'node:url'
import { type CommonJsCode, compileCommonJs, exportNames } from './commonjs-code.ts'
import type { ProgramCoverage } from './coverage.ts'
import { type Draft, draft, type Instrument } from './esm-code.ts'
import { detectFormat, formatByName, javaScriptOf } from './format.ts'
import { hostUnit } from './host-unit.ts'
import { closureOf, link, linked } from './linking.ts'
import { HostModule, validateAttributes } from './node-internals.ts'
import { Positions } from './positions.ts'
import { realFiles } from './real-files.ts'
import { Resolver, type ResolverOptions, type Target } from './resolve.ts'
import { definerFor } from './synthetic.ts'
import { type Closure, type EsmUnit, type HostUnit, newCellsClass, type SyntheticUnit, type Unit } from './unit.ts'

export interface UnitsOptions extends ResolverOptions {
  /** Without it, files are not instrumented. */
  readonly coverage?: ProgramCoverage | undefined
}

/** Bounds the variants `file?query`, which a program may create without end. */
const QUERIES_KEPT = 256

export class Units {
  readonly resolver: Resolver
  readonly positions = new Positions()
  readonly #options: UnitsOptions
  readonly #files = new Map<string, EsmUnit | SyntheticUnit>()
  readonly #queries = new Map<string, EsmUnit>()
  readonly #hosts = new Map<string, HostUnit | SyntheticUnit>()
  readonly #entries = new Map<string, string>()

  constructor(options: UnitsOptions) {
    this.#options = options
    this.resolver = new Resolver(options)
  }

  /** The module at a path, after resolving symbolic links. */
  entry(path: string): EsmUnit | SyntheticUnit {
    let real = this.#entries.get(path)
    if (real === undefined) this.#entries.set(path, (real = this.#options.outside(() => realFiles.realPath(path))))
    return this.file(real, 'import')
  }

  /** The module that an `import` leads to. */
  imported(specifier: string, importer: string, attributes: Readonly<Record<string, string>>): Unit {
    const target = this.resolver.import(specifier, importer)
    const unit = this.#unitOf(target)
    const format = unit.kind === 'json' ? 'json' : unit.kind === 'commonjs' ? 'commonjs' : 'module'
    if (format === 'json' || Object.keys(attributes).length > 0) {
      const url = target.kind === 'file' ? pathToFileURL(target.path).href : specifier
      validateAttributes(url, format, { ...attributes })
    }
    return unit
  }

  #unitOf(target: Target): Unit {
    if (target.kind === 'file') return this.file(target.path, 'import', target.search)
    const name = target.kind === 'shared' ? target.specifier : `node:${target.id}`
    let unit = this.#hosts.get(name)
    if (unit === undefined) {
      unit = name === 'node:module' ? moduleBuiltin() : hostUnit(target)
      this.#hosts.set(name, unit)
    }
    return unit
  }

  /** Loads the module in a file, if necessary. */
  file(path: string, asked: 'import' | 'require', search = ''): EsmUnit | SyntheticUnit {
    const known = search === '' ? this.#files.get(path) : this.#queries.get(path + search)
    if (known !== undefined) return known
    const unit = this.#options.outside(() => this.#load(path, asked, search))
    if (search === '' || unit.kind !== 'esm') this.#files.set(path, unit)
    else {
      if (this.#queries.size >= QUERIES_KEPT) this.#queries.delete(this.#queries.keys().next().value!)
      this.#queries.set(path + search, unit)
    }
    return unit
  }

  #load(path: string, asked: 'import' | 'require', search: string): EsmUnit | SyntheticUnit {
    const named = formatByName(path, asked)
    if (named === 'addon') this.#options.refuse(`native addon ${path}`)
    if (named === 'wasm') this.#options.refuse(`WebAssembly module ${path}`)
    const text = realFiles.read(path)
    if (named === 'json') return synthetic('json', path, text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)
    const { code, map } = javaScriptOf(text, path)
    if ((named === 'detect' ? detectFormat(code, path) : named) === 'commonjs') {
      const compiled = compileCommonJs(code, path, this.#instrument(path, false))
      this.positions.add(path, compiled.map, map)
      return synthetic('commonjs', path, code, compiled)
    }
    const instrument = this.#instrument(path, false)
    const parsed = draft(code, path, instrument)
    this.positions.add(path, mapOf(parsed), map)
    return {
      kind: 'esm',
      path,
      url: pathToFileURL(path).href + search,
      shape: parsed.shape,
      CellsOfUnit: newCellsClass(),
      draft: parsed,
      edges: undefined,
      linked: undefined,
      source: instrument && code,
      traced: undefined,
      closure: undefined,
      namespace: undefined,
    }
  }

  #instrument(path: string, trace: boolean): Instrument | undefined {
    const { coverage } = this.#options
    if (!coverage?.includes(path)) return undefined
    return (text, stem) => coverage.instrument(path, text, stem, trace)
  }

  /** Compiles the missing tracing builds of all modules that an evaluation of `unit` needs. */
  prepareTraced(unit: EsmUnit | SyntheticUnit): void {
    const closure = this.prepare(unit)
    if (closure.traced) return
    this.#options.outside(() => {
      for (const each of closure.units) {
        if (each.kind !== 'esm' || each.source === undefined || each.traced !== undefined) continue
        const parsed = draft(each.source, each.path, this.#instrument(each.path, true))
        each.traced = linked(each, parsed)
        this.positions.addTraced(each.path, mapOf(parsed))
      }
    })
    closure.traced = true
  }

  /** The wrapper function of a CommonJS file, in one of its builds. */
  commonJs(unit: SyntheticUnit, trace: boolean): CommonJsCode {
    if (!trace || unit.code!.map === undefined) return unit.code!
    if (unit.traced === undefined) {
      unit.traced = this.#options.outside(() =>
        compileCommonJs(unit.source, unit.path, this.#instrument(unit.path, true)),
      )
      this.positions.addTraced(unit.path, unit.traced.map)
    }
    return unit.traced
  }

  /** Loads and links all modules that an evaluation of `unit` needs, and sets `unit.closure`. */
  prepare(unit: EsmUnit | SyntheticUnit): Closure {
    if (unit.closure !== undefined) return unit.closure
    return this.#options.outside(() => {
      this.#loadEdges(unit, new Set())
      const closure = closureOf(unit)
      for (const each of closure.units) if (each.kind === 'esm' && each.linked === undefined) link(each)
      return (unit.closure = closure)
    })
  }

  #loadEdges(unit: Unit, seen: Set<Unit>): void {
    if (unit.kind === 'commonjs') unit.names ??= this.#commonJsNames(unit)
    if (unit.kind === 'commonjs' || unit.kind === 'json') unit.define ??= definerFor(unit.names!)
    if (unit.kind !== 'esm' || seen.has(unit)) return
    seen.add(unit)
    unit.edges ??= unit.shape.requests.map(({ specifier, attributes }) =>
      this.imported(specifier, unit.path, attributes),
    )
    for (const each of unit.edges) this.#loadEdges(each, seen)
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
        if (target.kind === 'file' && /\.c?[jt]s$/.test(target.path)) from = this.file(target.path, 'require')
      } catch {
        // A missing re-export has no names; `require` reports it when the module runs.
      }
      if (from?.kind === 'commonjs') for (const name of (from.names ??= this.#commonJsNames(from))) all.add(name)
    }
    return all
  }
}

const mapOf =
  ({ text, path }: Draft) =>
  (): string =>
    text.generateMap({ source: path, hires: 'boundary' }).toString()

function synthetic(kind: 'commonjs' | 'json', path: string, source: string, code?: CommonJsCode): SyntheticUnit {
  return {
    kind,
    path,
    CellsOfUnit: newCellsClass(),
    names: kind === 'json' ? new Set(['default']) : undefined,
    define: undefined,
    code,
    traced: undefined,
    source,
    closure: undefined,
    namespace: undefined,
  }
}

/** `node:module` exists once per instance: its `createRequire` must load into the instance. */
function moduleBuiltin(): SyntheticUnit {
  const names = new Set([...Object.keys(HostModule), 'default'])
  return {
    kind: 'module-builtin',
    path: 'node:module',
    CellsOfUnit: newCellsClass(),
    names,
    define: definerFor(names),
    code: undefined,
    traced: undefined,
    source: '',
    closure: undefined,
    namespace: undefined,
  }
}
