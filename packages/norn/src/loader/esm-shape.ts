/**
 * The shape of a module: its imports, its exports and its uses of imported names, independent of
 * other modules.
 *
 * Invariant: linking and code generation need nothing else, so the syntax tree is dropped. Plain
 * data with offsets into the text. Names follow ECMAScript (16.2.1.6, Source Text Module Records).
 */
import type { Identifier, Literal, Program } from 'acorn'
import { analyze } from 'eslint-scope'
import type { Parsed } from './import-phases.ts'
import { isFunction, type Node, walk } from './syntax-tree.ts'

/** In place of an export name: the whole namespace. */
export const NAMESPACE = null
export type ImportedName = string | typeof NAMESPACE

/** A requested module; one request per specifier and set of attributes. */
export interface Request {
  readonly specifier: string
  readonly attributes: Readonly<Record<string, string>>
  /** `import source`: the module is not evaluated. */
  readonly source: boolean
  /** Offset of the first statement with this request. */
  readonly start: number
  /** Offset of its specifier. */
  readonly specifierStart: number
}

/** How a use of an imported name is rewritten: a sum of these. */
export const USE = {
  /** `{ x }` must become `{ x: … }`. */
  shorthand: 1,
  /** Callee of `new`, which would claim the parentheses of the inserted call. */
  constructed: 2,
  /** Target of an assignment, which throws. */
  written: 4,
} as const

interface ImportBinding {
  readonly local: string
  /** Index into requests. */
  readonly request: number
  readonly imported: ImportedName
  /** Offset of the specifier. */
  readonly start: number
  /** Three numbers a use: the offsets of its start and end, and how it is rewritten (`USE`). */
  readonly uses: number[]
}

/**
 * `export { imported as exported } from request`; imported is NAMESPACE for `export * as exported`.
 */
interface IndirectExport {
  readonly request: number
  readonly imported: ImportedName
  readonly start: number
}

export interface ModuleShape {
  readonly requests: readonly Request[]
  readonly imports: readonly ImportBinding[]
  /** Exported name -> name of the variable. `DEFAULT` for a default export without one. */
  readonly localExports: ReadonlyMap<string, string>
  readonly indirectExports: ReadonlyMap<string, IndirectExport>
  /** Indexes into requests, for `export * from`. */
  readonly starExports: readonly number[]
  readonly topLevelAwait: boolean
}

/** The variable of `export default <expression>`; not an identifier, so it cannot clash. */
export const DEFAULT = '*default*'

const nameOf = (node: Identifier | Literal): string => (node.type === 'Identifier' ? node.name : String(node.value))

/**
 * The shape of a parsed module.
 *
 * @param text of the module
 * @param drops whether imports of which no name is used are dropped, as TypeScript does: the names may
 *   be types. Asked only where there are such imports
 */
export function shapeOf({ program, sources }: Parsed, text: string, drops: () => boolean): ModuleShape {
  const requests: Request[] = []
  const imports: ImportBinding[] = []
  const localExports = new Map<string, string>()
  const indirectExports = new Map<string, IndirectExport>()
  const starExports: number[] = []
  /** Requests of `import 'x'` and `export {} from 'x'`, which run a module for its effects. */
  const bare = new Set<number>()
  const listed: { exported: string; local: string; start: number }[] = []

  const request = (source: Literal, attributes: Node[], start: number): number => {
    const specifier = String(source.value)
    const pairs: [string, string][] = []
    for (const each of attributes) {
      if (each.type === 'ImportAttribute') pairs.push([nameOf(each.key), String(each.value.value)])
    }
    const key = JSON.stringify(pairs)
    const isSource = sources.has(start)
    const known = requests.findIndex(
      (each) =>
        each.specifier === specifier &&
        each.source === isSource &&
        JSON.stringify(Object.entries(each.attributes)) === key,
    )
    if (known >= 0) return known
    const specifierStart = source.start
    return (
      requests.push({ specifier, attributes: Object.fromEntries(pairs), source: isSource, start, specifierStart }) - 1
    )
  }

  for (const node of program.body) {
    if (node.type === 'ImportDeclaration') {
      const from = request(node.source, node.attributes, node.start)
      if (node.specifiers.length === 0) bare.add(from)
      for (const each of node.specifiers) {
        const imported: ImportedName =
          each.type === 'ImportSpecifier'
            ? nameOf(each.imported)
            : each.type === 'ImportDefaultSpecifier'
              ? 'default'
              : NAMESPACE
        imports.push({ local: each.local.name, request: from, imported, start: each.start, uses: [] })
      }
    } else if (node.type === 'ExportAllDeclaration') {
      const from = request(node.source, node.attributes, node.start)
      if (node.exported === null || node.exported === undefined) starExports.push(from)
      else indirectExports.set(nameOf(node.exported), { request: from, imported: NAMESPACE, start: node.start })
    } else if (node.type === 'ExportDefaultDeclaration') {
      const { declaration } = node
      const named = declaration.type === 'FunctionDeclaration' || declaration.type === 'ClassDeclaration'
      localExports.set('default', (named && declaration.id?.name) || DEFAULT)
    } else if (node.type === 'ExportNamedDeclaration') {
      if (node.source) {
        const from = request(node.source, node.attributes, node.start)
        if (node.specifiers.length === 0) bare.add(from)
        for (const each of node.specifiers) {
          const imported = nameOf(each.local)
          indirectExports.set(nameOf(each.exported), { request: from, imported, start: each.start })
        }
      } else if (node.declaration) {
        for (const name of declaredNames(node.declaration)) localExports.set(name, name)
      } else {
        for (const each of node.specifiers) {
          listed.push({ exported: nameOf(each.exported), local: nameOf(each.local), start: each.start })
        }
      }
    }
  }
  for (const { exported, local, start } of listed) {
    const imported = imports.find((each) => each.local === local)
    if (imported === undefined) localExports.set(exported, local)
    else indirectExports.set(exported, { request: imported.request, imported: imported.imported, start })
  }
  // Most modules need no walk: no imports, and no `await` in the text.
  const topLevelAwait = (imports.length > 0 || /\bawait\b/.test(text)) && findUses(program, imports)
  const shape = { requests, imports, localExports, indirectExports, starExports, topLevelAwait }
  const kept = requests.map((_, request) => bare.has(request) || usesRequest(shape, request))
  return kept.includes(false) && drops() ? withRequests(shape, kept) : shape
}

function usesRequest({ imports, indirectExports, starExports }: ModuleShape, request: number): boolean {
  return (
    imports.some((each) => each.request === request && each.uses.length > 0) ||
    starExports.includes(request) ||
    [...indirectExports.values()].some((each) => each.request === request)
  )
}

function withRequests(shape: ModuleShape, kept: readonly boolean[]): ModuleShape {
  const renumbered = kept.map((_, request) => kept.slice(0, request).filter(Boolean).length)
  const moved = <Each extends { readonly request: number }>(each: Each): Each => ({
    ...each,
    request: renumbered[each.request]!,
  })
  return {
    ...shape,
    requests: shape.requests.filter((_, request) => kept[request]),
    imports: shape.imports.filter(({ request }) => kept[request]).map(moved),
    indirectExports: new Map([...shape.indirectExports].map(([name, each]) => [name, moved(each)])),
    starExports: shape.starExports.map((request) => renumbered[request]!),
  }
}

/** The variables, or the name, that a statement declares. */
export function declaredNames(node: Node): string[] {
  if (node.type !== 'VariableDeclaration') {
    return 'id' in node && node.id?.type === 'Identifier' ? [node.id.name] : []
  }
  const names: string[] = []
  const pattern = (each: Node | null): void => {
    if (each?.type === 'Identifier') names.push(each.name)
    else if (each?.type === 'ObjectPattern') for (const property of each.properties) pattern(property)
    else if (each?.type === 'ArrayPattern') for (const element of each.elements) pattern(element)
    else if (each?.type === 'Property') pattern(each.value)
    else if (each?.type === 'AssignmentPattern') pattern(each.left)
    else if (each?.type === 'RestElement') pattern(each.argument)
  }
  for (const each of node.declarations) pattern(each.id)
  return names
}

/** Collects the uses of imported names. @returns whether the module has top-level await */
function findUses(program: Program, imports: readonly ImportBinding[]): boolean {
  const owners = imports.length > 0 ? referencesTo(program, imports) : new Map<object, Owner>()
  let awaits = false
  walk(program, (node, ancestors) => {
    if (
      (node.type === 'AwaitExpression' ||
        (node.type === 'ForOfStatement' && node.await) ||
        (node.type === 'VariableDeclaration' && node.kind === 'await using')) &&
      !ancestors.some(isFunction)
    ) {
      awaits = true
    }
    const owner = node.type === 'Identifier' ? owners.get(node) : undefined
    if (owner === undefined) return
    const parent = ancestors.at(-1)!
    if (parent.type === 'ExportSpecifier') return
    const how =
      (isShorthand(parent, ancestors.at(-2), node) ? USE.shorthand : 0) +
      (isConstructed(node, ancestors) ? USE.constructed : 0) +
      (owner.written ? USE.written : 0)
    owner.binding.uses.push(node.start, node.end, how)
  })
  return awaits
}

interface Owner {
  readonly binding: ImportBinding
  readonly written: boolean
}

function referencesTo(program: Program, imports: readonly ImportBinding[]): Map<object, Owner> {
  const owners = new Map<object, Owner>()
  const scopes = analyze(program as Parameters<typeof analyze>[0], {
    ecmaVersion: 2022,
    sourceType: 'module',
    fallback: 'iteration',
    ignoreEval: true,
  })
  const top = scopes.globalScope!.childScopes[0]!
  const bindings = new Map(imports.map((each) => [each.local, each]))
  for (const variable of top.variables) {
    const binding = bindings.get(variable.name)
    if (binding === undefined) continue
    for (const each of variable.references) owners.set(each.identifier, { binding, written: each.isWrite() })
  }
  return owners
}

function isShorthand(parent: Node, grandparent: Node | undefined, node: Node): boolean {
  if (parent.type === 'Property') return parent.shorthand
  const defaulted = parent.type === 'AssignmentPattern' && parent.left === node
  return defaulted && grandparent?.type === 'Property' && grandparent.shorthand
}

function isConstructed(node: Node, ancestors: readonly Node[]): boolean {
  let inner = node
  for (let at = ancestors.length - 1; at >= 0; at--) {
    const outer = ancestors[at]!
    if (outer.type === 'NewExpression') return outer.callee === inner
    if (outer.type === 'MemberExpression' ? outer.object !== inner : outer.type !== 'TaggedTemplateExpression') {
      return false
    }
    if (outer.type === 'TaggedTemplateExpression' && outer.tag !== inner) return false
    inner = outer
  }
  return false
}
