/** Connectives, IF and CASE as values: from left to right with short-circuiting, as in TLC. */
import { equal } from '../values/equality.ts'
import type { Value } from '../values/value.ts'
import { type Code, codeOf } from './code.ts'
import type { Compiler } from './compiler.ts'
import type { Context } from './context.ts'
import { failure, notBoolean } from './failures.ts'
import type { Scope } from './scope.ts'
import type { TermOf } from './terms.ts'

/** Code that must evaluate to a boolean. @param role names it in messages: `the condition of IF` */
export function condition(code: Code, role: string): () => boolean {
  const { run } = code
  return () => {
    const value = run()
    if (value === true) return true
    if (value === false) return false
    throw notBoolean(role, value)
  }
}

export function conjunction(compiler: Compiler, term: TermOf<'and' | 'or'>, scope: Scope, context: Context): Code {
  const isAnd = term.kind === 'and'
  const role = isAnd ? 'an item of a conjunction' : 'an item of a disjunction'
  const parts = term.items.map((item) => compiler.compile(item, scope, context))
  const runs = parts.map(({ run }) => run)
  const [first, second] = runs as [() => Value, () => Value]
  if (runs.length === 2) return codeOf(isAnd ? bothOf(first, second, role) : eitherOf(first, second, role), parts)
  return codeOf(listOf(runs, !isAnd, role), parts)
}

function bothOf(first: () => Value, second: () => Value, role: string): () => Value {
  return () => {
    const left = first()
    if (left === false) return false
    if (left !== true) throw notBoolean(role, left)
    const right = second()
    if (typeof right === 'boolean') return right
    throw notBoolean(role, right)
  }
}

function eitherOf(first: () => Value, second: () => Value, role: string): () => Value {
  return () => {
    const left = first()
    if (left === true) return true
    if (left !== false) throw notBoolean(role, left)
    const right = second()
    if (typeof right === 'boolean') return right
    throw notBoolean(role, right)
  }
}

/** @param decides the value of an item that decides the whole */
function listOf(runs: readonly (() => Value)[], decides: boolean, role: string): () => Value {
  return () => {
    for (let at = 0; at < runs.length; at++) {
      const value = runs[at]!()
      if (value === decides) return decides
      if (typeof value !== 'boolean') throw notBoolean(role, value)
    }
    return !decides
  }
}

export function negation(operand: Code): Code {
  const run = condition(operand, 'the operand of ~')
  return codeOf(() => !run(), [operand])
}

export function implication(left: Code, right: Code): Code {
  const premise = condition(left, 'the left side of =>')
  const conclusion = condition(right, 'the right side of =>')
  return codeOf(() => !premise() || conclusion(), [left, right])
}

export function equivalence(left: Code, right: Code): Code {
  const first = condition(left, 'the left side of <=>')
  const second = condition(right, 'the right side of <=>')
  return codeOf(() => first() === second(), [left, right])
}

/** Values are interned, so identity decides most comparisons. */
export function equality(left: Code, right: Code): Code {
  const [first, second] = [left.run, right.run]
  const known = right.known
  if (typeof known === 'object' && known.kind === 'string') {
    return codeOf(() => {
      const value = first()
      if (value === known) return true
      if (typeof value === 'object' && value.kind === 'string') return false
      return equal(value, known)
    }, [left, right])
  }
  return codeOf(() => {
    const a = first()
    const b = second()
    if (a === b) return true
    if (typeof a === 'number' && typeof b === 'number') return false
    return equal(a, b)
  }, [left, right])
}

export function inequality(left: Code, right: Code): Code {
  const { run } = equality(left, right)
  return codeOf(() => !run(), [left, right])
}

export function conditional(
  compiler: Compiler,
  term: TermOf<'if'>,
  scope: Scope,
  context: Context,
  isApplied: boolean,
): Code {
  const parts = [
    compiler.compile(term.condition, scope, context),
    compiler.compile(term.then, scope, context, isApplied),
    compiler.compile(term.else, scope, context, isApplied),
  ]
  const decide = condition(parts[0]!, 'the condition of IF')
  const [yes, no] = [parts[1]!.run, parts[2]!.run]
  return codeOf(() => (decide() ? yes() : no()), parts)
}

export function choiceOfCases(
  compiler: Compiler,
  term: TermOf<'case'>,
  scope: Scope,
  context: Context,
  isApplied: boolean,
): Code {
  const guards = term.arms.map((arm) => compiler.compile(arm.condition, scope, context))
  const bodies = term.arms.map((arm) => compiler.compile(arm.body, scope, context, isApplied))
  const other = term.other && compiler.compile(term.other, scope, context, isApplied)
  const decide = guards.map((guard) => condition(guard, 'the condition of a CASE'))
  const runs = bodies.map(({ run }) => run)
  const otherwise = other?.run
  return codeOf(() => {
    for (let at = 0; at < decide.length; at++) if (decide[at]!()) return runs[at]!()
    if (otherwise !== undefined) return otherwise()
    throw noCase()
  }, [...guards, ...bodies, ...(other ? [other] : [])])
}

export function noCase(): Error {
  return failure('none of the conditions of this CASE is true, and it has no OTHER')
}
