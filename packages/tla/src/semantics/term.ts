/**
 * Resolved specifications: the input of the compiler in evaluate/.
 *
 * A module is resolved once, however often it is instantiated. A reference lists the instances it
 * goes through (`through`); on each step the evaluator binds the symbols of the instantiated module
 * to the instance's substitutions, closed over the bindings at that place. Symbols are compared by
 * identity.
 */
import type { Span } from '../error/span.ts'

/** The levels of "Specifying Systems", 17.2. */
export type Level = 'constant' | 'state' | 'action' | 'temporal'

// Symbols

export interface ConstantSymbol {
  readonly kind: 'constant'
  readonly name: string
  readonly arity: number
  readonly module: string
  readonly at: Span
}
export interface VariableSymbol {
  readonly kind: 'variable'
  readonly name: string
  readonly module: string
  readonly at: Span
}
/**
 * What a quantifier, a function, a set or CHOOSE binds; or the parameter of an operator, a LAMBDA
 * or an instance.
 */
export interface BoundSymbol {
  readonly kind: 'bound'
  readonly name: string
  /** More than 0 for a parameter that is an operator itself. */
  readonly arity: number
  readonly at: Span
}
/**
 * An operator, of a module or of a LET. `f[x \in S] == e` is a definition without parameters whose
 * body is the term `recursive function`, or `function` if it does not refer to itself.
 */
export interface DefinitionSymbol {
  readonly kind: 'definition'
  readonly name: string
  /** The module of the definition. */
  readonly module: string
  readonly parameters: readonly BoundSymbol[]
  /** Set once all of its module is resolved. */
  body: Term
  /** Declared RECURSIVE, so that it may refer to itself. */
  readonly isRecursive: boolean
  /** Whether it is defined in a LET, so that its body may refer to symbols bound around it. */
  readonly isNested: boolean
  /** That of the body if parameters are constants. */
  level: Level
  readonly at: Span
}
export type Symbol = ConstantSymbol | VariableSymbol | BoundSymbol | DefinitionSymbol

/** An INSTANCE, named or not. */
export interface InstanceSymbol {
  readonly kind: 'instance'
  /** Undefined if it has none. */
  readonly name: string | undefined
  readonly parameters: readonly BoundSymbol[]
  readonly module: Module
  /**
   * The substitution of each constant and variable of the module (and of those it extends), in the
   * scope of the INSTANCE.
   */
  readonly substitutions: ReadonlyMap<ConstantSymbol | VariableSymbol, Argument>
  readonly at: Span
}

/** On the way to a symbol: an instance with the arguments of its parameters. */
export interface Through {
  readonly instance: InstanceSymbol
  readonly arguments: readonly Argument[]
}

/** A module with all that it extends. */
export interface Module {
  readonly name: string
  readonly at: Span
  /** Its own constants and those of extended modules, in order; likewise for all below. */
  readonly constants: readonly ConstantSymbol[]
  readonly variables: readonly VariableSymbol[]
  /**
   * What can be referred to by name from outside: definitions (through unnamed instances too) and
   * named instances.
   */
  readonly names: ReadonlyMap<string, Named>
  readonly assumptions: readonly Assumption[]
  /** All modules it extends, itself among them. */
  readonly extended: ReadonlySet<string>
}
export type Named =
  | { readonly symbol: ConstantSymbol | VariableSymbol | DefinitionSymbol; readonly through: readonly Through[] }
  | { readonly symbol: InstanceSymbol; readonly through: readonly Through[] }

export interface Assumption {
  /** Taken to be true, and never evaluated. */
  readonly isAxiom: boolean
  readonly name: string | undefined
  readonly body: Term
  /** Of an assumption of an instantiated module: how to get there. */
  readonly through: readonly Through[]
  readonly at: Span
}

// Terms

/** An operator given as an argument: a parameter of it is bound when it is called. */
export interface OperatorArgument {
  readonly kind: 'operator'
  readonly parameters: readonly BoundSymbol[]
  readonly body: Term
  readonly at: Span
}
/**
 * A bare operator as argument (`Foo(+)`, `Foo(Bar)`) is an `operator` whose body calls it with its
 * parameters.
 */
export type Argument = Term | OperatorArgument

/** `x \in S`, or `<<x, y>> \in S` where the symbols are the parts of a tuple. */
export interface Binder {
  readonly symbols: readonly BoundSymbol[]
  readonly isTuple: boolean
  readonly set: Term
}

/**
 * Operators that belong to no module. Those of standard modules are definitions, natively given
 * (library/natives.ts).
 */
export type PrimitiveName =
  | '='
  | '#'
  | '\\in'
  | '\\notin'
  | '~'
  | '=>'
  | '<=>'
  | '\\cup'
  | '\\cap'
  | '\\'
  | '\\subseteq'
  | 'SUBSET'
  | 'UNION'
  | 'DOMAIN'
  | "'"
  | 'ENABLED'
  | 'UNCHANGED'
  | '\\cdot'
  | '[]'
  | '<>'
  | '~>'
  | '-+->'

interface Common {
  readonly at: Span
  readonly level: Level
}

export type Term = Common &
  (
    | { readonly kind: 'number'; readonly value: number }
    | { readonly kind: 'boolean'; readonly value: boolean }
    | { readonly kind: 'string'; readonly value: string }
    /** `BOOLEAN`, `STRING`. */
    | { readonly kind: 'builtin set'; readonly name: 'BOOLEAN' | 'STRING' }
    /**
     * A reference with arguments: to a constant or variable (possibly of another module), a bound
     * symbol or parameter, or a definition. Arguments and `through` are closed over the bindings at
     * the reference.
     */
    | {
        readonly kind: 'reference'
        readonly symbol: Symbol
        readonly through: readonly Through[]
        readonly arguments: readonly Argument[]
      }
    | { readonly kind: 'primitive'; readonly name: PrimitiveName; readonly arguments: readonly Term[] }
    | { readonly kind: 'and' | 'or'; readonly items: readonly Term[] }
    | { readonly kind: 'set' | 'tuple' | 'product'; readonly items: readonly Term[] }
    | { readonly kind: 'filter'; readonly binder: Binder; readonly body: Term }
    | { readonly kind: 'map' | 'function'; readonly binders: readonly Binder[]; readonly body: Term }
    /** `f[x \in S] == e` where `e` refers to `f`: within the body, `self` is the function. */
    | {
        readonly kind: 'recursive function'
        readonly self: BoundSymbol
        readonly binders: readonly Binder[]
        readonly body: Term
      }
    | { readonly kind: 'function set'; readonly domain: Term; readonly range: Term }
    /** `f[a]` has one argument; `f[a, b]` two, which is `f[<<a, b>>]`. */
    | { readonly kind: 'application'; readonly function: Term; readonly arguments: readonly Term[] }
    | {
        readonly kind: 'record' | 'record set'
        readonly fields: readonly { readonly name: string; readonly value: Term }[]
      }
    | { readonly kind: 'field'; readonly record: Term; readonly name: string }
    /**
     * Each update binds its `@` (undefined if it is not used) to the old value at the path.
     */
    | { readonly kind: 'except'; readonly function: Term; readonly updates: readonly Update[] }
    | {
        readonly kind: 'quantifier'
        readonly name: '\\A' | '\\E'
        readonly binders: readonly Binder[]
        readonly body: Term
      }
    | {
        readonly kind: 'unbounded quantifier'
        readonly name: '\\A' | '\\E' | '\\AA' | '\\EE'
        readonly symbols: readonly BoundSymbol[]
        readonly body: Term
      }
    /** `set` is undefined if unbounded. */
    | {
        readonly kind: 'choose'
        readonly symbols: readonly BoundSymbol[]
        readonly isTuple: boolean
        readonly set: Term | undefined
        readonly body: Term
      }
    | { readonly kind: 'if'; readonly condition: Term; readonly then: Term; readonly else: Term }
    | {
        readonly kind: 'case'
        readonly arms: readonly { readonly condition: Term; readonly body: Term }[]
        readonly other: Term | undefined
      }
    /**
     * The definitions are found through references to them; they are listed for those who print.
     */
    | { readonly kind: 'let'; readonly definitions: readonly DefinitionSymbol[]; readonly body: Term }
    | { readonly kind: 'action'; readonly shape: 'square' | 'angle'; readonly action: Term; readonly subscript: Term }
    | { readonly kind: 'fairness'; readonly name: 'WF' | 'SF'; readonly subscript: Term; readonly action: Term }
    | { readonly kind: 'label'; readonly name: string; readonly body: Term }
  )

export interface Update {
  readonly path: readonly (
    | { readonly kind: 'index'; readonly arguments: readonly Term[] }
    | { readonly kind: 'field'; readonly name: string }
  )[]
  readonly self: BoundSymbol | undefined
  readonly value: Term
  readonly at: Span
}
