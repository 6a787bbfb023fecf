/**
 * A specification compiled in one mode: fast, for diagnosis, or observed. All engines of a machine
 * share its arena and states, and compile formulas on demand.
 */
import type { Surroundings } from '../library/surroundings.ts'
import type { BoundSymbol, Module, Term, Symbol as TermSymbol } from '../semantics/term.ts'
import type { Canonical, Value } from '../values/value.ts'
import { type Cell, SETTLED } from './code.ts'
import { createCompiler } from './compile.ts'
import type { Compiler, Continuation, Target } from './compiler.ts'
import type { Constants } from './constants.ts'
import { actionContext, type Context, initialContext, type PartialState } from './context.ts'
import type { Refusal } from './machine.ts'
import type { Observer } from './observer.ts'
import { type Leaf, nameOf, split } from './parts.ts'
import { type Blame, blame } from './refusal.ts'
import { Base, type Binding, extend, type Scope } from './scope.ts'
import { type Scoped, type Specification, withoutStuttering } from './specification.ts'

export interface EngineOptions {
  readonly module: Module
  readonly constants: Constants
  readonly surroundings: Surroundings
  readonly current: Canonical[]
  readonly primed: PartialState
  /** The initial predicate and the next-state relation, resolved for this compiler. */
  specification(compiler: Compiler, scope: Scope): Specification
  readonly isDiagnosing?: boolean
  readonly observer?: Observer
  /** Called for each complete or incomplete initial state; true ends the search. */
  readonly reachedInitial: Continuation
  readonly reachedNext: Continuation
  enter(leaf: Leaf): void
}

export class Engine {
  readonly compiler: Compiler
  readonly root: Scope
  readonly #options: EngineOptions
  readonly #step: Context
  readonly #first: Context
  readonly #codes = new Map<Scope, Map<Term, () => Value>>()
  readonly #blames = new Map<Scope, Map<Term, Blame>>()
  readonly #actions = new Map<object, { readonly cells: readonly Cell[]; readonly run: Continuation }>()
  readonly leaves: Leaf[] = []
  #specification: Specification | undefined
  #initial: Continuation | undefined
  #next: Continuation | undefined

  constructor(options: EngineOptions) {
    const { module, constants, surroundings, current, primed } = options
    const bindings = new Map<TermSymbol, Binding>(constants.bindings)
    for (const [index, variable] of module.variables.entries()) bindings.set(variable, { kind: 'variable', index })
    this.#options = options
    const base = new Base(bindings, undefined)
    this.root = { base, local: undefined }
    this.#step = actionContext(current, SETTLED, primed)
    this.#first = initialContext(current as PartialState)
    this.compiler = createCompiler({
      arena: surroundings.arena,
      surroundings,
      variables: module.variables.map(({ name }) => name),
      root: base,
      overrides: constants.overrides,
      isDiagnosing: options.isDiagnosing ?? false,
      observer: options.observer,
    })
  }

  get specification(): Specification {
    return (this.#specification ??= this.#options.specification(this.compiler, this.root))
  }

  /** The value of a term in the current state (and its successor). */
  evaluate(term: Term, scope = this.root): Value {
    const run = remembered(this.#codes, scope, term, () => this.compiler.compile(term, scope, this.#step).run)
    return this.inState(run)
  }

  /** Why a term is false in the current state. */
  blame(term: Term, scope = this.root): Refusal {
    return this.inState(remembered(this.#blames, scope, term, () => blame(this.compiler, term, scope, this.#step)))
  }

  /** Runs with caches of the state invalidated before and after: evaluations may be nested. */
  inState<Result>(run: () => Result): Result {
    const { clock } = this.compiler
    clock.now++
    try {
      return run()
    } finally {
      clock.now++
    }
  }

  /** Searches for initial states. */
  initial(): boolean {
    const target: Target = { state: this.#options.current as PartialState, isPrimed: false }
    const search = { compiler: this.compiler, context: this.#first, target }
    this.#initial ??= this.specification.initial.reduceRight<Continuation>(
      (next, { term, scope }) => this.compiler.action(term, scope, search, next),
      this.#options.reachedInitial,
    )
    return this.#initial()
  }

  /** Searches for successors of the current state. */
  next(): boolean {
    return this.inState((this.#next ??= this.#compileNext()))
  }

  /** Compiles the next-state relation, so that its parts are known. */
  prepare(): void {
    this.#next ??= this.#compileNext()
  }

  #compileNext(): Continuation {
    const { primed, reachedNext, module, enter } = this.#options
    const next = withoutStuttering(this.specification.next)
    const [only] = next
    if (only === undefined) return () => false
    const target: Target = { state: primed, isPrimed: true }
    const splitting = {
      compiler: this.compiler,
      context: this.#step,
      target,
      next: reachedNext,
      leaves: this.leaves,
      enter,
    }
    const whole: Scoped =
      next.length === 1
        ? only
        : {
            term: { kind: 'and', items: next.map(({ term }) => term), at: only.term.at, level: 'action' },
            scope: only.scope,
          }
    const { term, scope } = whole
    return split(splitting, term, scope, {
      name: 'Next',
      module: module.name,
      parameters: [],
      scope,
    })
  }

  /** An action with cells for its parameters. @param key of the cache */
  action(
    key: object,
    parameters: readonly BoundSymbol[],
    make: (names: readonly Term[]) => Term,
  ): { readonly cells: readonly Cell[]; readonly run: Continuation } {
    const known = this.#actions.get(key)
    if (known !== undefined) return known
    let scope = this.root
    const cells = parameters.map((parameter) => {
      const cell = this.compiler.cell(parameter.name)
      scope = extend(scope, parameter, { kind: 'cell', cell, role: 'binder' })
      return cell
    })
    const { primed, reachedNext } = this.#options
    const search = { compiler: this.compiler, context: this.#step, target: { state: primed, isPrimed: true } }
    const run = this.compiler.action(make(parameters.map(nameOf)), scope, search, reachedNext)
    const made = { cells, run }
    this.#actions.set(key, made)
    return made
  }
}

/** Caches by scope and term. */
function remembered<Made>(made: Map<Scope, Map<Term, Made>>, scope: Scope, term: Term, make: () => Made): Made {
  let inScope = made.get(scope)
  if (inScope === undefined) made.set(scope, (inScope = new Map()))
  let known = inScope.get(term)
  if (known === undefined) inScope.set(term, (known = make()))
  return known
}
