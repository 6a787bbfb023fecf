/**
 * Compile-time scopes: the bindings of a term's symbols.
 *
 * A scope is lexical: the bindings of the term's module (a *base*: its constants and variables, as
 * the configuration or an instance gives them), then the bound symbols, parameters and LET
 * definitions around the term. An argument is closed over the scope of the call, so operators and
 * instances are expanded at compile time, without lookups at run time.
 */
import type {
  Argument,
  DefinitionSymbol,
  InstanceSymbol,
  OperatorArgument,
  Term,
  Symbol as TermSymbol,
} from '../semantics/term.ts'
import type { Value } from '../values/value.ts'
import type { Cell, Code, Facts, Pending } from './code.ts'
import type { Context, PartialState } from './context.ts'
import type { Reentrant } from './kept.ts'

/** The meaning of a symbol in a scope. */
export type Binding =
  | {
      readonly kind: 'cell'
      readonly cell: Cell
      /** What binds it. The parameter of a called operator may hold a deferred argument. */
      readonly role: 'binder' | 'parameter' | 'recursive function'
    }
  | { readonly kind: 'operator cell'; readonly cell: Cell }
  | { readonly kind: 'known'; readonly value: Value }
  | { readonly kind: 'variable'; readonly index: number }
  | InnerVariable
  | Closed
  | ClosedOperator
  | Nested

/**
 * A variable of an instantiated module within ENABLED or `\cdot`: a separate variable in the state
 * that is searched for, elsewhere the instance's substitution. See inner-variables.ts.
 */
export interface InnerVariable {
  readonly kind: 'inner variable'
  readonly name: string
  readonly state: PartialState
  /** Index in `state`. */
  readonly index: number
  readonly substituted: Binding
}

/**
 * An expression with its scope: an argument, a substitution, a LET definition. Evaluated only where
 * it is used.
 */
export class Closed {
  readonly kind = 'closed'
  readonly name: string
  readonly term: Term
  /** Set again for a LET, whose definitions see each other. */
  scope: Scope
  readonly codes = new Map<Context, Code>()
  /** Code for uses of its elements only, if that differs. */
  readonly applied = new Map<Context, Code>()
  /** Caches of its values, to be cleared where it is bound. */
  readonly cells: Cell[] = []
  /** Whether its values are cached: not for the substitutions of an instance, never cleared. */
  readonly isKept: boolean

  constructor(name: string, term: Term, scope: Scope, isKept = true) {
    this.name = name
    this.term = term
    this.scope = scope
    this.isKept = isKept
  }
}

/** An operator with its scope. */
export class ClosedOperator {
  readonly kind = 'closed operator'
  readonly argument: OperatorArgument
  readonly scope: Scope

  constructor(argument: OperatorArgument, scope: Scope) {
    this.argument = argument
    this.scope = scope
  }
}

/** A LET definition that has parameters or is recursive. */
export class Nested {
  readonly kind = 'nested'
  scope: Scope
  /** Its compiled calls, where it is not expanded. */
  readonly calls: Call[] = []

  constructor(scope: Scope) {
    this.scope = scope
  }
}

/** An operator compiled to be called in one context. */
export interface Call extends Pending {
  readonly context: Context
  /** Whether only elements of its result are used. */
  readonly isApplied: boolean
  readonly parameters: readonly Cell[]
  readonly reentrant: Reentrant
  /** Known once the body is compiled. */
  run: () => Value
  facts: Facts | undefined
  /** Calls that were compiled during this one, whose facts lack this one's. */
  readonly waiting: Call[]
}

interface Local {
  readonly symbol: TermSymbol
  readonly binding: Binding
  readonly next: Local | undefined
}

export interface Scope {
  readonly base: Base
  readonly local: Local | undefined
}

/** The symbols of a module in one of its roles: as the root, or through one instance. */
export class Base {
  readonly bindings: ReadonlyMap<TermSymbol, Binding>
  /** Compiled definitions, shared by all references. */
  readonly definitions = new Map<DefinitionSymbol, Map<Context, Code>>()
  readonly calls = new Map<DefinitionSymbol, Call[]>()
  /** Constant definitions with effects, shared by all contexts. */
  readonly doneOnce = new Map<DefinitionSymbol, Code>()
  /** Instances without parameters outside of LETs. */
  readonly instances = new Map<InstanceSymbol, Base>()
  /** The base of the module with the INSTANCE, for symbols without a substitution. */
  readonly outer: Base | undefined

  constructor(bindings: ReadonlyMap<TermSymbol, Binding>, outer: Base | undefined) {
    this.bindings = bindings
    this.outer = outer
  }
}

export function extend(scope: Scope, symbol: TermSymbol, binding: Binding): Scope {
  return { base: scope.base, local: { symbol, binding, next: scope.local } }
}

export function lookup(symbol: TermSymbol, { base, local }: Scope): Binding | undefined {
  for (let at = local; at !== undefined; at = at.next) if (at.symbol === symbol) return at.binding
  for (let at: Base | undefined = base; at !== undefined; at = at.outer) {
    const binding = at.bindings.get(symbol)
    if (binding !== undefined) return binding
  }
  return undefined
}

/** An argument with its scope; a mere name has the binding of the name. */
export function close(name: string, argument: Argument, scope: Scope, isKept = true): Binding {
  if (argument.kind === 'operator') {
    const { body, parameters } = argument
    if (body.kind === 'reference' && body.through.length === 0 && isPassedOn(body.arguments, parameters)) {
      const binding = lookup(body.symbol, scope)
      if (binding?.kind === 'closed operator' || binding?.kind === 'operator cell') return binding
    }
    return new ClosedOperator(argument, scope)
  }
  if (argument.kind === 'reference' && argument.through.length === 0 && argument.arguments.length === 0) {
    const binding = lookup(argument.symbol, scope)
    if (binding !== undefined) return binding
  }
  return new Closed(name, argument, scope, isKept)
}

/** Whether the arguments are the parameters themselves, in order: `Foo(Op)` passes `Op` on. */
function isPassedOn(passed: readonly Argument[], parameters: readonly TermSymbol[]): boolean {
  return (
    passed.length === parameters.length &&
    passed.every(
      (term, at) => term.kind === 'reference' && term.symbol === parameters[at] && term.arguments.length === 0,
    )
  )
}
