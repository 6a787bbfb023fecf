/**
 * Compile-time scopes: what the symbols of a term are bound to.
 *
 * A scope is lexical: the bindings of the term's module (a *base*: its constants and variables, as
 * the configuration or an instance gives them), then the bound symbols, parameters and LET
 * definitions around the term. An argument is closed over the scope of its place, so operators and
 * instances are expanded at compile time; nothing is looked up at run time.
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

/** What a symbol stands for. */
export type Binding =
  | {
      readonly kind: 'cell'
      readonly cell: Cell
      /**
       * What it is bound by. The parameter of an operator that is called may hold an argument that
       * is not a value yet.
       */
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
 * A variable of an instantiated module within ENABLED or `\cdot`: in the state that those look for
 * it is a variable of its own, elsewhere what the instance puts in its place. See
 * inner-variables.ts.
 */
export interface InnerVariable {
  readonly kind: 'inner variable'
  readonly name: string
  readonly state: PartialState
  /** In `state`. */
  readonly index: number
  readonly substituted: Binding
}

/**
 * An expression with the scope of its place: an argument, a substitution, a LET definition.
 * Evaluated only where it is used.
 */
export class Closed {
  readonly kind = 'closed'
  readonly name: string
  readonly term: Term
  /** Set by whoever binds it: the definitions of a LET see one another. */
  scope: Scope
  readonly codes = new Map<Context, Code>()
  /** Where only elements of it are asked for, if it makes a difference. */
  readonly applied = new Map<Context, Code>()
  /** Where its values are kept, for whoever binds it to clear. */
  readonly cells: Cell[] = []
  /**
   * Whether somebody clears what is kept: not so for a substitution of an instance, which nobody
   * enters.
   */
  readonly isKept: boolean

  constructor(name: string, term: Term, scope: Scope, isKept = true) {
    this.name = name
    this.term = term
    this.scope = scope
    this.isKept = isKept
  }
}

/** An operator with the scope of its place. */
export class ClosedOperator {
  readonly kind = 'closed operator'
  readonly argument: OperatorArgument
  readonly scope: Scope

  constructor(argument: OperatorArgument, scope: Scope) {
    this.argument = argument
    this.scope = scope
  }
}

/** A definition of a LET that has parameters or is recursive. */
export class Nested {
  readonly kind = 'nested'
  scope: Scope
  /** Calls of it, where it is called and not expanded. */
  readonly calls: Call[] = []

  constructor(scope: Scope) {
    this.scope = scope
  }
}

/** An operator compiled to be called in one context. */
export interface Call extends Pending {
  readonly context: Context
  /** Whether only elements are asked for of what it gives. */
  readonly isApplied: boolean
  readonly parameters: readonly Cell[]
  readonly reentrant: Reentrant
  /** Known once the body is compiled. */
  run: () => Value
  facts: Facts | undefined
  /** Calls that were compiled while this one was under way and whose facts lack its own. */
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
  /** What was compiled in this role, shared by all references. */
  readonly definitions = new Map<DefinitionSymbol, Map<Context, Code>>()
  readonly calls = new Map<DefinitionSymbol, Call[]>()
  /** The code of constant definitions that do something, once for all contexts. */
  readonly doneOnce = new Map<DefinitionSymbol, Code>()
  /** Of instances without parameters that stand in no LET. */
  readonly instances = new Map<InstanceSymbol, Base>()
  /**
   * That of the module where the INSTANCE stands: what its own symbols, and those of modules that
   * both extend, stand for if the instance puts nothing in their place.
   */
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

/** An argument with its scope; one that is a mere name stands for what the name stands for. */
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

/** Whether the arguments are the parameters themselves, in order: `Foo(Op)` hands `Op` on. */
function isPassedOn(passed: readonly Argument[], parameters: readonly TermSymbol[]): boolean {
  return (
    passed.length === parameters.length &&
    passed.every(
      (term, at) => term.kind === 'reference' && term.symbol === parameters[at] && term.arguments.length === 0,
    )
  )
}
