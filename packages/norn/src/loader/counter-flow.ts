/**
 * Finds counters that can be derived from others instead of counted.
 *
 * If the body of a function was entered n times and the first arm of its `if` m times, the other
 * arm, or the code after the `if`, was entered n - m times, unless control can leave in between.
 * This halves the counting in hot code, which consists of such tests.
 *
 * Invariant: a derived count equals the actual one, except where an operator that is not a call
 * throws (a property of undefined): no call, `new`, `await`, `yield`, iteration or jump stands
 * between counters that are derived from each other. An `await` that never resumes must not count
 * as the other arm.
 *
 * After Knuth and Stevenson (Optimal measurement points for program frequency counts, 1973), but
 * within one list of statements only, and with throwing calls as edges.
 */
import { isFunction, isNode, type Node } from './syntax-tree.ts'

/** The counters of an `if`. */
export interface IfCounters {
  readonly consequent: number
  /** Of the `else`, present or not; undefined for an `else if`, which its own arms count. */
  readonly alternate: number | undefined
  /** Whether the `else` is derived. */
  readonly derived: boolean
}

type IfStatement = Extract<Node, { type: 'IfStatement' }>

export class CounterFlow {
  /**
   * Three numbers a derivation: the count of the first counter is that of the second minus that of the third.
   * A second one precedes those that are derived from it.
   */
  readonly derivations: number[] = []
  readonly #ifs = new Map<Node, IfCounters>()
  readonly #leaves = new Map<Node, boolean>()
  readonly #next: () => number

  /** @param next returns the index of a new counter */
  constructor(next: () => number) {
    this.#next = next
  }

  /** Follows a list of statements. @param counter of its entries, if known */
  enter(statements: readonly Node[], counter: number | undefined): void {
    let flow = counter
    for (const each of statements) {
      if (each.type === 'IfStatement') {
        const test = this.#mayLeave(each.test)
        flow = this.#after(each, test ? undefined : flow, this.#decide(each, test ? undefined : flow))
        continue
      }
      if (each.type === 'BlockStatement') this.enter(each.body, flow)
      else if (each.type === 'TryStatement') this.enter(each.block.body, flow)
      if (this.#mayLeave(each)) flow = undefined
    }
  }

  /** The counters of an `if`; enters its arms. */
  of(node: IfStatement): IfCounters {
    const counters = this.#ifs.get(node) ?? this.#decide(node, undefined)
    this.enter(statementsOf(node.consequent), counters.consequent)
    if (node.alternate) this.enter(statementsOf(node.alternate), counters.alternate)
    return counters
  }

  #decide(node: IfStatement, flow: number | undefined): IfCounters {
    const consequent = this.#next()
    const derived = flow !== undefined
    const alternate = !derived && node.alternate?.type === 'IfStatement' ? undefined : this.#next()
    if (derived) this.derivations.push(alternate!, flow, consequent)
    const counters = { consequent, alternate, derived }
    this.#ifs.set(node, counters)
    return counters
  }

  /** The counter of the code after an `if`. */
  #after(node: IfStatement, flow: number | undefined, counters: IfCounters): number | undefined {
    const { consequent, alternate } = node
    const stays = !alternate || !this.#mayLeave(alternate)
    if (!this.#mayLeave(consequent)) {
      if (stays) return flow
      return alwaysLeaves(alternate!) ? counters.consequent : undefined
    }
    return alwaysLeaves(consequent) && stays ? counters.alternate : undefined
  }

  /** Whether control may continue elsewhere than after a node. */
  #mayLeave(node: Node): boolean {
    if (isFunction(node)) return false
    if (LEAVING.has(node.type)) return true
    const known = this.#leaves.get(node)
    if (known !== undefined) return known
    const leaves = Object.values(node).some((child: unknown) =>
      Array.isArray(child)
        ? child.some((each) => isNode(each) && this.#mayLeave(each))
        : isNode(child) && this.#mayLeave(child),
    )
    this.#leaves.set(node, leaves)
    return leaves
  }
}

export function statementsOf(node: Node): readonly Node[] {
  return node.type === 'BlockStatement' ? node.body : [node]
}

const JUMPS: ReadonlySet<string> = new Set(['BreakStatement', 'ContinueStatement', 'ReturnStatement', 'ThrowStatement'])

/** Nodes that may throw, never end, or jump. A loop may be endless; patterns iterate. */
const LEAVING: ReadonlySet<string> = new Set([
  ...JUMPS,
  'ArrayPattern',
  'AwaitExpression',
  'CallExpression',
  'ClassDeclaration',
  'ClassExpression',
  'DoWhileStatement',
  'ForInStatement',
  'ForOfStatement',
  'ForStatement',
  'ImportExpression',
  'NewExpression',
  'ObjectPattern',
  'SpreadElement',
  'TaggedTemplateExpression',
  'WhileStatement',
  'YieldExpression',
])

export function alwaysLeaves(node: Node): boolean {
  const last = statementsOf(node).at(-1)
  return last !== undefined && JUMPS.has(last.type)
}
