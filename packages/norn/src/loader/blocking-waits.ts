/**
 * Lets a function that blocks in `Atomics.wait` give way to other threads, which run on the same
 * stack: its body becomes a generator that is suspended until the wait is over, and the async
 * functions that call it wait for it at the call.
 *
 *     function loop() { Atomics.wait(a, 0, 0); … }     async function work() { …; loop() }
 *
 * Only where nothing could tell: plain functions whose every use is such a call, as the last thing
 * that happens in an async function (the loops of piscina and tinypool). Everything else keeps its
 * `Atomics.wait`, which is uncontrolled beside other threads. Invariant: no line moves.
 */
import type { AnonymousFunctionDeclaration, CallExpression, FunctionDeclaration, Program } from 'acorn'
import type MagicString from 'magic-string'
import { isFunction, type Node, walk } from './syntax-tree.ts'

type WaitArguments = readonly [array: Int32Array, index: number, value: number, timeoutMs?: number]

/**
 * Waits; calls `resume` with the result once the thread goes on. Returns the result if it need not
 * give way.
 */
export type Waiter = (wait: WaitArguments, resume: (result: string) => void) => string | undefined

let waiter: Waiter = (wait) => Atomics.wait(...wait)

/** How a wait gives way; without it, waits block. */
export function giveWayIn(mine: Waiter): void {
  waiter = mine
}

const SUSPENDED = new WeakSet<object>()
let held: unknown

/** What rewritten code calls, under a symbol of `globalThis`. */
const runtime = {
  wait: (...wait: unknown[]) => wait,
  /** Runs a body; returns a promise if it is suspended. */
  run(body: Generator<WaitArguments, unknown, string>): unknown {
    let settle: PromiseWithResolvers<unknown> | undefined
    const go = (result?: string): unknown => {
      for (let answer = result; ; ) {
        const { done, value } = body.next(answer!)
        if (done) return value
        answer = waiter(value as WaitArguments, resume)
        if (answer !== undefined) continue
        settle ??= Promise.withResolvers()
        SUSPENDED.add(settle.promise)
        return settle.promise
      }
    }
    const resume = (result: string) => {
      try {
        const value = go(result)
        if (value !== settle!.promise) settle!.resolve(value)
      } catch (error) {
        settle!.reject(error)
      }
    }
    return go()
  },
  isSuspended(value: unknown): boolean {
    held = value
    return typeof value === 'object' && value !== null && SUSPENDED.has(value)
  },
  value: () => held,
}
const NAME = 'norn.blocking waits'
Object.defineProperty(globalThis, Symbol.for(NAME), { value: runtime, configurable: true })
const RUNTIME = `globalThis[Symbol.for("${NAME}")]`

/** Rewrites the waits of a module. */
export function rewriteWaits(program: Program, text: MagicString): void {
  if (!text.original.includes('Atomics.wait(')) return
  const waits = new Map<
    string,
    { owner: FunctionDeclaration | AnonymousFunctionDeclaration; calls: CallExpression[] }
  >()
  const uses = new Map<string, (CallExpression | undefined)[]>()
  /** In code without semicolons, the statement before would call what begins with a parenthesis. */
  const beginStatements = new Set<CallExpression>()
  walk(program, (node, ancestors) => {
    const parent = ancestors.at(-1)
    if (node.type === 'CallExpression' && beginsListed(node, ancestors)) beginStatements.add(node)
    if (node.type === 'CallExpression' && isWait(node)) {
      const owner = ancestors.findLast(isFunction)
      if (owner?.type === 'FunctionDeclaration' && owner.id !== null && !owner.async && !owner.generator)
        waits.set(owner.id.name, { owner, calls: [...(waits.get(owner.id.name)?.calls ?? []), node] })
    }
    if (node.type !== 'Identifier' || parent === undefined || isOnlyName(node, parent)) return
    const isCalled = parent.type === 'CallExpression' && parent.callee === node && isLast(parent, ancestors)
    uses.set(node.name, [...(uses.get(node.name) ?? []), isCalled ? parent : undefined])
  })
  for (const [name, { owner, calls }] of waits) {
    const callers = uses.get(name) ?? []
    if (callers.length === 0 || callers.includes(undefined)) continue
    text.appendRight(owner.body.start + 1, `return ${RUNTIME}.run(function*(){`)
    text.appendLeft(owner.body.end - 1, '}.apply(this,arguments))')
    const opening = (call: CallExpression) => (beginStatements.has(call) ? ';(' : '(')
    for (const call of calls) {
      text.update(call.start, call.callee.end, `${opening(call)}yield ${RUNTIME}.wait`)
      text.appendLeft(call.end, ')')
    }
    for (const call of callers) {
      text.appendRight(call!.start, `${opening(call!)}${RUNTIME}.isSuspended(`)
      text.appendLeft(call!.end, `)?await ${RUNTIME}.value():${RUNTIME}.value())`)
    }
  }
}

/** Whether an expression begins a statement of a list, where an empty one may come before it. */
function beginsListed({ start }: Node, ancestors: readonly Node[]): boolean {
  const at = ancestors.findLastIndex(({ type }) => type === 'ExpressionStatement')
  return ancestors[at]?.start === start && !/^(?:If|For|While|Do|Labeled|With)/.test(ancestors[at - 1]?.type ?? '')
}

function isWait({ callee }: CallExpression): boolean {
  if (callee.type !== 'MemberExpression' || callee.computed) return false
  const { object, property } = callee
  return object.type === 'Identifier' && object.name === 'Atomics' && 'name' in property && property.name === 'wait'
}

/** Whether an identifier names a property or the declaration itself, and uses nothing. */
function isOnlyName(node: Node, parent: Node): boolean {
  if (parent.type === 'MemberExpression') return parent.property === node && !parent.computed
  if (parent.type === 'Property') return parent.key === node && !parent.computed && !parent.shorthand
  return isFunction(parent) && 'id' in parent && parent.id === node
}

/** Whether a call is in an async function, which after it at most awaits its result. */
function isLast(call: CallExpression, ancestors: readonly Node[]): boolean {
  const at = ancestors.findLastIndex(isFunction)
  const owner = ancestors[at] as { async?: boolean; generator?: boolean; body: Node } | undefined
  if (!owner?.async || owner.generator) return false
  if (ancestors.slice(at).some(({ type }) => /^(For|While|DoWhile)/.test(type))) return false
  let acts = false
  walk(owner.body, (node) => {
    if (node.type === 'CatchClause') return 'skip'
    if (node.start < call.end) return undefined
    const isResult = node.type === 'AwaitExpression' && node.argument.type === 'Identifier'
    if (/^(Call|New|Assignment|Update|Yield|Await|TaggedTemplate)/.test(node.type) && !isResult) acts = true
    return undefined
  })
  return !acts
}
