/**
 * The projects that a configuration of vitest or jest declares: objects, each with a configuration of its own, and
 * paths or globs of other configurations.
 */
import { basename } from 'node:path'
import type { ArrayExpression, ObjectExpression, Program } from 'acorn'
import type { StaticValues } from './static-value.ts'
import { keyOf, type Node, walk } from './syntax-tree.ts'

export interface DeclaredProject {
  /** The same for all who read the file. */
  readonly key: string
  /** What is declared in the file itself. */
  readonly node?: ObjectExpression
  readonly path?: string
  /** What it completes: the configuration that declares it, or that at a path; undefined if it does not say. */
  readonly base?: string | boolean | undefined
}

/** Undefined if the file declares none: then it is a configuration of one project. */
export function declaredProjects(
  program: Program,
  values: StaticValues,
  file: string,
): readonly DeclaredProject[] | undefined {
  return listIn(program, values, file)?.elements.flatMap((element, index): DeclaredProject[] => {
    if (element === null || element.type === 'SpreadElement') return []
    const key = `${file}#${index}`
    const node = insideOf(element, values)
    if (node.type !== 'ObjectExpression') {
      const path = values.valueOf(element)
      return typeof path === 'string' ? [{ key, path }] : []
    }
    const extending = node.properties.find((each) => keyOf(each) === 'extends')
    const base = extending?.type === 'Property' ? values.valueOf(extending.value) : undefined
    return [{ key, node, base: typeof base === 'boolean' || typeof base === 'string' ? base : undefined }]
  })
}

/** What a call such as `defineProject({…})` gets. */
function insideOf(node: Node, values: StaticValues): Node {
  const found = values.expression(node)
  const argument = found.type === 'CallExpression' ? found.arguments[0] : undefined
  return argument === undefined ? found : values.expression(argument)
}

function listIn(program: Program, values: StaticValues, file: string): ArrayExpression | undefined {
  let list: Node | undefined
  walk(program, (node, ancestors) => {
    if (isList(node, ancestors, file)) list ??= insideOf(contentOf(node), values)
  })
  return list?.type === 'ArrayExpression' ? list : undefined
}

const OF_PROJECTS = /^vitest\.(?:workspace|projects)\./

/** Whether a node has the list of projects: a property, or what a file of nothing else exports. */
function isList(node: Node, ancestors: readonly Node[], file: string): boolean {
  if (OF_PROJECTS.test(basename(file)))
    return node.type === 'ExportDefaultDeclaration' || node.type === 'ExpressionStatement'
  const name = keyOf(node)
  if (name !== 'projects' && name !== 'workspace') return false
  const around = ancestors.at(-2)
  return isTop(ancestors) || (around !== undefined && keyOf(around) === 'test')
}

function contentOf(node: Node): Node {
  if (node.type === 'Property') return node.value
  if (node.type === 'ExpressionStatement') return node.expression
  return node.type === 'ExportDefaultDeclaration' ? (node.declaration as Node) : node
}

/** Whether what has these ancestors is a property of the configuration itself. */
export function isTop(ancestors: readonly Node[]): boolean {
  return ancestors.every(({ type }) => type !== 'Property')
}
