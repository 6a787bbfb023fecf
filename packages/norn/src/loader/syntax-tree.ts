/**
 * Walking an ESTree syntax tree with the ancestors of each node at hand.
 *
 * Invariant: nodes are met in the order in which their properties were set, each once; the key of a
 * shorthand property is not met, only its value (in acorn the two are equal copies).
 */
import type { AnyNode } from 'acorn'

export type Node = AnyNode

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'
}

/**
 * Calls `visit` for every node below and including `root`; `ancestors` is only valid during the
 * call. What is below a node for which `visit` answers 'skip' is left out.
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

/**
 * Whether a node opens a function. (In field initialisers and static blocks `await` is a syntax
 * error anyway.)
 */
export function isFunction({ type }: Node): boolean {
  return type === 'FunctionDeclaration' || type === 'FunctionExpression' || type === 'ArrowFunctionExpression'
}

/** Whether a node is a function or class that takes its name from where it is assigned. */
export function isAnonymous(node: Node): boolean {
  if (node.type === 'ArrowFunctionExpression') return true
  const named =
    node.type === 'FunctionExpression' || node.type === 'ClassExpression' || node.type === 'ClassDeclaration'
  return named && !node.id
}
