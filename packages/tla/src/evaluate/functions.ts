/** Functions, tuples, records, and EXCEPT. */
import { isPassing } from '../error/error.ts'
import type { Update } from '../semantics/term.ts'
import type { Arena } from '../values/arena.ts'
import { canonical, isCanonical } from '../values/canonical.ts'
import { apply, domainOf, field } from '../values/functions.ts'
import { member } from '../values/member.ts'
import { functionOf, recordOf, ruleFunction, tupleOf, updated } from '../values/rule-functions.ts'
import { product } from '../values/symbolic-sets.ts'
import type { Canonical, SetValue, Shape, Value } from '../values/value.ts'
import { type Bound, bind, bindCell } from './binders.ts'
import { type Cell, type Code, codeOf } from './code.ts'
import type { Compiler } from './compiler.ts'
import type { Context } from './context.ts'
import { keeper } from './kept.ts'
import type { Scope } from './scope.ts'
import type { TermOf } from './terms.ts'

/** Functions over domains up to this size are evaluated eagerly. */
const MOST_EAGER = 1 << 16

/** Evaluates parts in order. Returns whether all are canonical. */
function evaluateInto(elements: Value[], runs: readonly (() => Value)[]): boolean {
  let isListed = true
  for (let at = 0; at < runs.length; at++) {
    const element = runs[at]!()
    if (!isCanonical(element)) isListed = false
    elements[at] = element
  }
  return isListed
}

/** `<<a, b>>`. */
export function tuple(compiler: Compiler, term: TermOf<'tuple'>, scope: Scope, context: Context): Code {
  const { arena } = compiler
  const parts = term.items.map((item) => compiler.compile(item, scope, context))
  const runs = parts.map(({ run }) => run)
  return codeOf(() => {
    const elements: Value[] = new Array(runs.length)
    return evaluateInto(elements, runs) ? arena.tuple(elements as Canonical[]) : tupleOf(arena, elements)
  }, parts)
}

/** `[a |-> 1, b |-> 2]`. */
export function record(compiler: Compiler, term: TermOf<'record'>, scope: Scope, context: Context): Code {
  const { arena } = compiler
  const shape = arena.shape(term.fields.map(({ name }) => name))
  const parts = shape.names.map((name) => {
    const { value } = term.fields.find((candidate) => candidate.name === name)!
    return compiler.compile(value, scope, context)
  })
  const runs = parts.map(({ run }) => run)
  return codeOf(() => {
    const elements: Value[] = new Array(runs.length)
    return evaluateInto(elements, runs)
      ? arena.record(shape, elements as Canonical[])
      : recordOf(arena, shape, elements)
  }, parts)
}

/** `r.f`, with an inline cache of the index by shape. */
export function fieldOf(compiler: Compiler, term: TermOf<'field'>, scope: Scope, context: Context): Code {
  const part = compiler.compile(term.record, scope, context)
  const { run } = part
  const { name } = term
  let shape: Shape | undefined
  let place = 0
  return codeOf(() => {
    const value = run()
    if (typeof value === 'object' && value.kind === 'record') {
      if (value.shape === shape) return value.elements[place]!
      const found = value.shape.names.indexOf(name)
      if (found >= 0) {
        shape = value.shape
        place = found
        return value.elements[found]!
      }
    }
    return field(value, name)
  }, [part])
}

/** `f[a]`, `f[a, b]`. */
export function application(compiler: Compiler, term: TermOf<'application'>, scope: Scope, context: Context): Code {
  const { arena } = compiler
  const of = compiler.compile(term.function, scope, context, true)
  const parts = term.arguments.map((argument) => compiler.compile(argument, scope, context))
  const first = of.run
  if (parts.length === 1) {
    const second = parts[0]!.run
    return codeOf(() => {
      const value = first()
      const argument = second()
      if (typeof value === 'object') {
        if (value.kind === 'tuple' && typeof argument === 'number') {
          const element = value.elements[argument - 1]
          if (element !== undefined) return element
          // Called directly, so that recursion takes less stack.
        } else if (value.kind === 'rule function') return value.apply(argument)
      }
      return apply(value, argument)
    }, [of, parts[0]!])
  }
  const argument = argumentOf(arena, parts)
  return codeOf(() => apply(first(), argument()), [of, ...parts])
}

/** The argument of an application: the tuple of several. */
export function argumentOf(arena: Arena, parts: readonly Code[]): () => Value {
  if (parts.length === 1) return parts[0]!.run
  const runs = parts.map(({ run }) => run)
  return () => arena.tuple(runs.map((run) => canonical(run())))
}

export function domainCode(compiler: Compiler, operand: Code): Code {
  const { arena } = compiler
  const { run } = operand
  return codeOf(() => domainOf(arena, run()), [operand])
}

/**
 * `[x \in S |-> e]`. Evaluated eagerly, except in a recursive definition that only uses elements of
 * it: as in TLC, it may refer to its own elements.
 */
export function functionConstructor(
  compiler: Compiler,
  term: TermOf<'function'>,
  scope: Scope,
  context: Context,
  isApplied: boolean,
): Code {
  const { arena } = compiler
  const mark = compiler.cells.length
  const bound = bind(compiler, term.binders, scope, context)
  const body = compiler.compile(term.body, bound.scope, context, isApplied)
  const inner = compiler.innerFrom(mark)
  const { run } = body
  const assign = assignment(bound)
  const domain = domainOfBinders(arena, bound)
  if (isApplied && isUnderRecursion(compiler, body)) {
    const framed = compiler.framedCall(body, 'this function', term.at, bound.cells)
    const keep = keeper(body, bound.cells, inner, assign, framed.run)
    return codeOf(() => ruleFunction(arena, domain(), keep()), [...bound.sets, body], bound.cells)
  }
  const keep = keeper(body, bound.cells, inner, assign, run)
  let listedOf: Value | undefined
  let listed: SetValue | undefined
  return codeOf(
    () => {
      let set = domain()
      if (typeof set === 'object' && set.kind === 'symbolic set') {
        // Usually the same set as before.
        if (listed === undefined || listedOf !== set) {
          if ((set.size() ?? MOST_EAGER + 1) > MOST_EAGER) return functionOf(arena, set, keep())
          listedOf = set
          listed = set.toSet()
        }
        set = listed
      }
      if (typeof set === 'object' && set.kind === 'set') {
        try {
          return arena.function(set, elementsByRule(arena, set, assign, run))
        } catch (error) {
          // An element that fails is only an error if it is used.
          if (!isPassing(error)) throw error
          return ruleFunction(arena, set, keep())
        }
      }
      return functionOf(arena, set, keep())
    },
    [...bound.sets, body],
    bound.cells,
  )
}

/** Whether it refers to a recursive definition that is being compiled. */
function isUnderRecursion({ selves }: Compiler, { pending, cells }: Code): boolean {
  if (pending.size > 0) return true
  for (const self of selves) if (cells.has(self)) return true
  return false
}

function elementsByRule(
  _arena: Arena,
  { elements: keys }: SetValue,
  assign: (key: Value) => void,
  run: () => Value,
): Canonical[] {
  const elements: Canonical[] = new Array(keys.length)
  for (let at = 0; at < keys.length; at++) {
    assign(keys[at]!)
    elements[at] = canonical(run())
  }
  return elements
}

/** `f[x \in S] == e`: lazy, with computed elements cached in the function. */
export function recursiveFunction(
  compiler: Compiler,
  term: TermOf<'recursive function'>,
  scope: Scope,
  context: Context,
): Code {
  const { arena } = compiler
  const mark = compiler.cells.length
  const self = compiler.cell(term.self.name)
  const bound = bind(compiler, term.binders, scope, context)
  compiler.selves.add(self)
  const leave = compiler.enteringRecursion()
  const evaluated = compiler.compile(
    term.body,
    bindCell(bound.scope, term.self, self, 'recursive function'),
    context,
    true,
  )
  leave()
  compiler.selves.delete(self)
  const body = compiler.framedCall(evaluated, term.self.name, term.at, bound.cells)
  const inner = compiler.innerFrom(mark)
  const { run } = body
  const assign = assignment(bound)
  const domain = domainOfBinders(arena, bound)
  let current: Value | undefined
  const keep = keeper(
    body,
    [...bound.cells, self],
    inner,
    (argument) => {
      assign(argument)
      self.value = current
    },
    run,
  )
  return codeOf(
    () => {
      const rule = keep()
      const known = new Map<Value, Value>()
      const made: Value = ruleFunction(arena, domain(), (argument) => {
        const key = canonical(argument)
        const before = known.get(key)
        if (before !== undefined) return before
        const outer = current
        current = made
        try {
          const value = rule(key)
          known.set(key, value)
          return value
        } finally {
          current = outer
        }
      })
      return made
    },
    [...bound.sets, body],
    [...bound.cells, self],
  )
}

/** Binds the argument of a function to the names of its binders. */
export function assignment({ dimensions }: Bound): (argument: Value) => void {
  if (dimensions.length === 1) {
    const { cell, assign } = dimensions[0]!
    return cell === undefined ? assign : (argument) => void (cell.value = argument)
  }
  return (argument) => {
    const { elements } = argument as { elements: readonly Canonical[] }
    for (let at = 0; at < dimensions.length; at++) dimensions[at]!.assign(elements[at]!)
  }
}

/** The domain: the product for several binders, cached as long as their sets are the same. */
export function domainOfBinders(arena: Arena, { sets, dimensions }: Bound): () => Value {
  if (dimensions.length === 1) return sets[0]!.run
  let before: readonly Value[] = []
  let domain: Value = arena.emptySet
  return () => {
    const values = sets.map(({ run }) => run())
    if (before.length === values.length && values.every((value, at) => value === before[at])) return domain
    const factors = dimensions.map(({ set }) => values[set]!)
    const made = product(arena, factors)
    domain = factors.every((factor) => typeof factor === 'object' && factor.kind === 'set') ? canonical(made) : made
    before = values
    return domain
  }
}

/** `[f EXCEPT ![a].b = e]`. */
export function except(
  compiler: Compiler,
  term: TermOf<'except'>,
  scope: Scope,
  context: Context,
  isApplied: boolean,
): Code {
  const of = compiler.compile(term.function, scope, context, isApplied)
  const parts: Code[] = [of]
  const cells: Cell[] = []
  let run = of.run
  for (const update of term.updates) run = updating(compiler, update, scope, context, run, parts, cells)
  return codeOf(run, parts, cells)
}

function updating(
  compiler: Compiler,
  update: Update,
  scope: Scope,
  context: Context,
  of: () => Value,
  parts: Code[],
  cells: Cell[],
): () => Value {
  const { arena } = compiler
  const keys = update.path.map((step) => {
    if (step.kind === 'field') {
      const name = arena.string(step.name)
      return () => name
    }
    const codes = step.arguments.map((argument) => compiler.compile(argument, scope, context))
    parts.push(...codes)
    return argumentOf(arena, codes)
  })
  let inner = scope
  let self: Cell | undefined
  if (update.self !== undefined) {
    self = compiler.cell('@')
    cells.push(self)
    inner = bindCell(scope, update.self, self)
  }
  const value = compiler.compile(update.value, inner, context)
  parts.push(value)
  const { run } = value
  const before = self
  const last = (old: Value, key: Value): Value => {
    if (before !== undefined) before.value = apply(old, key)
    return updated(arena, old, key, run())
  }
  const replaced = (old: Value, key: Value): Value => {
    let element: Value
    try {
      element = run()
    } catch (error) {
      // TLC does not evaluate the value of a key outside the domain.
      if (isInDomain(old, key)) throw error
      return old
    }
    return updated(arena, old, key, element)
  }
  if (keys.length === 1) {
    const key = keys[0]!
    return () => {
      const old = of()
      const at = key()
      if (before === undefined) return replaced(old, at)
      return isInDomain(old, at) ? last(old, at) : old
    }
  }
  const step = (old: Value, at: number): Value => {
    const key = keys[at]!()
    // As in TLC, a key outside the domain is not updated.
    if (!isInDomain(old, key)) return old
    return at === keys.length - 1 ? last(old, key) : updated(arena, old, key, step(apply(old, key), at + 1))
  }
  return () => step(of(), 0)

  function isInDomain(old: Value, key: Value): boolean {
    if (typeof old === 'object' && old.kind === 'tuple' && typeof key === 'number') {
      return key >= 1 && key <= old.elements.length
    }
    return member(key, domainOf(arena, old))
  }
}
