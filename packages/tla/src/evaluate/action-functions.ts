/**
 * Function applications as actions: `Next == \E i \in S : Step[i]` where `Step[i \in S] == x' = i`.
 *
 * As in TLC, a function whose construction is visible (through names, LET, IF and CASE) is not
 * evaluated: its parameters are bound to the argument, and its body is the action. A constant
 * definition is a value, and so is every function that an initial predicate applies, except
 * recursive ones.
 */
import type { Term } from '../semantics/term.ts'
import { apply } from '../values/functions.ts'
import { member } from '../values/member.ts'
import { ruleFunction } from '../values/rule-functions.ts'
import type { Value } from '../values/value.ts'
import { ActionCall } from './action-calls.ts'
import { bind } from './binders.ts'
import { clearing } from './code.ts'
import type { Compiler, Continuation, Search } from './compiler.ts'
import type { Context } from './context.ts'
import { failure, notBoolean } from './failures.ts'
import { argumentOf, assignment, domainOfBinders } from './functions.ts'
import { condition, noCase } from './logic.ts'
import { expand, isPlainDefinition, letScope, resolve } from './references.ts'
import { Closed, extend, type Scope } from './scope.ts'
import type { TermOf } from './terms.ts'

/** An application being compiled: its context and its continuation. */
interface Application extends Search {
  readonly argument: () => Value
  /** Compiles the body of the function; undefined if the body is only a value. */
  readonly body: (body: Term, scope: Scope) => Continuation | undefined
  /** The continuation of the action. Undefined if the result is applied again: `f[a][b]`. */
  readonly next: Continuation | undefined
}

/** A recursive function as an action. */
interface FunctionCall {
  readonly call: ActionCall
  readonly enter: (argument: Value, next: Continuation) => boolean
}

/** By the binding of a recursive function's name in its body. */
const calls = new WeakMap<Closed, { readonly context: Context; readonly made: FunctionCall }>()

/** An application as an action. Undefined if its function is only a value. */
export function appliedFunction(
  search: Search,
  term: TermOf<'application'>,
  scope: Scope,
  next: Continuation,
): Continuation | undefined {
  if (!mayBeAction(term)) return undefined
  const body = (made: Term, place: Scope) => search.compiler.action(made, place, search, next)
  return applied({ ...search, argument: argumentIn(search, term, scope), body, next }, term.function, scope)
}

function argumentIn({ compiler, context }: Search, term: TermOf<'application'>, scope: Scope): () => Value {
  const parts = term.arguments.map((argument) => compiler.compile(argument, scope, context))
  return argumentOf(compiler.arena, parts)
}

/** Whether the construction of an application's function may be visible. */
export function mayBeAction({ function: { kind, level } }: TermOf<'application'>): boolean {
  switch (kind) {
    case 'function':
    case 'recursive function':
    case 'label':
    case 'let':
    case 'if':
    case 'case':
    case 'reference':
    case 'application':
      return true
    default:
      return level === 'action'
  }
}

/** @param made the term of the function, in `scope` */
function applied(application: Application, made: Term, scope: Scope): Continuation | undefined {
  const { compiler, context, target } = application
  switch (made.kind) {
    case 'label':
      return applied(application, made.body, scope)
    case 'let': {
      const { scope: inner, closed } = letScope(made.definitions, scope)
      const run = applied(application, made.body, inner)
      const cells = closed.flatMap((definition) => definition.cells)
      return run && clearing(cells, run)
    }
    case 'if': {
      const [yes, no] = [applied(application, made.then, scope), applied(application, made.else, scope)]
      if (yes === undefined && no === undefined) return undefined
      const decide = condition(compiler.compile(made.condition, scope, context), 'the condition of IF')
      const taken = yes ?? valued(application, made.then, scope)
      const other = no ?? valued(application, made.else, scope)
      return taken && other && (() => (decide() ? taken() : other()))
    }
    case 'case':
      return chosen(application, made, scope)
    case 'reference': {
      const resolved = resolve(compiler, made, scope)
      if (resolved.kind === 'binding') {
        const { binding } = resolved
        if (binding.kind !== 'closed') return undefined
        const known = calls.get(binding)
        if (known?.context !== context) return applied(application, binding.term, binding.scope)
        return application.next && entering(application, application.next, known.made)
      }
      const { definition, scope: place } = resolved
      if (!isPlainDefinition(definition)) return undefined
      const { level, parameters, isNested } = definition
      if (level === 'constant' && parameters.length === 0 && !isNested) return undefined
      const expansion = expand(parameters, place, made.arguments, scope)
      const leave = compiler.entering(definition)
      const run = applied(application, definition.body, expansion.scope)
      leave()
      if (run === undefined) return undefined
      const cells = expansion.closed.flatMap((closed) => closed.cells)
      return compiler.framedAction(clearing(cells, run), definition.name, made.at, parameters, expansion.scope)
    }
    case 'function': {
      if (!target.isPrimed) return undefined
      const bound = bind(compiler, made.binders, scope, context)
      const assign = assignment(bound)
      const inDomain = domainCheck(compiler, domainOfBinders(compiler.arena, bound))
      const body = application.body(made.body, bound.scope)
      if (body === undefined) return undefined
      const { argument } = application
      return () => {
        const value = argument()
        inDomain(value)
        assign(value)
        return body()
      }
    }
    case 'application': {
      const inner: Application = {
        ...application,
        argument: argumentIn(application, made, scope),
        body: (body, place) => applied(application, body, place),
        next: undefined,
      }
      return applied(inner, made.function, scope)
    }
    case 'recursive function':
      return application.next && entering(application, application.next, recursive(application, made, scope))
    default:
      return undefined
  }
}

/** A function that is a value: its result is a condition. */
function valued(
  { compiler, argument, context, next }: Application,
  made: Term,
  scope: Scope,
): Continuation | undefined {
  if (next === undefined) return undefined
  const { run } = compiler.compile(made, scope, context)
  return () => {
    const value = apply(run(), argument())
    if (typeof value !== 'boolean') throw notBoolean('a conjunct of an action', value)
    return value && next()
  }
}

function chosen(application: Application, made: TermOf<'case'>, scope: Scope): Continuation | undefined {
  const { compiler, context } = application
  const bodies = [...made.arms.map(({ body }) => body), ...(made.other === undefined ? [] : [made.other])]
  const seen = bodies.map((body) => applied(application, body, scope))
  if (seen.every((run) => run === undefined)) return undefined
  const runs: Continuation[] = []
  for (const [at, body] of bodies.entries()) {
    const run = seen[at] ?? valued(application, body, scope)
    if (run === undefined) return undefined
    runs.push(run)
  }
  const guards = made.arms.map((arm) =>
    condition(compiler.compile(arm.condition, scope, context), 'the condition of a CASE'),
  )
  return () => {
    for (let at = 0; at < guards.length; at++) if (guards[at]!()) return runs[at]!()
    const other = runs[guards.length]
    if (other === undefined) throw noCase()
    return other()
  }
}

function entering({ argument }: Application, next: Continuation, { enter }: FunctionCall): Continuation {
  return () => enter(argument(), next)
}

function recursive(search: Search, made: TermOf<'recursive function'>, scope: Scope): FunctionCall {
  const { compiler, context } = search
  // As an expression, the name within the body is the function as a value.
  const self = new Closed(made.self.name, made, scope, false)
  const call = new ActionCall()
  const mark = compiler.cells.length
  const bound = bind(compiler, made.binders, scope, context)
  const assign = assignment(bound)
  const inDomain = domainCheck(compiler, domainOfBinders(compiler.arena, bound))
  const enter = (argument: Value, next: Continuation): boolean => {
    inDomain(argument)
    return call.enter(() => assign(argument), next)
  }
  const functionCall: FunctionCall = { call, enter }
  calls.set(self, { context, made: functionCall })
  const inner = extend(bound.scope, made.self, self)
  call.compile(compiler, mark, (back) => compiler.action(made.body, inner, search, back))
  return functionCall
}

/** Throws the usual error for an argument outside the domain. */
function domainCheck({ arena }: Compiler, domain: () => Value): (argument: Value) => void {
  return (argument) => {
    const set = domain()
    if (!member(argument, set)) ruleFunction(arena, set, noValue).apply(argument)
  }
}

function noValue(): never {
  throw failure('an action is not a value')
}
