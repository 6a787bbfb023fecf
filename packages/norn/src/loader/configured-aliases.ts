/**
 * The aliases of vite.config and vitest.config: `resolve.alias` and `test.alias`; and of jest's configuration:
 * `moduleNameMapper`. Wherever they stand in the file; those of a project that it declares are for that project.
 *
 * The file does not run, since plugins start servers and read what they like. So an alias that is
 * computed is not read, and reported when an import finds nothing.
 */
import { dirname, join, resolve } from 'node:path'
import { type Program, type Property, parse } from 'acorn'
import { type DeclaredProject, declaredProjects, isTop } from './declared-projects.ts'
import { javaScriptOf } from './javascript.ts'
import { realFiles } from './real-files.ts'
import { StaticValues } from './static-value.ts'
import { keyOf, type Node, walk } from './syntax-tree.ts'

export interface ConfiguredAlias {
  readonly find: string | RegExp
  readonly replacement: string
  readonly file: string
  /** Whether it holds also where Node finds a module, as those of jest do. */
  readonly isFirst: boolean
  /** Of the project that it is for. */
  readonly project?: string | undefined
}

export interface ConfiguredAliases {
  readonly known: readonly ConfiguredAlias[]
  /** The files with aliases that are not read. */
  readonly unread: readonly string[]
  /** Of the exports of packages: `resolve.conditions` of Vite. */
  readonly conditions: readonly string[]
}

const NAMES = [
  ...['vitest', 'vite', 'jest'].flatMap((name) =>
    ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs'].map((ending) => `${name}.config.${ending}`),
  ),
  'jest.config.json',
  'package.json',
]

const NONE: ConfiguredAliases = { known: [], unread: [], conditions: [] }
const byFolder = new Map<string, ConfiguredAliases>()

/**
 * The aliases of the nearest folder with a configuration, of the given one and those above.
 *
 * @param project the one that runs, if a configuration declares it: its own come first
 */
export function configuredAliases(folder: string, project?: RunningProject): ConfiguredAliases {
  const { known, ...others } = allAliases(folder)
  const isOthers = (alias: ConfiguredAlias) =>
    alias.project === undefined
      ? project?.isAlone === true && project.key.startsWith(`${alias.file}#`)
      : alias.project !== project?.key
  const open = known.filter((alias) => !isOthers(alias))
  const own = (alias: ConfiguredAlias) => Number(alias.project !== undefined)
  return { ...others, known: open.toSorted((a, b) => own(b) - own(a)) }
}

/** A project that a configuration declares. */
export interface RunningProject {
  readonly key: string
  /** Whether the configuration that declares it does not hold for it. */
  readonly isAlone: boolean
}

function allAliases(folder: string): ConfiguredAliases {
  let found = byFolder.get(folder)
  if (found === undefined) {
    const files = NAMES.map((name) => join(folder, name)).filter(isConfiguration)
    const above = dirname(folder)
    found = aliasesIn(files)
    // A configuration that declares none does not hide those above it.
    if (found.known.length + found.unread.length + found.conditions.length === 0)
      found = above === folder ? NONE : allAliases(above)
    byFolder.set(folder, found)
  }
  return found
}

/** Of the files named package.json, one with a part for jest. */
function isConfiguration(path: string): boolean {
  return realFiles.exists(path) && (!path.endsWith('package.json') || ofPackage(path) !== undefined)
}

function ofPackage(path: string): object | undefined {
  try {
    return (JSON.parse(realFiles.read(path).toString('utf8')) as { jest?: object }).jest
  } catch {
    return undefined
  }
}

/** The specifier that an alias puts in the place of another. */
export function aliasedBy({ find, replacement, file }: ConfiguredAlias, specifier: string): string | undefined {
  const matches =
    typeof find === 'string' ? specifier === find || specifier.startsWith(`${find}/`) : specifier.search(find) >= 0
  if (!matches) return undefined
  const aliased = specifier.replace(find, replacement)
  // Vite takes a path from the root of the project, if the file system has none from its own root.
  return aliased.startsWith('/') && !aliased.startsWith(dirname(file)) && !realFiles.exists(dirname(aliased))
    ? join(dirname(file), aliased)
    : aliased
}

function aliasesIn(files: readonly string[]): ConfiguredAliases {
  const known: ConfiguredAlias[] = []
  const unread: string[] = []
  const conditions: string[] = []
  for (const file of files) {
    try {
      const read = pairsIn(file)
      conditions.push(...read.conditions)
      for (const [project, [find, replacement, isFirst = false]] of read.pairs) {
        if ((typeof find === 'string' || find instanceof RegExp) && typeof replacement === 'string')
          known.push({ find, replacement, file, isFirst, project })
        else if (!unread.includes(file)) unread.push(file)
      }
    } catch {
      unread.push(file) // An import that needs no alias of the file must not fail because of it.
    }
  }
  return { known, unread, conditions }
}

interface Read {
  /** With the project of each. */
  readonly pairs: (readonly [string | undefined, Pair])[]
  readonly conditions: string[]
}

function pairsIn(file: string): Read {
  const options = { ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true } as const
  const text = file.endsWith('package.json') ? JSON.stringify(ofPackage(file)) : realFiles.read(file).toString('utf8')
  const code = file.endsWith('.json') ? `(${text})` : javaScriptOf(text, file).code
  const program = parse(code, options)
  const values = new StaticValues(program, file)
  const projects = declaredProjects(program, values, file) ?? []
  const pairs: Read['pairs'] = []
  const conditions: string[] = []
  walk(program, (node, ancestors) => {
    const name = keyOf(node)
    const value = () => values.expression((node as Property).value)
    const found =
      name === 'alias' && isOfResolution(ancestors)
        ? pairsOf(value(), values)
        : name === 'moduleNameMapper'
          ? mappingsOf(value(), values, rootDirOf(program, values, file))
          : []
    if (name === 'conditions' && isOfResolution(ancestors)) conditions.push(...textsOf(value(), values))
    const project = projects.find((each) => isIn(each, ancestors))?.key
    pairs.push(...found.map((pair) => [project, pair] as const))
  })
  return { pairs, conditions }
}

function textsOf(node: Node, values: StaticValues): readonly string[] {
  if (node.type !== 'ArrayExpression') return []
  const found = node.elements.map((each) => each && values.valueOf(each))
  return found.filter((each) => typeof each === 'string')
}

const isIn = ({ node }: DeclaredProject, ancestors: readonly Node[]): boolean =>
  node !== undefined && ancestors.includes(node)

/** Jest's `rootDir`. */
function rootDirOf(program: Program, values: StaticValues, file: string): string {
  let found: unknown
  walk(program, (node, ancestors) => {
    if (keyOf(node) === 'rootDir' && isTop(ancestors)) found = values.valueOf((node as Property).value)
  })
  return resolve(dirname(file), typeof found === 'string' ? found : '')
}

/** The entries of `{ pattern: replacement }`, of which each may have several; the whole specifier is replaced. */
function mappingsOf(node: Node, values: StaticValues, folder: string): Pair[] {
  if (node.type !== 'ObjectExpression') return [[]]
  return node.properties.flatMap((each): Pair[] => {
    const pattern = keyOf(each)
    if (each.type !== 'Property' || pattern === undefined) return [[]]
    const elements = each.value.type === 'ArrayExpression' ? each.value.elements : [each.value]
    return elements.map((element) => {
      const value = element && values.valueOf(element)
      if (typeof value !== 'string') return []
      return [new RegExp(`^.*?(?:${pattern}).*$`, 's'), value.replaceAll('<rootDir>', folder), true]
    })
  })
}

/** Whether a property belongs to `resolve: {…}` or `test: {…}`. */
function isOfResolution(ancestors: readonly Node[]): boolean {
  const parent = ancestors.at(-2)
  if (parent?.type === 'VariableDeclarator')
    return parent.id.type === 'Identifier' && ['resolve', 'test'].includes(parent.id.name)
  return parent !== undefined && ['resolve', 'test'].includes(keyOf(parent) ?? '')
}

type Pair = readonly [find?: unknown, replacement?: unknown, isFirst?: boolean]

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
