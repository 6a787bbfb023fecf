/**
 * The interface of the compiler for its parts: the arena, the configuration's overrides, and the
 * compilation of subterms.
 */

import type { Span } from '../error/span.ts'
import type { Native, NativeFunction } from '../library/native.ts'
import type { Surroundings } from '../library/surroundings.ts'
import type { BoundSymbol, DefinitionSymbol, Term, Symbol as TermSymbol } from '../semantics/term.ts'
import type { Arena } from '../values/arena.ts'
import type { Canonical } from '../values/value.ts'
import { Cell, type Clock, type Code } from './code.ts'
import type { Override } from './constants.ts'
import type { Context, PartialState } from './context.ts'
import type { Base, Scope } from './scope.ts'

/** The rest of the search after an action; returns true to end the whole search. */
export type Continuation = () => boolean

export interface CompilerOptions {
  readonly arena: Arena
  readonly surroundings: Surroundings
  /** The names of the variables, in the order of the state. */
  readonly variables: readonly string[]
  /** The root module as the configuration has it. */
  readonly root: Base
  /** The configuration's replacements of definitions. */
  readonly overrides: ReadonlyMap<TermSymbol, readonly Override[]>
  /** Whether to add locations and the values of parameters to errors: slower. */
  readonly isDiagnosing: boolean
  /** Observes the conditions of actions. */
  readonly observer: ActionObserver | undefined
}

export abstract class Compiler {
  readonly arena: Arena
  readonly surroundings: Surroundings
  readonly variables: readonly string[]
  readonly root: Base
  readonly overrides: ReadonlyMap<TermSymbol, readonly Override[]>
  readonly isDiagnosing: boolean
  observer: ActionObserver | undefined
  /** Ticks at the begin and end of each evaluation. */
  readonly clock: Clock = { now: 0 }
  /** All cells, in order of creation: those of a subterm are the ones from a mark on. */
  readonly cells: Cell[] = []
  #recursion: { readonly from: number; to: number } | undefined
  #mentioned: Set<number> | undefined

  constructor({ arena, surroundings, variables, root, overrides, isDiagnosing, observer }: CompilerOptions) {
    this.arena = arena
    this.surroundings = surroundings
    this.variables = variables
    this.root = root
    this.overrides = overrides
    this.isDiagnosing = isDiagnosing
    this.observer = observer
  }

  /** To be called before a recursive definition is compiled, and the result after it. */
  enteringRecursion(): () => void {
    if (this.#recursion !== undefined) return () => {}
    const recursion = { from: this.cells.length, to: Number.POSITIVE_INFINITY }
    this.#recursion = recursion
    return () => {
      recursion.to = this.cells.length
      this.#recursion = undefined
    }
  }

  /**
   * The cells that may be bound while a closure runs whose own cells were made from `mark` on. In a
   * recursion this includes terms compiled before that the levels share: LET definitions, arguments.
   */
  innerFrom(mark: number): () => readonly Cell[] {
    const region = this.#recursion ?? { from: mark, to: this.cells.length }
    return () => this.cells.slice(region.from, region.to)
  }

  /** The recursive functions that are being compiled. */
  readonly selves = new Set<Cell>()

  /**
   * Compiles an expression.
   *
   * @param isApplied whether only elements of it are used: then a function that refers to the
   *   recursive definition around it stays lazy, as it may need its own elements
   */
  abstract compile(term: Term, scope: Scope, context: Context, isApplied?: boolean): Code

  /** Compiles an action: calls `next` with the target assigned, for each way to take it. */
  abstract action(term: Term, scope: Scope, search: Search, next: Continuation): Continuation

  /** The function of a native operator, made once. */
  abstract native(definition: DefinitionSymbol, native: Native): NativeFunction

  /** Enters a definition; the result leaves it. @throws TlaError past a bound */
  abstract entering(symbol: TermSymbol): () => void

  /** Whether a definition is being expanded. */
  abstract isWithin(symbol: TermSymbol): boolean

  /** Code of the body of an operator that adds a frame with its parameters to errors. */
  abstract framed(code: Code, name: string, at: Span, parameters: readonly BoundSymbol[], scope: Scope): Code

  /** `framed` for an action. */
  abstract framedAction(
    run: Continuation,
    name: string,
    at: Span,
    parameters: readonly BoundSymbol[],
    scope: Scope,
  ): Continuation

  /** `framed` for a call. */
  abstract framedCall(code: Code, name: string, at: Span, parameters: readonly Cell[]): Code

  /** Counts an expansion; definitions that are expanded too often are called instead. */
  abstract mayExpand(definition: DefinitionSymbol): boolean

  /** Compiles a term that is not part of the observed action. */
  unobserved<Result>(compile: () => Result): Result {
    const { observer } = this
    this.observer = undefined
    const result = compile()
    this.observer = observer
    return result
  }

  /** Compiles, and returns the indices of the variables that are read or assigned. */
  mentioning<Result>(compile: () => Result): { readonly result: Result; readonly mentioned: ReadonlySet<number> } {
    const outer = this.#mentioned
    const mentioned = new Set<number>()
    this.#mentioned = mentioned
    const result = compile()
    this.#mentioned = outer
    if (outer !== undefined) for (const index of mentioned) outer.add(index)
    return { result, mentioned }
  }

  mention(index: number): void {
    this.#mentioned?.add(index)
  }

  cell(name: string): Cell {
    const cell = new Cell(name)
    this.cells.push(cell)
    return cell
  }
}

/** A condition of an action that reports its result. */
export interface ObservedCondition {
  /** The continuation, to be called if it was true. */
  readonly next: Continuation
  /** To be called if it was false. */
  readonly refused: () => void
}

/** Observes the conditions of an action as it runs. */
export interface ActionObserver {
  /** Whether a variable may be assigned a value. */
  accepts(variable: number, value: Canonical): boolean
  condition(compiler: Compiler, term: Term, scope: Scope, context: Context, next: Continuation): ObservedCondition
}

/** What the parts of an action have in common: the states that they read, and the one that they assign. */
export interface Search {
  readonly compiler: Compiler
  readonly context: Context
  readonly target: Target
}

/** The state that an action assigns: the successor (primed), or an initial state. */
export interface Target {
  readonly state: PartialState
  readonly isPrimed: boolean
  /**
   * `between` for the intermediate state of `A \cdot B`; `known` for a successor that is given, so
   * that nothing may be assigned.
   */
  readonly role?: 'between' | 'known'
  /** For an intermediate state, as in its context. */
  readonly carried?: PartialState | undefined
}
