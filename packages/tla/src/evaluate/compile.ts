/** The compiler: dispatches each kind of term to the part that compiles it. */
import { TlaError } from '../error/error.ts'
import type { Span } from '../error/span.ts'
import type { Native, NativeFunction } from '../library/native.ts'
import type { BoundSymbol, DefinitionSymbol, Term, Symbol as TermSymbol } from '../semantics/term.ts'
import { strings } from '../values/symbolic-sets.ts'
import { isSame } from './action-parts.ts'
import { action } from './actions.ts'
import { type Cell, type Code, clearing, codeOf, isFixed, isOfState, knownCode, once, oncePerState } from './code.ts'
import { Compiler, type CompilerOptions, type Continuation, type Search } from './compiler.ts'
import { composition } from './composition.ts'
import type { Context } from './context.ts'
import { held, inOperator, parametersIn, placed } from './diagnosis.ts'
import { enabled } from './enabled.ts'
import { failure } from './failures.ts'
import {
  application,
  domainCode,
  except,
  fieldOf,
  functionConstructor,
  record,
  recursiveFunction,
  tuple,
} from './functions.ts'
import {
  choiceOfCases,
  conditional,
  conjunction,
  equality,
  equivalence,
  implication,
  inequality,
  negation,
} from './logic.ts'
import { choose, quantifier, unbounded } from './quantifiers.ts'
import { letScope, reference } from './references.ts'
import type { Scope } from './scope.ts'
import {
  binarySetOperator,
  cartesianProduct,
  filter,
  listedSet,
  map,
  setOfFunctions,
  setOfRecords,
  unarySetOperator,
  unionOfListed,
} from './sets.ts'
import type { TermOf } from './terms.ts'

/** Bound on the nesting of terms, through definitions. */
const DEEPEST = 1500
/** Bounds on the expansions of one definition and of all; beyond, definitions are called. */
const [EXPANSIONS_OF_ONE, EXPANSIONS] = [256, 16_384]
/** Bound on nested expansions; beyond, operators are called. */
const DEEPEST_EXPANSION = 40
/** Bound on all expansions, including actions, which cannot be called. */
const MOST_ENTRIES = 1_000_000

/** Terms that iterate over sets: evaluated once in a state, even inside a loop. */
const WORTH_KEEPING: ReadonlySet<Term['kind']> = new Set([
  'filter',
  'map',
  'function',
  'recursive function',
  'quantifier',
  'choose',
  'let',
  'product',
])

export function createCompiler(options: CompilerOptions): Compiler {
  return new TermCompiler(options)
}

class TermCompiler extends Compiler {
  readonly #natives = new Map<DefinitionSymbol, NativeFunction>()
  readonly #expansions = new Map<DefinitionSymbol, number>()
  #expanded = 0
  #entries = 0
  #depth = 0
  #within = 0
  /** The definitions that are being expanded, outermost first. */
  readonly #entered: TermSymbol[] = []
  readonly #leave = (): void => {
    this.#within--
    this.#entered.pop()
  }

  override compile(term: Term, scope: Scope, context: Context, isApplied = false): Code {
    if (++this.#depth > DEEPEST) throw tooDeep(term)
    let code: Code
    try {
      code = this.#term(term, scope, context, isApplied)
    } catch (error) {
      this.#depth--
      if (error instanceof TlaError && error.at === undefined) error.at = term.at
      throw error
    }
    this.#depth--
    if (code.known !== undefined) return code
    if (this.isDiagnosing) code = { ...code, run: placed(code.run, term.at) }
    if (code.isSimple) return code
    if (isFixed(code)) return once(code)
    return isOfState(code) && WORTH_KEEPING.has(term.kind) ? oncePerState(this.clock, code) : code
  }

  override action(term: Term, scope: Scope, search: Search, next: Continuation): Continuation {
    if (++this.#depth > DEEPEST) throw tooDeep(term)
    const run = action(search, term, scope, next)
    this.#depth--
    return this.isDiagnosing ? placed(run, term.at) : run
  }

  override native(definition: DefinitionSymbol, native: Native): NativeFunction {
    let made = this.#natives.get(definition)
    if (made === undefined) this.#natives.set(definition, (made = native.make(this.surroundings)))
    return made
  }

  override entering(symbol: TermSymbol): () => void {
    if (++this.#entries > MOST_ENTRIES) {
      throw failure(`definitions are nested more than ${MOST_ENTRIES} times: ${symbol.name} is one of them`)
    }
    this.#within++
    this.#entered.push(symbol)
    return this.#leave
  }

  override isWithin(symbol: TermSymbol): boolean {
    return this.#entered.includes(symbol)
  }

  override mayExpand(definition: DefinitionSymbol): boolean {
    if (this.#within > DEEPEST_EXPANSION) return false
    const count = (this.#expansions.get(definition) ?? 0) + 1
    this.#expansions.set(definition, count)
    return count <= EXPANSIONS_OF_ONE && ++this.#expanded <= EXPANSIONS
  }

  override framed(code: Code, name: string, at: Span, parameters: readonly BoundSymbol[], scope: Scope): Code {
    if (!this.isDiagnosing) return code
    return { ...code, run: inOperator(code.run, name, at, parametersIn(parameters, scope)) }
  }

  override framedAction(
    run: Continuation,
    name: string,
    at: Span,
    parameters: readonly BoundSymbol[],
    scope: Scope,
  ): Continuation {
    return this.isDiagnosing ? inOperator(run, name, at, parametersIn(parameters, scope)) : run
  }

  override framedCall(code: Code, name: string, at: Span, parameters: readonly Cell[]): Code {
    if (!this.isDiagnosing) return code
    const values = parameters.map((cell) => ({ name: cell.name, value: () => held(cell) }))
    return { ...code, run: inOperator(code.run, name, at, values) }
  }

  #term(term: Term, scope: Scope, context: Context, isApplied: boolean): Code {
    switch (term.kind) {
      case 'number':
        if (!Number.isInteger(term.value) || term.value > 2 ** 31 - 1) {
          return codeOf(() => {
            throw failure(`${term.value} is not a 32-bit integer`)
          }, [])
        }
        return knownCode(term.value)
      case 'boolean':
        return knownCode(term.value)
      case 'string':
        return knownCode(this.arena.string(term.value))
      case 'builtin set':
        return knownCode(term.name === 'BOOLEAN' ? this.arena.booleans : strings(this.arena))
      case 'reference':
        return reference({ compiler: this, term, scope, context, isApplied })
      case 'primitive':
        return this.#primitive(term, scope, context)
      case 'and':
      case 'or':
        return conjunction(this, term, scope, context)
      case 'set':
        return listedSet(this, term, scope, context)
      case 'tuple':
        return tuple(this, term, scope, context)
      case 'product':
        return cartesianProduct(this, term, scope, context)
      case 'filter':
        return filter(this, term, scope, context)
      case 'map':
        return map(this, term, scope, context)
      case 'function':
        return functionConstructor(this, term, scope, context, isApplied)
      case 'recursive function':
        return recursiveFunction(this, term, scope, context)
      case 'function set':
        return setOfFunctions(this, term, scope, context)
      case 'application':
        return application(this, term, scope, context)
      case 'record':
        return record(this, term, scope, context)
      case 'record set':
        return setOfRecords(this, term, scope, context)
      case 'field':
        return fieldOf(this, term, scope, context)
      case 'except':
        return except(this, term, scope, context, isApplied)
      case 'quantifier':
        return quantifier(this, term, scope, context)
      case 'unbounded quantifier':
        return unbounded(term)
      case 'choose':
        return choose(this, term, scope, context)
      case 'if':
        return conditional(this, term, scope, context, isApplied)
      case 'case':
        return choiceOfCases(this, term, scope, context, isApplied)
      case 'let':
        return this.#let(term, scope, context, isApplied)
      case 'action':
        return this.#boxed(term, scope, context)
      case 'fairness':
        return temporal(`${term.name}_`)
      case 'label':
        return this.compile(term.body, scope, context, isApplied)
    }
  }

  #primitive(term: TermOf<'primitive'>, scope: Scope, context: Context): Code {
    const { name } = term
    const [left, right] = term.arguments as [Term, Term]
    const operand = (part: Term) => this.compile(part, scope, context)
    switch (name) {
      case "'":
        if (context.successor === undefined) {
          return codeOf(() => {
            throw failure('a prime needs a next state, but this is evaluated in a single state')
          }, [])
        }
        return this.compile(left, scope, context.successor)
      case '=':
        return equality(operand(left), operand(right))
      case '#':
        return inequality(operand(left), operand(right))
      case '~':
        return negation(operand(left))
      case '=>':
        return implication(operand(left), operand(right))
      case '<=>':
        return equivalence(operand(left), operand(right))
      case 'DOMAIN':
        return domainCode(this, this.compile(left, scope, context, true))
      case 'UNION':
        if (left.kind === 'map' || left.kind === 'set') return unionOfListed(this, left, scope, context)
        return unarySetOperator(this, name, operand(left))
      case 'SUBSET':
        return unarySetOperator(this, name, operand(left))
      case 'UNCHANGED':
        return isSame(this, left, scope, context)
      case 'ENABLED':
        return enabled(this, left, scope, context)
      case '\\cdot':
        return composition(this, left, right, scope, context)
      case '[]':
      case '<>':
      case '~>':
      case '-+->':
        return temporal(name)
      default:
        return binarySetOperator(this, name, operand(left), operand(right))!
    }
  }

  #let(term: TermOf<'let'>, scope: Scope, context: Context, isApplied: boolean): Code {
    const { scope: inner, closed } = letScope(term.definitions, scope)
    const code = this.compile(term.body, inner, context, isApplied)
    const cells = closed.flatMap((definition) => definition.cells)
    return cells.length === 0 ? code : codeOf(clearing(cells, code.run), [code], cells)
  }

  /** `[A]_e` and `<<A>>_e` as values. */
  #boxed(term: TermOf<'action'>, scope: Scope, context: Context): Code {
    const step = this.compile(term.action, scope, context)
    const same = isSame(this, term.subscript, scope, context)
    const [taken, stays] = [step.run, same.run]
    return codeOf(
      // The cheaper test first.
      term.shape === 'square' ? () => stays() === true || taken() : () => taken() === true && stays() === false,
      [step, same],
    )
  }
}

function temporal(name: string): Code {
  return codeOf(() => {
    throw failure(`${name} is temporal: it describes behaviours and cannot be evaluated in a state`)
  }, [])
}

function tooDeep({ at }: Term): TlaError {
  return new TlaError(
    'semantics',
    `expressions are nested deeper than ${DEEPEST} here, including definitions: does one refer to itself?`,
    at,
  )
}
