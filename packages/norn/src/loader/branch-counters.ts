/**
 * Writes into a program a counter for every branch and block: how often each was entered.
 *
 * Counted are the bodies of functions, both arms of `if` (a missing `else` too) and of `? :`, the
 * right sides of `&&`, `||`, `??` and their assignments, defaults of parameters and patterns, the
 * cases of `switch` (and that none applied), the bodies of loops, and `catch`. An arm that is
 * itself an `if` has no counter of its own: the sum of its arms says it.
 *
 * Invariants: what is inserted holds no line end and leaves every evaluation, its order, its value,
 * its completion and the names given to functions as they were. `with` may put an object between
 * our names and their meaning, so nothing is written into its body. Counters are numbered in the
 * order of the text, so the same text has the same numbers.
 *
 * Follows the block coverage of V8 in what a block is. Departs: AFL counts pairs of blocks in a map
 * of fixed size, in which they collide; here each counter has an element of its own (research: a
 * pair costs 1.4 times, a counter 1.1).
 */
import type { BlockStatement, IfStatement, SwitchStatement } from 'acorn'
import type MagicString from 'magic-string'
import { alwaysLeaves, CounterFlow, type Derivation, statementsOf } from './counter-flow.ts'
import type { TextRange } from './function-text.ts'
import { isAnonymous, type Node } from './syntax-tree.ts'

export interface CounterWriter {
  /**
   * Inserts what belongs to one node; to be called for every node, parents first. What is below a
   * 'skip' is left alone.
   */
  visit(node: Node, ancestors: readonly Node[]): 'skip' | undefined
  counters(): CounterPlan
}

/**
 * The counters of a text: how many there are, and those that are not counted but derived, in order.
 */
interface CounterPlan {
  readonly count: number
  readonly derivations: readonly Derivation[]
  /** Where the functions and classes stand. */
  readonly functions: readonly TextRange[]
}

/** @param array the name under which the program finds its array of counters */
export function counterWriter(text: MagicString, array: string): CounterWriter {
  let count = 0
  const functions: TextRange[] = []
  const next = (): number => count++
  const flow = new CounterFlow(next)
  const hit = (counter: number): string => `${array}[${counter}]++`
  /** A counter before what stands in a list of statements. */
  const before = (at: number, counter: number): void => {
    text.appendRight(at, `${hit(counter)};`)
  }
  /**
   * A counter at the beginning of a statement that is a body; braces are put around it where it has
   * none.
   */
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
  /**
   * An anonymous function or class takes its name from what it is assigned to, so it must stay
   * where it is.
   */
  const assigned = (node: Node): void => {
    if (!isAnonymous(node)) value(node)
  }

  function visit(node: Node, ancestors: readonly Node[]): 'skip' | undefined {
    switch (node.type) {
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        functions.push({
          counter: count,
          start: startOf(node, ancestors.at(-1), text.original),
          end: node.end,
          isClass: false,
        })
        if (node.body.type !== 'BlockStatement') value(node.body)
        else afterDirectives(node.body)
        break
      case 'ClassDeclaration':
      case 'ClassExpression':
        functions.push({ counter: count, start: node.start, end: node.end, isClass: true })
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
    // What is closed last is written first: later insertions at the same place stand before earlier
    // ones.
    if (alternate !== undefined && !derived) {
      if (node.alternate) body(node.alternate, alternate)
      else text.prependLeft(node.end, ` else ${hit(alternate)};`)
    }
    // Braces all the same: an `else` that is added further in must not become this one's.
    body(node.consequent, consequent)
  }

  function cases(node: SwitchStatement): void {
    for (const { consequent, end } of node.cases) {
      const counter = next()
      if (consequent.length > 0) before(consequent[0]!.start, counter)
      else text.appendLeft(end, `${hit(counter)};`)
      flow.enter(consequent, counter)
    }
    // That none applied can be counted where the last case does not fall through.
    const last = node.cases.at(-1)?.consequent.at(-1)
    if (last === undefined || !alwaysLeaves(last) || node.cases.some((each) => !each.test)) return
    text.prependLeft(node.end - 1, `;default:${hit(next())};`)
  }

  return { visit, counters: () => ({ count, derivations: flow.derivations, functions }) }
}

/**
 * Where the text of a function begins: that of a method with its name, and what stands before that
 * but `static`.
 */
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
