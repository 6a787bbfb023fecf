/** Implements `Machine` (machine.ts) for a module and its configuration. */
import type { Configuration } from '../configuration/configuration.ts'
import { TlaError } from '../error/error.ts'
import { isOwn } from '../library/modules.ts'
import { createSurroundings, type Surroundings } from '../library/surroundings.ts'
import { modulesOf, resolveExpression, type Warning, warningsOf } from '../semantics/load.ts'
import type { BoundSymbol, DefinitionSymbol, Module, Term } from '../semantics/term.ts'
import type { Identifier } from '../syntax/ast.ts'
import { Arena } from '../values/arena.ts'
import { Permuter, permutationGroup } from '../values/symmetry.ts'
import type { Canonical, ModelValue, Value } from '../values/value.ts'
import type { Cell } from './code.ts'
import { assumptionsOf, configuredFormulas, configuredProperties, type MakeFormula } from './configured-formulas.ts'
import { type Constants, constantsOf } from './constants.ts'
import type { PartialState } from './context.ts'
import { diagnosed } from './diagnosis.ts'
import { Engine, type EngineOptions } from './engine.ts'
import { notBoolean } from './failures.ts'
import { requireComplete } from './incomplete-state.ts'
import type {
  ActionPart,
  Formula,
  Machine,
  NamedAction,
  ParametrisedExpression,
  Refusal,
  UncheckedProperty,
} from './machine.ts'
import { isNamed, named } from './names.ts'
import { Observer } from './observer.ts'
import type { Leaf } from './parts.ts'
import { readsOf } from './reads.ts'
import { extend } from './scope.ts'
import { specificationOf, withoutStuttering } from './specification.ts'
import { textOf } from './text.ts'

export class SpecificationMachine implements Machine {
  readonly arena: Arena
  readonly surroundings: Surroundings
  readonly variables: readonly string[]
  readonly current: Canonical[]
  readonly primed: PartialState
  readonly invariants: readonly Formula[]
  readonly constraints: readonly Formula[]
  readonly actionConstraints: readonly Formula[]
  readonly assumptions: readonly Formula[]
  readonly postconditions: readonly Formula[]
  readonly initialProperties: readonly Formula[]
  readonly stepProperties: readonly Formula[]
  readonly checksDeadlock: boolean
  readonly relation: Term | undefined
  readonly modelValues: ReadonlyMap<string, ModelValue>
  readonly files: readonly string[]
  readonly warnings: readonly Warning[]
  readonly view: Formula | undefined
  readonly alias: Formula | undefined
  readonly symmetries: readonly Permuter[]
  readonly unchecked: readonly UncheckedProperty[]
  readonly fairness: readonly string[]
  readonly #module: Module
  readonly #configuration: Configuration | undefined
  readonly #constants: Constants
  readonly #fast: Engine
  #diagnosing: Engine | undefined
  readonly #observer = new Observer()
  #observing: Engine | undefined
  #engine: Engine
  #leaf: Leaf | undefined
  #visit: () => void = () => {}
  readonly #actions = new Map<string, NamedAction | undefined>()

  /** @throws TlaError of the kind `configuration` if the two do not fit */
  constructor(module: Module, configuration: Configuration | undefined, surroundings: Surroundings) {
    const { arena } = surroundings
    this.arena = arena
    this.surroundings = surroundings
    this.#module = module
    this.#configuration = configuration
    this.variables = module.variables.map(({ name }) => name)
    // Filled, so that both stay arrays without holes.
    this.current = this.variables.map(() => false)
    this.primed = this.variables.map(() => undefined)
    this.#constants = constantsOf(module, configuration, arena)
    this.#fast = this.#createEngine({})
    this.#engine = this.#fast
    const formulas = configuredFormulas(module, configuration, this.#formula)
    this.actionConstraints = formulas.actionConstraints
    this.constraints = formulas.constraints
    this.postconditions = formulas.postconditions
    this.view = formulas.view
    this.alias = formulas.alias
    this.assumptions = assumptionsOf(module, this.#formula)
    this.symmetries = this.#permuters(formulas.symmetry, configuration?.symmetry)
    const specification = this.#guarded(() => this.#fast.specification)
    const properties = this.#located(() => configuredProperties(module, configuration, this.#fast, this.#formula))
    this.invariants = [...formulas.invariants, ...properties.invariants]
    this.initialProperties = properties.initial
    this.stepProperties = properties.steps
    this.unchecked = properties.unchecked
    this.fairness = specification.temporal
    this.checksDeadlock = configuration?.checkDeadlock ?? true
    this.relation = withoutStuttering(specification.next)[0]?.term
    this.modelValues = this.#constants.modelValues
    this.warnings = [...warningsOf(module).filter(({ at }) => !isOwn(at.source)), ...this.#constants.warnings]
    const sources = [...modulesOf(module).values(), module]
      .map(({ at }) => at.source)
      .filter((source) => !isOwn(source))
    this.files = [...new Set([...sources, ...(configuration ? [configuration.source] : [])].map(({ path }) => path))]
  }

  get parts(): readonly ActionPart[] {
    this.#guarded(() => this.#fast.prepare())
    return this.#fast.leaves.map(({ part }) => part)
  }

  get part(): ActionPart | undefined {
    return this.#leaf?.part
  }

  parameters(): readonly Value[] {
    return this.#leaf === undefined ? [] : this.#leaf.parameters.map((read) => read())
  }

  initial(visit: () => void): void {
    this.#visit = visit
    this.#guarded(() => {
      const current = this.current as PartialState
      current.fill(undefined)
      this.#engine.initial()
      current.fill(false)
    })
  }

  next(visit: () => void): void {
    this.#visit = visit
    this.primed.fill(undefined)
    try {
      this.#engine.next()
    } catch (error) {
      throw diagnosed(error, 'the next-state relation')
    }
  }

  action(name: string): NamedAction | undefined {
    let made = this.#actions.get(name)
    if (made === undefined) this.#actions.set(name, (made = this.#action(name)))
    return made
  }

  get actionNames(): readonly string[] {
    const names: string[] = []
    for (const [name, found] of this.#module.names) {
      if (!isNamed(found) || found.symbol.kind !== 'definition' || found.symbol.level !== 'action') continue
      if (found.symbol.parameters.every(({ arity }) => arity === 0)) names.push(name)
    }
    return names
  }

  formula(text: string, what: string): Formula {
    const { term, scope } = this.#resolved(text, what, [])
    return this.#formula(text, term, term.at, scope)
  }

  expression(text: string, what: string, parameters: readonly string[]): ParametrisedExpression {
    const { term, scope, cells } = this.#resolved(text, what, parameters)
    const { evaluate, explain } = this.#formula(text, term, term.at, scope)
    return {
      isAboutStep: term.level === 'action',
      evaluate: withValues(cells, evaluate),
      explain: withValues(cells, explain),
    }
  }

  #resolved(text: string, what: string, parameters: readonly string[]) {
    const source = { path: what, text }
    const at = { source, line: 1, column: 1, endLine: 1, endColumn: 1 }
    const symbolOf = (name: string) => ({ kind: 'bound', name, arity: 0, at }) as const
    const given = parameters.map(symbolOf)
    // A trace names the model values of the configuration, which the module need not know.
    const bound = [...this.modelValues.values()]
      .filter((value) => !this.#module.names.has(value.text) && !parameters.includes(value.text))
      .map((value) => ({ value, symbol: symbolOf(value.text) }))
    const term = resolveExpression(this.#module, source, [...bound.map(({ symbol }) => symbol), ...given])
    let scope = this.#fast.root
    for (const { symbol, value } of bound) scope = extend(scope, symbol, { kind: 'known', value })
    const cells = given.map((symbol) => {
      const cell = this.#fast.compiler.cell(symbol.name)
      scope = extend(scope, symbol, { kind: 'cell', cell, role: 'binder' })
      return cell
    })
    return { term, scope, cells }
  }

  termFunction(term: Term, parameters: readonly BoundSymbol[]): (values: readonly Value[]) => Value {
    // The relation may stand in an instance, where other constants are bound.
    let scope = withoutStuttering(this.#fast.specification.next)[0]?.scope ?? this.#fast.root
    const cells = parameters.map((parameter) => {
      const cell = this.#fast.compiler.cell(parameter.name)
      scope = extend(scope, parameter, { kind: 'cell', cell, role: 'binder' })
      return cell
    })
    const { evaluate } = this.#formula(textOf(term.at), term, term.at, scope)
    return withValues(cells, evaluate)
  }

  renewed(): Machine {
    const { print, now, seed, platform } = this.surroundings
    const surroundings = createSurroundings(new Arena(platform.memory), { seed, print, now, platform })
    return new SpecificationMachine(this.#module, this.#configuration, surroundings)
  }

  locate(error: TlaError, again: () => void): TlaError {
    const before = this.#engine
    this.#engine = this.#diagnosing ??= this.#createEngine({ isDiagnosing: true })
    try {
      again()
    } catch (located) {
      if (located instanceof TlaError) return located
      throw located
    } finally {
      this.#engine = before
    }
    return error
  }

  #action(name: string): NamedAction | undefined {
    const found = named(this.#module, name)
    if (found === undefined || !isNamed(found) || found.symbol.kind !== 'definition') return undefined
    const { symbol, through } = found
    if (symbol.level === 'temporal' || symbol.parameters.some(({ arity }) => arity > 0)) return undefined
    const make = (given: readonly Term[]): Term => ({
      kind: 'reference',
      symbol,
      through,
      arguments: given,
      at: symbol.at,
      level: symbol.level,
    })
    const leaf: Leaf = {
      part: {
        id: -1,
        name,
        module: symbol.module,
        parameters: symbol.parameters.map((each) => each.name),
        at: symbol.at,
      },
      parameters: [],
    }
    return {
      name,
      parameters: leaf.part.parameters,
      at: symbol.at,
      step: (parameters, visit) => {
        const engine = this.#engine
        const { cells, run } = engine.action(symbol, symbol.parameters, make)
        for (let at = 0; at < cells.length; at++) cells[at]!.value = parameters[at]
        this.#visit = visit
        this.#leaf = leaf
        this.primed.fill(undefined)
        try {
          engine.inState(run)
        } catch (error) {
          throw diagnosed(error, name, symbol.at)
        }
      },
      explain: (parameters, accepts) => this.#explainAction(symbol, make, parameters, accepts),
    }
  }

  #explainAction(
    symbol: DefinitionSymbol,
    make: (given: readonly Term[]) => Term,
    parameters: readonly Value[],
    accepts: (variable: number, value: Canonical) => boolean = () => true,
  ): Refusal | undefined {
    this.#observing ??= this.#createEngine({ observer: this.#observer })
    const observing = this.#observing
    const { cells, run } = observing.action(symbol, symbol.parameters, make)
    for (let at = 0; at < cells.length; at++) cells[at]!.value = parameters[at]
    let isPossible = false
    this.#visit = () => {
      isPossible = true
    }
    this.primed.fill(undefined)
    this.#observer.accepts = accepts
    const refusal = this.#guarded(() => this.#observer.furthest(() => observing.inState(run)))
    return isPossible ? undefined : refusal
  }

  #createEngine(more: Partial<EngineOptions>): Engine {
    const action = () => this.#leaf?.part.name ?? 'the action'
    return new Engine({
      module: this.#module,
      constants: this.#constants,
      surroundings: this.surroundings,
      current: this.current,
      primed: this.primed,
      specification: (compiler, scope) =>
        this.#configuration === undefined
          ? { initial: [], next: [], temporal: [] }
          : specificationOf(compiler, this.#module, this.#configuration, scope),
      reachedInitial: () => {
        requireComplete(this.current as PartialState, this.variables, undefined)
        this.#visit()
        return false
      },
      reachedNext: () => {
        requireComplete(this.primed, this.variables, action)
        this.#visit()
        return false
      },
      enter: (leaf) => {
        this.#leaf = leaf
      },
      ...more,
    })
  }

  /** @param name the set's name in the configuration */
  #permuters(set: Formula | undefined, name: Identifier | undefined): readonly Permuter[] {
    if (set === undefined) return []
    const functions = this.#located(() => set.evaluate())
    try {
      return permutationGroup(functions).map((permutation) => new Permuter(this.arena, permutation))
    } catch (error) {
      if (error instanceof TlaError) error.at ??= name?.at
      throw error
    }
  }

  readonly #formula: MakeFormula = (name, term, at, scope) => {
    const evaluate = () => this.#guarded(() => this.#engine.evaluate(term, scope))
    return {
      name,
      at,
      evaluate,
      holds: () => {
        const value = evaluate()
        if (typeof value !== 'boolean') throw notBoolean(`the value of ${name}`, value)
        return value
      },
      explain: () => (evaluate() === false ? this.#guarded(() => this.#fast.blame(term, scope)) : undefined),
      reads: () => readsOf(term, this.#module.variables, this.#constants),
    }
  }

  #located<Result>(run: () => Result): Result {
    try {
      return run()
    } catch (error) {
      throw error instanceof TlaError ? this.locate(error, () => void run()) : error
    }
  }

  #guarded<Result>(run: () => Result): Result {
    try {
      return run()
    } catch (error) {
      throw diagnosed(error, 'this')
    }
  }
}

function withValues<Result>(cells: readonly Cell[], run: () => Result): (values: readonly Value[]) => Result {
  return (values) => {
    for (let at = 0; at < cells.length; at++) cells[at]!.value = values[at]
    return run()
  }
}
