/**
 * Which counters need not be counted, because others say it.
 *
 * The body of a function was entered n times and the first arm of its first `if` m times: so the
 * other arm, or what comes after the `if`, n - m times, as long as nothing in between could leave.
 * That halves the counting in the code that is hot, which is made of such tests.
 *
 * Invariant: what is derived equals what would have been counted, except where an operator throws
 * that is no call (a property of undefined): between two counters that are derived from each other
 * stands no call, `new`, `await`, `yield`, iteration or jump. An `await` that never comes back must
 * not look like the arm that nobody has reached yet.
 *
 * Follows Knuth and Stevenson (Optimal measurement points for program frequency counts, 1973) in
 * spirit: departs by looking only down one list of statements, and by taking throwing calls as
 * edges.
 */
import { isFunction, isNode, type Node } from './syntax-tree.ts'

/**
 * The count of `target` is that of `base` less that of `minus`; indexes of counters. Bases stand
 * before their targets.
 */
export interface Derivation {
  readonly target: number
  readonly base: number
  readonly minus: number
}

/** The counters of an `if`. */
export interface IfCounters {
  readonly consequent: number
  /** Of the else, there or not; undefined for an `else if` that its own arms say it of. */
  readonly alternate: number | undefined
  /** Whether the else is derived, so not counted. */
  readonly derived: boolean
}

type IfStatement = Extract<Node, { type: 'IfStatement' }>

export class CounterFlow {
  readonly derivations: Derivation[] = []
  readonly #ifs = new Map<Node, IfCounters>()
  readonly #leaves = new Map<Node, boolean>()
  readonly #next: () => number

  /** @param next gives out the index of a new counter */
  constructor(next: () => number) {
    this.#next = next
  }

  /** Looks down a list of statements that is entered as often as a counter says, if it is known. */
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

  /** The counters of an `if`; what is below it is entered when this is asked. */
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
    if (derived) this.derivations.push({ target: alternate!, base: flow, minus: consequent })
    const counters = { consequent, alternate, derived }
    this.#ifs.set(node, counters)
    return counters
  }

  /** How often what stands after an `if` is reached. */
  #after(node: IfStatement, flow: number | undefined, counters: IfCounters): number | undefined {
    const { consequent, alternate } = node
    const stays = !alternate || !this.#mayLeave(alternate)
    if (!this.#mayLeave(consequent)) {
      if (stays) return flow
      return alwaysLeaves(alternate!) ? counters.consequent : undefined
    }
    return alwaysLeaves(consequent) && stays ? counters.alternate : undefined
  }

  /** Whether the program may go on somewhere else than behind a node. */
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

/** What may throw, stop for good, or go elsewhere. A loop may be endless, and patterns iterate. */
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
