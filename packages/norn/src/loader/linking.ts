/**
 * Resolves each imported name to a variable, through re-exports and `export *`, or throws the error
 * of V8 or Node.
 *
 * Invariant: results depend only on the source texts, so linking runs once per process. Follows
 * ResolveExport and GetExportedNames (ECMAScript 16.2.1.6).
 */
import { type Cell, cellKey, compile, type Draft } from './esm-code.ts'
import { type ImportedName, NAMESPACE } from './esm-shape.ts'
import { isCompiledToCommonJs } from './format.ts'
import { isTypeScript } from './javascript.ts'
import { isOnlyInMetadata } from './metadata-types.ts'
import { placeAt, sourceError } from './source-error.ts'
import { type CompilerOptions, compilerOptionsOf } from './tsconfig.ts'
import type { Closure, EsmUnit, Linked, NamespacePlan, Unit } from './unit.ts'

/** A module and a variable of it, or NAMESPACE. */
interface Binding {
  readonly unit: Unit
  readonly name: ImportedName
  /** What is read of the variable, where it stands for a property of it. */
  readonly property?: string
  /** See `Cell`. */
  readonly isInterop?: boolean
}

type Resolution = Binding | 'ambiguous' | undefined

const isBinding = (found: Resolution): found is Binding => found !== undefined && found !== 'ambiguous'

function resolveExport(unit: Unit, name: string, seen: Map<Unit, Set<string>> = new Map()): Resolution {
  if (unit.kind !== 'esm') return unit.names!.has(name) ? { unit, name } : undefined
  const names = seen.get(unit) ?? new Set()
  if (names.has(name)) return undefined
  seen.set(unit, names.add(name))
  const { shape } = unit
  const edges = unit.edges!
  const local = shape.localExports.get(name)
  if (local !== undefined) return { unit, name: local }
  const indirect = shape.indirectExports.get(name)
  if (indirect !== undefined) {
    const from = edges[indirect.request]!
    return indirect.imported === NAMESPACE
      ? { unit: from, name: NAMESPACE }
      : resolveImport(unit.path, from, indirect.imported, seen)
  }
  if (name === 'default') return undefined
  let star: Binding | undefined
  for (const request of shape.starExports) {
    const found = resolveExport(edges[request]!, name, seen)
    if (found === undefined) continue
    if (!isBinding(found)) return found
    if (star === undefined) star = found
    else if (star.unit !== found.unit || star.name !== found.name) return 'ambiguous'
  }
  return star
}

/** What a module gets for a name that it imports: compilers do not follow Node for `default` of CommonJS. */
function resolveImport(importer: string, from: Unit, name: string, seen?: Map<Unit, Set<string>>): Resolution {
  const found = resolveExport(from, name, seen)
  const isInterop = name === 'default' && from.kind === 'commonjs' && isCompiledToCommonJs(importer)
  return isInterop && isBinding(found) ? { ...found, isInterop } : found
}

function exportedNames(unit: Unit, seen: Set<Unit> = new Set()): Set<string> {
  if (unit.kind !== 'esm') return new Set(unit.names)
  if (seen.has(unit)) return new Set()
  seen.add(unit)
  const names = new Set([...unit.shape.localExports.keys(), ...unit.shape.indirectExports.keys()])
  for (const request of unit.shape.starExports) {
    for (const name of exportedNames(unit.edges![request]!, seen)) if (name !== 'default') names.add(name)
  }
  return names
}

/** The sorted names of a module's namespace, without conflicting ones. */
export function namespacePlan(unit: Unit): NamespacePlan {
  const plan: NamespacePlan[number][] = []
  for (const name of [...exportedNames(unit)].sort()) {
    const found = resolveExport(unit, name)
    if (!isBinding(found)) continue
    plan.push({ name, unit: found.unit, key: found.name === NAMESPACE ? undefined : cellKey(found.name) })
  }
  return plan
}

/** Binds the names that a module imports or re-exports, and compiles it. */
export function link(unit: EsmUnit): void {
  unit.linked = linked(unit, unit.draft!)
  unit.draft = undefined
}

/** Links and compiles one build of a module. */
export function linked(unit: EsmUnit, draft: Draft): Linked {
  const { shape } = draft
  const uses: Unit[] = []
  const cells: (Cell | undefined)[] = []
  // TypeScript drops imports that only types use, and exports of types. What sees one file alone cannot, so names
  // without a use of their value may be missing.
  const lenient = isTypeScript(draft.path)
  const find = (request: number, imported: ImportedName, start: number, needed: boolean): Binding | undefined => {
    const from = unit.edges![request]!
    const options = requiringOptions(draft.path, from)
    const isWhole = options !== undefined && options.esModuleInterop !== true
    if (imported === NAMESPACE) return { unit: from, name: isWhole ? 'default' : NAMESPACE }
    const found = resolveImport(draft.path, from, imported)
    if (isBinding(found) && options !== undefined && imported !== 'default')
      return { unit: from, name: 'default', property: imported }
    if (isBinding(found)) return found
    if (!needed && found === undefined) return undefined
    // Node's lexer does not see all names of a CommonJS module. What compiles TypeScript reads them at run time.
    if (lenient && found === undefined && from.kind === 'commonjs')
      return { unit: from, name: 'default', property: imported }
    const place = placeAt(draft.source, start)
    throw sourceError(
      missing(shape.requests[request]!.specifier, imported, from, found),
      draft.path,
      draft.source,
      place,
    )
  }
  for (const each of shape.imports) {
    const binding = find(
      each.request,
      each.imported,
      each.start,
      !lenient || !isOnlyInMetadata(draft.source, each.uses),
    )
    if (binding === undefined || (each.uses.length === 0 && !draft.usesEval)) {
      cells.push(undefined)
      continue
    }
    const known = uses.indexOf(binding.unit)
    const argument = known >= 0 ? known : uses.push(binding.unit) - 1
    cells.push({ argument, name: binding.name, property: binding.property, isInterop: binding.isInterop })
  }
  for (const { request, imported, start } of shape.indirectExports.values()) find(request, imported, start, !lenient)
  const { run, namespaces } = compile(draft, cells, uses.length)
  return { run, namespaces, usesMeta: draft.usesMeta, usesDynamicImport: draft.usesDynamicImport, uses }
}

/**
 * Of an importer that its compiler makes CommonJS: it requires the module, reads its properties where it uses them,
 * and without interop `import *` is all that the module exports. Undefined for others, and of ES modules.
 */
function requiringOptions(importer: string, from: Unit): CompilerOptions | undefined {
  const isRequired = from.kind === 'commonjs' || (from.kind === 'host' && from.target.kind === 'builtin')
  if (!isRequired || !isCompiledToCommonJs(importer)) return undefined
  try {
    const options = compilerOptionsOf(importer)
    return options.module?.toLowerCase() === 'commonjs' ? options : undefined
  } catch {
    return undefined // The import that needs the configuration reports what is wrong with it.
  }
}

function missing(specifier: string, name: string, from: Unit, found: Resolution): string {
  if (found === 'ambiguous') {
    return `The requested module '${specifier}' contains conflicting star exports for name '${name}'`
  }
  if (from.kind !== 'commonjs') return `The requested module '${specifier}' does not provide an export named '${name}'`
  return (
    `Named export '${name}' not found. The requested module '${specifier}' is a CommonJS module, which may not support ` +
    'all module.exports as named exports.\nCommonJS modules can always be imported via the default export, for example ' +
    `using:\n\nimport pkg from '${specifier}';\nconst { ${name} } = pkg;\n`
  )
}

/** The modules that an evaluation of `root` reaches, builtins too, dependencies first. */
export function closureOf(root: Unit): Closure {
  const units = new Set<Unit>()
  const seen = new Set<Unit>()
  let topLevelAwait = false
  const visit = (unit: Unit): void => {
    if (seen.has(unit)) return
    seen.add(unit)
    if (unit.kind === 'esm') {
      topLevelAwait ||= unit.shape.topLevelAwait
      for (const each of unit.edges!) visit(each)
    }
    units.add(unit)
  }
  visit(root)
  return { units: [...units], topLevelAwait, traced: false }
}
