/**
 * The syntax tree of TLA+ as the parser leaves it: names unresolved, everything with its place.
 * After the grammar of "Specifying Systems" (Lamport 2002, chapter 15) and the "TLA+2" changes.
 *
 * Operators by symbol are canonical: the parser turns synonyms into one spelling, so that later
 * parts know one each:
 *
 *     /\ (\land, ∧)   \/ (\lor, ∨)   ~ (\lnot, \neg, ¬)   => (⇒)   <=> (\equiv, ≡)   # (/=, ≠)   \in (∈)   \notin (∉)
 *     \leq (=<, <=, ≤)   \geq (>=, ≥)   \cap (\intersect, ∩)   \cup (\union, ∪)   \subseteq (⊆)   \X (\times, ×)
 *     \o (\circ, ∘)   (+) (\oplus)   (-) (\ominus)   (\X) (\otimes)   (/) (\oslash)   (.) (\odot)
 *     [] (□)   <> (◇)   ~> (\leadsto)
 *
 * Unary minus is `-.` as in SANY. Prime is the postfix operator `'`.
 */
import type { Span } from '../error/span.ts'

export interface Identifier {
  readonly name: string
  readonly at: Span
}

// Modules

export interface ModuleSyntax {
  readonly kind: 'module'
  readonly name: Identifier
  readonly extends: readonly Identifier[]
  readonly units: readonly Unit[]
  readonly at: Span
}

export type Unit =
  | ConstantsSyntax
  | VariablesSyntax
  | RecursiveSyntax
  | OperatorSyntax
  | FunctionSyntax
  | InstanceSyntax
  | ModuleDefinitionSyntax
  | AssumeSyntax
  | TheoremSyntax
  | ModuleSyntax

/** An operator as it is declared: `F(_, _)`, `_ + _`, `x`. */
export interface DeclaredOperator {
  readonly name: Identifier
  /** 0 for a plain identifier. */
  readonly arity: number
}

interface ConstantsSyntax {
  readonly kind: 'constants'
  readonly declared: readonly DeclaredOperator[]
  readonly at: Span
}
interface VariablesSyntax {
  readonly kind: 'variables'
  readonly declared: readonly Identifier[]
  readonly at: Span
}
export interface RecursiveSyntax {
  readonly kind: 'recursive'
  readonly declared: readonly DeclaredOperator[]
  readonly at: Span
}
/** `Op(a, F(_)) == body`, `a \oplus b == body`, `-. a == body`, `a ^+ == body`. */
export interface OperatorSyntax {
  readonly kind: 'operator'
  readonly name: Identifier
  readonly parameters: readonly DeclaredOperator[]
  readonly body: Expression
  readonly local: boolean
  readonly at: Span
}
/** `f[x \in S, <<y, z>> \in T] == body`. */
export interface FunctionSyntax {
  readonly kind: 'function'
  readonly name: Identifier
  readonly bounds: readonly Bound[]
  readonly body: Expression
  readonly local: boolean
  readonly at: Span
}
/** `INSTANCE M WITH a <- e`, without a name. */
export interface InstanceSyntax {
  readonly kind: 'instance'
  readonly module: Identifier
  readonly substitutions: readonly SubstitutionSyntax[]
  readonly local: boolean
  readonly at: Span
}
export interface SubstitutionSyntax {
  /** An identifier, or an operator symbol. */
  readonly name: Identifier
  readonly value: Argument
}
/** `I(x) == INSTANCE M WITH …`. */
export interface ModuleDefinitionSyntax {
  readonly kind: 'module definition'
  readonly name: Identifier
  readonly parameters: readonly DeclaredOperator[]
  readonly instance: InstanceSyntax
  readonly local: boolean
  readonly at: Span
}
export interface AssumeSyntax {
  readonly kind: 'assume'
  /** AXIOM: never evaluated. As in TLC, only ASSUME and ASSUMPTION are. */
  readonly isAxiom: boolean
  /** `ASSUME Name == …`. */
  readonly name: Identifier | undefined
  readonly body: Expression
  readonly at: Span
}
/** A theorem, lemma, proposition or corollary, without its proof. */
export interface TheoremSyntax {
  readonly kind: 'theorem'
  readonly name: Identifier | undefined
  readonly body: Expression | SequentSyntax
  readonly at: Span
}
/** `ASSUME NEW x \in S, P PROVE Q`. */
export interface SequentSyntax {
  readonly kind: 'sequent'
  readonly assumed: readonly (Expression | SequentSyntax | NewSymbolSyntax)[]
  readonly proved: Expression
  readonly at: Span
}
/** `NEW x \in S`, `VARIABLE v`, `NEW ACTION A(_)`: a declaration in a sequent. */
export interface NewSymbolSyntax {
  readonly kind: 'new'
  readonly sort: 'constant' | 'variable' | 'state' | 'action' | 'temporal'
  readonly declared: DeclaredOperator
  readonly set: Expression | undefined
  readonly at: Span
}
// Expressions

/** `x \in S`, `x, y \in S`, `<<x, y>> \in S`. */
export interface Bound {
  readonly names: readonly Identifier[]
  /** Whether the names are the parts of a tuple. */
  readonly isTuple: boolean
  readonly set: Expression
}

/**
 * What an operator may be given: an expression, or an operator (`+`, `LAMBDA x: e`; a bare name of
 * an operator is an `apply` without arguments).
 */
export type Argument = Expression | OperatorSymbol | Lambda

interface OperatorSymbol {
  readonly kind: 'operator symbol'
  readonly name: string
  /** The path before it: `I!+`. */
  readonly path: readonly PathStep[]
  readonly at: Span
}
export interface Lambda {
  readonly kind: 'lambda'
  readonly parameters: readonly DeclaredOperator[]
  readonly body: Expression
  readonly at: Span
}

/**
 * A step of a name with `!`: an instance or operator by name (with arguments), a label (with
 * arguments), or a selector of a part: `1`, `<<`, `>>`, `:`, `@`, or `()` with values for the
 * symbols bound by a quantifier or LAMBDA (`Op!(3)`).
 */
export interface PathStep {
  readonly name: string
  readonly arguments: readonly Argument[]
  readonly at: Span
}

export type Expression =
  | {
      readonly kind: 'number' /** As written: `12`, `\b101`, `\o17`, `\hff`, `1.5`. */
      readonly text: string
      readonly at: Span
    }
  | { readonly kind: 'string'; readonly value: string; readonly at: Span }
  /**
   * A name with arguments: `x`, `F(a)`, `I(1)!J!F(a)`, and every operator by symbol: `a + b` is `+`
   * with two arguments, `x'` is `'` with one, `UNCHANGED e`, `ENABLED A`, `DOMAIN f`, `SUBSET S`,
   * `UNION S`, `[]F`, `<>F` are prefix operators with one argument each. `TRUE`, `FALSE`, `BOOLEAN`
   * and `STRING` are names.
   */
  | {
      readonly kind: 'apply'
      /** The steps before the last `!`; empty without one. */
      readonly path: readonly PathStep[]
      /** The last name; a selector (`1`, `<<`, `:`) if the path ends in one. */
      readonly name: string
      readonly arguments: readonly Argument[]
      /** The location of the name or operator symbol. */
      readonly nameAt: Span
      readonly at: Span
    }
  /**
   * A junction list by column, or a chain of the infix operator: always two or more items, chains
   * of one kind flattened.
   */
  | {
      readonly kind: 'junction'
      readonly name: '/\\' | '\\/'
      /** Whether it is a bulleted list. For selectors, `!1` of a chain is all but the last item. */
      readonly isList: boolean
      readonly items: readonly Expression[]
      readonly at: Span
    }
  /** `A \X B \X C`, which is not `(A \X B) \X C`. */
  | { readonly kind: 'product'; readonly items: readonly Expression[]; readonly at: Span }
  | { readonly kind: 'parentheses'; readonly body: Expression; readonly at: Span }
  | { readonly kind: 'tuple'; readonly items: readonly Expression[]; readonly at: Span }
  | { readonly kind: 'set'; readonly items: readonly Expression[]; readonly at: Span }
  /** `{x \in S : P}`, with one bound of one name or of a tuple. */
  | { readonly kind: 'filter'; readonly bound: Bound; readonly body: Expression; readonly at: Span }
  /** `{e : x \in S, y \in T}`. */
  | { readonly kind: 'map'; readonly body: Expression; readonly bounds: readonly Bound[]; readonly at: Span }
  /** `[x \in S |-> e]`. */
  | { readonly kind: 'function'; readonly bounds: readonly Bound[]; readonly body: Expression; readonly at: Span }
  /** `[S -> T]`. */
  | { readonly kind: 'function set'; readonly domain: Expression; readonly range: Expression; readonly at: Span }
  /** `f[e]`, `f[a, b]`. */
  | {
      readonly kind: 'application'
      readonly function: Expression
      readonly arguments: readonly Expression[]
      readonly at: Span
    }
  /** `[a |-> 1, b |-> 2]`. */
  | { readonly kind: 'record'; readonly fields: readonly FieldSyntax[]; readonly at: Span }
  /** `[a: S, b: T]`. */
  | { readonly kind: 'record set'; readonly fields: readonly FieldSyntax[]; readonly at: Span }
  /** `r.f`. */
  | { readonly kind: 'field'; readonly record: Expression; readonly field: Identifier; readonly at: Span }
  | {
      readonly kind: 'except'
      readonly function: Expression
      readonly updates: readonly UpdateSyntax[]
      readonly at: Span
    }
  /** `@` in an EXCEPT. */
  | { readonly kind: 'at'; readonly at: Span }
  | {
      readonly kind: 'quantifier'
      readonly name: '\\A' | '\\E'
      readonly bounds: readonly Bound[]
      readonly body: Expression
      readonly at: Span
    }
  | {
      readonly kind: 'unbounded quantifier'
      readonly name: '\\A' | '\\E' | '\\AA' | '\\EE'
      readonly names: readonly Identifier[]
      readonly body: Expression
      readonly at: Span
    }
  | {
      readonly kind: 'choose'
      readonly names: readonly Identifier[]
      readonly isTuple: boolean
      /** Undefined if unbounded. */
      readonly set: Expression | undefined
      readonly body: Expression
      readonly at: Span
    }
  | {
      readonly kind: 'if'
      readonly condition: Expression
      readonly then: Expression
      readonly else: Expression
      readonly at: Span
    }
  | {
      readonly kind: 'case'
      readonly arms: readonly { readonly condition: Expression; readonly body: Expression }[]
      readonly other: Expression | undefined
      readonly at: Span
    }
  | {
      readonly kind: 'let'
      readonly definitions: readonly LetDefinition[]
      readonly body: Expression
      readonly at: Span
    }
  /** `[A]_v` (`square`) and `<<A>>_v` (`angle`). */
  | {
      readonly kind: 'action'
      readonly shape: 'square' | 'angle'
      readonly action: Expression
      readonly subscript: Expression
      readonly at: Span
    }
  | {
      readonly kind: 'fairness'
      readonly name: 'WF' | 'SF'
      readonly subscript: Expression
      readonly action: Expression
      readonly at: Span
    }
  | {
      readonly kind: 'label'
      readonly name: Identifier
      readonly parameters: readonly Identifier[]
      readonly body: Expression
      readonly at: Span
    }

export type LetDefinition = OperatorSyntax | FunctionSyntax | ModuleDefinitionSyntax | RecursiveSyntax

export interface FieldSyntax {
  readonly name: Identifier
  readonly value: Expression
}

/** `![a, b].f = e`. */
export interface UpdateSyntax {
  readonly path: readonly UpdateStep[]
  readonly value: Expression
  readonly at: Span
}
export type UpdateStep =
  | { readonly kind: 'index'; readonly arguments: readonly Expression[]; readonly at: Span }
  | { readonly kind: 'field'; readonly field: Identifier }
