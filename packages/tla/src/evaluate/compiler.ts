/**
 * Shared by the parts of the compiler: the arena, the configuration's overrides, and how a subterm
 * is compiled.
 */
import type { Native, NativeFunction } from '../library/native.ts'
import type { Surroundings } from '../library/surroundings.ts'
import type { BoundSymbol, DefinitionSymbol, Term, Symbol as TermSymbol } from '../semantics/term.ts'
import type { Span } from '../syntax/span.ts'
import type { Arena } from '../values/arena.ts'
import type { Canonical } from '../values/value.ts'
import { Cell, type Clock, type Code } from './code.ts'
import type { Override } from './constants.ts'
import type { Context, PartialState } from './context.ts'
import type { Base, Scope } from './scope.ts'

/**
 * Goes on with what comes after an action; true: enough was seen, so that all that is under way
 * ends.
 */
export type Continuation = () => boolean

export interface CompilerOptions {
  readonly arena: Arena
  readonly surroundings: Surroundings
  /** The names of the variables, in the order of the state. */
  readonly variables: readonly string[]
  /** The root module as the configuration has it. */
  readonly root: Base
  /** What the configuration puts in place of definitions. */
  readonly overrides: ReadonlyMap<TermSymbol, readonly Override[]>
  /** Whether to note places and the values of parameters where something throws: slower. */
  readonly isDiagnosing: boolean
  /** Hears of each condition of an action that was false. */
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
  /** To be counted on whenever evaluation begins anew, and after it has ended. */
  readonly clock: Clock = { now: 0 }
  /** All cells, in the order of their making: those of a subterm are the ones from a mark on. */
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

  /** Compiles what refers to itself, whose cells come from now on; to be called back at its end. */
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
   * The cells that may be bound while a closure runs whose own were made from `mark` up to now.
   * What its recursion shares with it (a definition of a LET, an argument) may have been compiled
   * before, and be under way for another level of it.
   */
  innerFrom(mark: number): () => readonly Cell[] {
    const region = this.#recursion ?? { from: mark, to: this.cells.length }
    return () => this.cells.slice(region.from, region.to)
  }

  /** The functions that are being compiled and refer to themselves. */
  readonly selves = new Set<Cell>()

  /**
   * An expression.
   *
   * @param isApplied whether only elements of it are asked for: then a function that refers to what
   * is being defined by recursion is not listed, as the list may hold what it is asked for from
   * within
   */
  abstract compile(term: Term, scope: Scope, context: Context, isApplied?: boolean): Code

  /**
   * An action: for each way to take it, `next` is called with the variables of `target` assigned.
   */
  abstract action(term: Term, scope: Scope, context: Context, target: Target, next: Continuation): Continuation

  /** The function of a native operator, made once. */
  abstract native(definition: DefinitionSymbol, native: Native): NativeFunction

  /** Goes one definition deeper; to be called back on the way out. @throws TlaError past a bound */
  abstract entering(symbol: TermSymbol): () => void

  /** Whether a definition is being expanded. */
  abstract isWithin(symbol: TermSymbol): boolean

  /**
   * Code of the body of an operator, which tells on failure that it was in that operator, with
   * these parameters.
   */
  abstract framed(code: Code, name: string, at: Span, parameters: readonly BoundSymbol[], scope: Scope): Code

  /** As `framed`, of an action. */
  abstract framedAction(
    run: Continuation,
    name: string,
    at: Span,
    parameters: readonly BoundSymbol[],
    scope: Scope,
  ): Continuation

  /** As `framed`, of a call. */
  abstract framedCall(code: Code, name: string, at: Span, parameters: readonly Cell[]): Code

  /** Counts an expansion; definitions that are expanded too often are called instead. */
  abstract mayExpand(definition: DefinitionSymbol): boolean

  /** Compiles what is not a part of the action that is observed. */
  unobserved<Result>(compile: () => Result): Result {
    const { observer } = this
    this.observer = undefined
    const result = compile()
    this.observer = observer
    return result
  }

  /** Compiles, and gives the variables that are read or assigned, by their numbers. */
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

/** A condition of an action that tells how it went. */
export interface ObservedCondition {
  /** What comes after it, told that it was true. */
  readonly next: Continuation
  /** Tells that it was false. */
  readonly refused: () => void
}

/** Hears of the conditions of the action that is compiled, as it runs. */
export interface ActionObserver {
  /** Whether a variable may be assigned a value. */
  accepts(variable: number, value: Canonical): boolean
  condition(compiler: Compiler, term: Term, scope: Scope, context: Context, next: Continuation): ObservedCondition
}

/**
 * Which variables an action assigns: those of the successor (primed), or those of an initial state.
 */
export interface Target {
  readonly state: PartialState
  readonly isPrimed: boolean
  /**
   * Set for the state between of `A \cdot B`, and for a successor that is known already, of which
   * nothing may be assigned.
   */
  readonly role?: 'between' | 'known'
  /** Of the state between: as its context has it. */
  readonly carried?: PartialState | undefined
}
