/**
 * Inserts a counter into every branch and block of a program.
 *
 * Counted: the bodies of functions, both arms of `if` (also a missing `else`) and of `? :`, the
 * right sides of `&&`, `||`, `??` and their assignments, defaults of parameters and patterns, the
 * cases of `switch` (also that none matched), the bodies of loops, and `catch`. An arm that is an
 * `if` itself has no counter: it is the sum of its arms.
 *
 * Invariants: insertions contain no line breaks and preserve every evaluation, its order, value and
 * completion, and the names of functions. The body of `with` is not instrumented, because an object
 * may shadow the inserted names. Counters are numbered in text order, so equal texts have equal
 * numbers.
 *
 * Blocks are those of V8's block coverage. Departs from AFL, which counts pairs of blocks in a map
 * of fixed size, with collisions: here each counter has its own element (a pair costs a factor of
 * 1.4, a counter 1.1).
 */
import type { BlockStatement, IfStatement, SwitchStatement } from 'acorn'
import type MagicString from 'magic-string'
import { alwaysLeaves, CounterFlow, statementsOf } from './counter-flow.ts'
import type { FunctionRanges } from './function-text.ts'
import { isAnonymous, type Node } from './syntax-tree.ts'

export interface CounterWriter {
  /** Call it for every node, parents first. After 'skip', the children must not be visited. */
  visit(node: Node, ancestors: readonly Node[]): 'skip' | undefined
  counters(): CounterPlan
}

/** The number of counters of a text, and the derived ones, in order: see `CounterFlow`. */
export interface CounterPlan {
  readonly count: number
  readonly derivations: readonly number[]
  readonly functions: FunctionRanges
}

/** @param array the name of the array of counters */
export function counterWriter(text: MagicString, array: string): CounterWriter {
  let count = 0
  const functions: number[] = []
  const next = (): number => count++
  const flow = new CounterFlow(next)
  const hit = (counter: number): string => `${array}[${counter}]++`
  /** Inserts a counter before a statement of a list. */
  const before = (at: number, counter: number): void => {
    text.appendRight(at, `${hit(counter)};`)
  }
  /** Inserts a counter at the start of a body, in braces if it has none. */
  const body = (node: Node, counter: number): void => {
    if (node.type === 'BlockStatement') {
      before(node.start + 1, counter)
      return
    }
    text.appendRight(node.start, `{${hit(counter)};`)
    text.prependLeft(node.end, '}')
  }
  const counted = (node: Node): void => {
    const counter = next()
    body(node, counter)
    flow.enter(statementsOf(node), counter)
  }
  const value = (node: Node): void => {
    text.appendRight(node.start, `(${hit(next())},`)
    text.prependLeft(node.end, ')')
  }
  /** An anonymous function or class is named by its assignment, so it cannot be wrapped. */
  const assigned = (node: Node): void => {
    if (!isAnonymous(node)) value(node)
  }

  function visit(node: Node, ancestors: readonly Node[]): 'skip' | undefined {
    switch (node.type) {
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        functions.push(count, startOf(node, ancestors.at(-1), text.original), node.end, 0)
        if (node.body.type !== 'BlockStatement') value(node.body)
        else afterDirectives(node.body)
        break
      case 'ClassDeclaration':
      case 'ClassExpression':
        functions.push(count, node.start, node.end, 1)
        break
      case 'IfStatement':
        either(node)
        break
      case 'ConditionalExpression':
        value(node.consequent)
        value(node.alternate)
        break
      case 'LogicalExpression':
        value(node.right)
        break
      case 'AssignmentExpression':
        if (LOGICAL_ASSIGNMENTS.has(node.operator)) assigned(node.right)
        break
      case 'AssignmentPattern':
        assigned(node.right)
        break
      case 'ForStatement':
      case 'ForInStatement':
      case 'ForOfStatement':
      case 'WhileStatement':
      case 'DoWhileStatement':
      case 'CatchClause':
        counted(node.body)
        break
      case 'SwitchStatement':
        cases(node)
        break
      case 'WithStatement':
        return 'skip'
    }
  }

  function afterDirectives(block: BlockStatement): void {
    const counter = next()
    const last = block.body.findLast((each) => each.type === 'ExpressionStatement' && each.directive !== undefined)
    if (last === undefined) before(block.start + 1, counter)
    else text.appendLeft(last.end, `;${hit(counter)};`)
    flow.enter(block.body, counter)
  }

  function either(node: IfStatement): void {
    const { consequent, alternate, derived } = flow.of(node)
    // Outermost first: a later insertion at the same offset precedes an earlier one.
    if (alternate !== undefined && !derived) {
      if (node.alternate) body(node.alternate, alternate)
      else text.prependLeft(node.end, ` else ${hit(alternate)};`)
    }
    // Braces even so: an `else` inserted further in must not belong to this `if`.
    body(node.consequent, consequent)
  }

  function cases(node: SwitchStatement): void {
    for (const { consequent, end } of node.cases) {
      const counter = next()
      if (consequent.length > 0) before(consequent[0]!.start, counter)
      else text.appendLeft(end, `${hit(counter)};`)
      flow.enter(consequent, counter)
    }
    // A switch without a match can be counted if its last case does not fall through.
    const last = node.cases.at(-1)?.consequent.at(-1)
    if (last === undefined || !alwaysLeaves(last) || node.cases.some((each) => !each.test)) return
    text.prependLeft(node.end - 1, `;default:${hit(next())};`)
  }

  return { visit, counters: () => ({ count, derivations: flow.derivations, functions }) }
}

/** The start of a function's text; of a method, with its name and modifiers except `static`. */
function startOf(node: Node, parent: Node | undefined, source: string): number {
  if (parent?.type === 'Property' && parent.value === node && (parent.method || parent.kind !== 'init')) {
    return parent.start
  }
  if (parent?.type !== 'MethodDefinition' || parent.value !== node) return node.start
  if (!parent.static) return parent.start
  const prefix = /static(?:\s|\/\*[\s\S]*?\*\/|\/\/[^\n\r\u2028\u2029]*)*/y
  prefix.lastIndex = parent.start
  prefix.test(source)
  return prefix.lastIndex
}

const LOGICAL_ASSIGNMENTS: ReadonlySet<string> = new Set(['&&=', '||=', '??='])
