/**
 * The aliases of vite.config and vitest.config: `resolve.alias` and `test.alias`, wherever they
 * stand in the file.
 *
 * The file does not run, since plugins start servers and read what they like. So an alias that is
 * computed is not read, and reported when an import finds nothing.
 */
import { dirname, join } from 'node:path'
import { type Property, parse } from 'acorn'
import { javaScriptOf } from './javascript.ts'
import { realFiles } from './real-files.ts'
import { StaticValues } from './static-value.ts'
import { type Node, walk } from './syntax-tree.ts'

export interface ViteAlias {
  readonly find: string | RegExp
  readonly replacement: string
  readonly file: string
}

export interface ViteAliases {
  readonly known: readonly ViteAlias[]
  /** The files with aliases that are not read. */
  readonly unread: readonly string[]
}

const NAMES = ['vitest', 'vite'].flatMap((name) =>
  ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs'].map((ending) => `${name}.config.${ending}`),
)

const NONE: ViteAliases = { known: [], unread: [] }
const byFolder = new Map<string, ViteAliases>()

/** The aliases of the nearest folder with a configuration, of the given one and those above. */
export function viteAliasesOf(folder: string): ViteAliases {
  let found = byFolder.get(folder)
  if (found === undefined) {
    const files = NAMES.map((name) => join(folder, name)).filter((path) => realFiles.exists(path))
    const above = dirname(folder)
    found = files.length > 0 ? aliasesIn(files) : above === folder ? NONE : viteAliasesOf(above)
    byFolder.set(folder, found)
  }
  return found
}

/** The specifier that an alias puts in the place of another. */
export function aliasedBy({ find, replacement, file }: ViteAlias, specifier: string): string | undefined {
  const matches =
    typeof find === 'string' ? specifier === find || specifier.startsWith(`${find}/`) : specifier.search(find) >= 0
  if (!matches) return undefined
  const aliased = specifier.replace(find, replacement)
  // Vite takes a path from the root of the project, if the file system has none from its own root.
  return aliased.startsWith('/') && !aliased.startsWith(dirname(file)) && !realFiles.exists(dirname(aliased))
    ? join(dirname(file), aliased)
    : aliased
}

function aliasesIn(files: readonly string[]): ViteAliases {
  const known: ViteAlias[] = []
  const unread: string[] = []
  for (const file of files) {
    try {
      for (const [find, replacement] of pairsIn(file)) {
        if ((typeof find === 'string' || find instanceof RegExp) && typeof replacement === 'string')
          known.push({ find, replacement, file })
        else if (!unread.includes(file)) unread.push(file)
      }
    } catch {
      unread.push(file) // An import that needs no alias of the file must not fail because of it.
    }
  }
  return { known, unread }
}

function pairsIn(file: string): Pair[] {
  const options = { ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true } as const
  const program = parse(javaScriptOf(realFiles.read(file).toString('utf8'), file).code, options)
  const values = new StaticValues(program, file)
  const pairs: Pair[] = []
  walk(program, (node, ancestors) => {
    if (keyOf(node) === 'alias' && isOfResolution(ancestors))
      pairs.push(...pairsOf(values.expression((node as Property).value), values))
  })
  return pairs
}

/** Whether a property belongs to `resolve: {…}` or `test: {…}`. */
function isOfResolution(ancestors: readonly Node[]): boolean {
  const parent = ancestors.at(-2)
  if (parent?.type === 'VariableDeclarator')
    return parent.id.type === 'Identifier' && ['resolve', 'test'].includes(parent.id.name)
  return parent !== undefined && ['resolve', 'test'].includes(keyOf(parent) ?? '')
}

function keyOf(node: Node): string | undefined {
  if (node.type !== 'Property' || node.computed) return undefined
  return node.key.type === 'Identifier' ? node.key.name : String((node.key as { value?: unknown }).value)
}

type Pair = readonly [find?: unknown, replacement?: unknown]

/** The entries of `{ find: replacement }` or `[{ find, replacement }]`; without values for others. */
function pairsOf(node: Node, values: StaticValues): Pair[] {
  if (node.type === 'ObjectExpression')
    return node.properties.map((each) => (each.type === 'Property' ? [keyOf(each), values.valueOf(each.value)] : []))
  if (node.type !== 'ArrayExpression') return [[]]
  return node.elements.map((each) => {
    if (each?.type !== 'ObjectExpression') return []
    const valueAt = (name: string) => {
      const found = each.properties.find((property) => keyOf(property) === name)
      return found?.type === 'Property' ? values.valueOf(found.value) : undefined
    }
    return [valueAt('find'), valueAt('replacement')]
  })
}
