/**
 * Walks an ESTree syntax tree, with the ancestors of each node.
 *
 * Invariant: each node is visited once, in the order of its parent's properties. Of a shorthand
 * property only the value is visited (acorn's key is an equal copy).
 */
import type { AnyNode } from 'acorn'

export type Node = AnyNode

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'
}

/**
 * Calls `visit` for `root` and every node below it, except below nodes for which `visit` returns
 * 'skip'. `ancestors` is valid only during the call.
 */
export function walk(root: Node, visit: (node: Node, ancestors: readonly Node[]) => undefined | void | 'skip'): void {
  const ancestors: Node[] = []
  const step = (node: Node): void => {
    if (visit(node, ancestors) === 'skip') return
    ancestors.push(node)
    const skipped = node.type === 'Property' && node.shorthand ? 'key' : undefined
    for (const name in node) {
      const child: unknown = node[name as keyof Node]
      if (typeof child !== 'object' || name === skipped) continue
      if (Array.isArray(child)) {
        for (const each of child) if (isNode(each)) step(each)
      } else if (isNode(child)) step(child)
    }
    ancestors.pop()
  }
  step(root)
}

/** The name of a property; undefined for one that is computed, and for other nodes. */
export function keyOf(node: Node): string | undefined {
  if (node.type !== 'Property' || node.computed) return undefined
  return node.key.type === 'Identifier' ? node.key.name : String((node.key as { value?: unknown }).value)
}

/** Whether a node is a function. (Field initialisers and static blocks cannot contain `await`.) */
export function isFunction({ type }: Node): boolean {
  return type === 'FunctionDeclaration' || type === 'FunctionExpression' || type === 'ArrowFunctionExpression'
}

/** Whether a node is a function or class that is named by its assignment. */
export function isAnonymous(node: Node): boolean {
  if (node.type === 'ArrowFunctionExpression') return true
  const named =
    node.type === 'FunctionExpression' || node.type === 'ClassExpression' || node.type === 'ClassDeclaration'
  return named && !node.id
}
