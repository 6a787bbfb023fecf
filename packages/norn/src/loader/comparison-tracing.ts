/**
 * Inserts calls that record comparisons: the tracing build of a file.
 *
 * Traced: the operators of equality and order; `switch`; `includes`, `indexOf`, `lastIndexOf`,
 * `startsWith`, `endsWith` and `localeCompare`; `has` and `get` of a Map or Set; `Object.is`; and
 * the assertions of node:assert and `expect`, by name. Not traced: comparisons with `undefined`,
 * `null`, a boolean or a `typeof`, which have no distance; of two constants; within optional chains;
 * in the body of `with`.
 *
 * Invariants: those of branch-counters.ts; also, each operand is evaluated once, in place, and the
 * program itself makes each call, on the original receiver. The message of a TypeError for calling
 * a non-function names the inserted call, and an error from `valueOf` has an inserted frame.
 */
import type { BinaryExpression, CallExpression, Expression, Super, SwitchStatement } from 'acorn'
import type MagicString from 'magic-string'
import type { ComparisonKind, Operand } from '../contract/observation.ts'
import type { ComparisonSite } from './recorded-comparisons.ts'
import { isAnonymous, type Node } from './syntax-tree.ts'
import { METHODS } from './tracer.ts'

export interface ComparisonWriter {
  /** Call it for every node, parents first. */
  visit(node: Node): void
}

/** The maximum number of constants traced in a `switch`. */
const CASES = 128

/**
 * @param tracer the name of the tracer in the program
 * @param sites gives each comparison what stands for its number in the text
 */
export function comparisonWriter(
  text: MagicString,
  stem: string,
  tracer: string,
  sites: { add(site: ComparisonSite): string },
): ComparisonWriter {
  const source = text.original
  let switches = 0

  const add = (kind: ComparisonKind, left: boolean, right: boolean, constants?: readonly Operand[]): string => {
    const site: ComparisonSite = { kind, leftConstant: left, rightConstant: right, constants }
    return sites.add(site)
  }

  /** Inserts a call, after a blank where it would join the word before it (`return-1===x`). */
  const open = (at: number, call: string): void => {
    text.appendRight(at, /[\w$\u0080-\uffff]/.test(source[at - 1] ?? '') ? ` ${call}` : call)
  }

  /** Wraps an expression in a call of the tracer; a sequence remains one argument. */
  const through = (node: Node, call: string): void => {
    const several = node.type === 'SequenceExpression'
    open(node.start, `${tracer}.${call},${several ? '(' : ''}`)
    text.prependLeft(node.end, several ? '))' : ')')
  }

  function operator(node: BinaryExpression): void {
    const method = METHODS[node.operator]
    const { left, right } = node
    if (method === undefined || left.type === 'PrivateIdentifier' || isDistant(left) || isDistant(right)) return
    const [a, b] = [constantOf(left), constantOf(right)]
    if (a !== undefined && b !== undefined) return
    const at = offsetOf(node.operator, source, left.end)
    if (at === undefined) return
    const kind = /^[<>]/.test(node.operator) ? 'order' : 'equal'
    // With a constant, only the other operand is recorded, and the operator stays.
    if (b !== undefined) {
      through(left, `noted(${add(kind, false, true, [b.value])}`)
      return
    }
    open(node.start, `${tracer}.${method}(${add(kind, a !== undefined, b !== undefined)},`)
    text.update(at, at + node.operator.length, ',')
    text.prependLeft(node.end, ')')
  }

  function selection(node: SwitchStatement): void {
    const tests = node.cases.flatMap(({ test }) => (test ? [test] : []))
    if (tests.length === 0) return
    const constants = tests.map(constantOf)
    if (constants.every((each) => each !== undefined)) {
      const values = constants.slice(0, CASES).map(({ value }) => value)
      through(node.discriminant, `noted(${add('equal', false, true, values)}`)
      return
    }
    // Every case needs its value, so a block around the statement holds it.
    const value = `${stem}v${switches++}`
    const brace = offsetOf('{', source, node.discriminant.end)
    if (brace === undefined || isAnonymous(node.discriminant)) return // A function would be named after our variable.
    text.update(node.start, node.start + 'switch'.length, `{const ${value}=`)
    text.appendLeft(brace, `;switch(${value})`)
    text.prependLeft(node.end, '}')
    for (const test of tests) through(test, `matches(${add('equal', false, constantOf(test) !== undefined)},${value}`)
  }

  function call(node: CallExpression): void {
    const { callee, arguments: arguments_ } = node
    const [first, second] = arguments_
    if (first === undefined || first.type === 'SpreadElement') return
    const name = nameOf(callee)
    if (name === undefined) return
    if (PAIRS.has(name) && second !== undefined && second.type !== 'SpreadElement') {
      if (name === 'is' && !(callee.type === 'MemberExpression' && isNamed(callee.object, 'Object'))) return
      pair(first, second, 'equal', 'values')
      return
    }
    if (callee.type !== 'MemberExpression' || callee.object.type === 'Super' || isOptionalWithin(callee.object)) return
    const kind = Object.hasOwn(CALLS, name) ? CALLS[name] : undefined
    if (kind !== undefined) pair(callee.object, first, kind.kind, kind.method)
    else if (EXPECTATIONS.has(name)) {
      const expected = expectedOf(callee.object)
      if (expected !== undefined) pair(expected, first, 'equal', 'values')
    }
  }

  function pair(left: Expression, right: Expression, kind: ComparisonKind, method: string): void {
    const [a, b] = [constantOf(left) !== undefined, constantOf(right) !== undefined]
    if (a && b) return
    const site = add(kind, a, b)
    // In an array, the value sought is the left operand.
    if (method === 'sought') add('equal', b, left.type === 'ArrayExpression' && left.elements.every(isConstant))
    through(left, `left(${site}`)
    through(right, `${method}(${site}`)
  }

  return {
    visit(node) {
      if (node.type === 'BinaryExpression') operator(node)
      else if (node.type === 'SwitchStatement') selection(node)
      else if (node.type === 'CallExpression') call(node)
    },
  }
}

/** Methods that compare their receiver with the first argument. */
const CALLS: Readonly<Record<string, { readonly kind: ComparisonKind; readonly method: string }>> = {
  includes: { kind: 'contains', method: 'sought' },
  indexOf: { kind: 'contains', method: 'sought' },
  lastIndexOf: { kind: 'contains', method: 'sought' },
  startsWith: { kind: 'prefix', method: 'values' },
  endsWith: { kind: 'suffix', method: 'values' },
  localeCompare: { kind: 'order', method: 'values' },
  has: { kind: 'equal', method: 'key' },
  get: { kind: 'equal', method: 'key' },
}

/** Functions that compare their first two arguments. */
const PAIRS: ReadonlySet<string> = new Set([
  'is',
  'equal',
  'strictEqual',
  'deepEqual',
  'deepStrictEqual',
  'notEqual',
  'notStrictEqual',
  'notDeepEqual',
  'notDeepStrictEqual',
])

const EXPECTATIONS: ReadonlySet<string> = new Set(['toBe', 'toEqual', 'toStrictEqual'])

/** The value of `expect(value)`, also before `.not`, `.resolves` and the like. */
function expectedOf(node: Expression): Expression | undefined {
  let at = node
  while (at.type === 'MemberExpression' && at.object.type !== 'Super') at = at.object
  if (at.type !== 'CallExpression' || !isNamed(at.callee, 'expect')) return undefined
  const [value] = at.arguments
  return value === undefined || value.type === 'SpreadElement' ? undefined : value
}

function nameOf(callee: Expression | Super): string | undefined {
  if (callee.type === 'Identifier') return callee.name
  if (callee.type !== 'MemberExpression' || callee.computed || callee.property.type !== 'Identifier') return undefined
  return callee.property.name
}

const isNamed = (node: Node, name: string): boolean => node.type === 'Identifier' && node.name === name

/** Whether a `?.` may end a chain early: then its parts cannot move into a call. */
function isOptionalWithin(node: Node): boolean {
  for (let at: Node = node; ; ) {
    if (at.type === 'MemberExpression') {
      if (at.optional) return true
      at = at.object
    } else if (at.type === 'CallExpression') {
      if (at.optional) return true
      at = at.callee
    } else return false
  }
}

/** The value of a constant; undefined for other nodes and for values without a distance. */
function constantOf(node: Node): { readonly value: Operand } | undefined {
  if (node.type === 'Literal') {
    if ('regex' in node && node.regex) return undefined
    return { value: node.value as Operand }
  }
  if (node.type === 'UnaryExpression' && node.operator === '-') {
    const inner = constantOf(node.argument)?.value
    if (typeof inner === 'number' || typeof inner === 'bigint') return { value: -inner }
  }
  if (node.type === 'TemplateLiteral' && node.expressions.length === 0) {
    return { value: node.quasis[0]!.value.cooked ?? '' }
  }
  return undefined
}

const isConstant = (node: Node | null): boolean => node !== null && constantOf(node) !== undefined

/** Whether comparing with a value has no distance. */
function isDistant(node: Node): boolean {
  if (node.type === 'Literal') return node.value === null || typeof node.value === 'boolean'
  if (node.type === 'UnaryExpression') return node.operator === 'typeof' || node.operator === 'void'
  return isNamed(node, 'undefined')
}

/**
 * The offset of a token after an expression, past parentheses, blanks and comments (not HTML-like
 * comments).
 */
function offsetOf(token: string, source: string, from: number): number | undefined {
  const between = /(?:[\s)]|\/\*[\s\S]*?\*\/|\/\/[^\n\r\u2028\u2029]*)*/y
  between.lastIndex = from
  between.test(source)
  const at = between.lastIndex
  return source.startsWith(token, at) ? at : undefined
}
