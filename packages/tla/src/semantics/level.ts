/**
 * Dependencies of levels. The level of an expression depends on its parameters: those of the
 * operator around it, and the constants of its module. So each expression has its level if all
 * parameters are constants, the parameters that can raise it, the maximum level of each, and the
 * arguments of applied operator parameters. After "Specifying Systems" 17.2, in the form in which
 * SANY checks it.
 */
import { TlaError } from '../error/error.ts'
import type { BoundSymbol, ConstantSymbol, Level, Term, VariableSymbol } from './term.ts'

/** 0 constant, 1 state, 2 action, 3 temporal: so that the greater one is the maximum. */
export type Rank = 0 | 1 | 2 | 3

export const LEVELS: readonly Level[] = ['constant', 'state', 'action', 'temporal']
export const LEVEL_NAMES = ['a constant', 'a state function', 'an action', 'a temporal formula'] as const

/** What levels depend on. */
export type Parameter = BoundSymbol | ConstantSymbol | VariableSymbol

export interface Reach {
  /** If all parameters are constants. */
  readonly rank: Rank
  /** Whose level it has at least. */
  readonly parameters: ReadonlySet<Parameter>
  /** The most that parameters may be. */
  readonly most: ReadonlyMap<Parameter, Rank>
  /** Those in which equals cannot be put for equals, as under a prime. */
  readonly opaque: ReadonlySet<Parameter>
  /** Of parameters that are operators: all that each argument is in the applications of it. */
  readonly applied: ReadonlyMap<Parameter, readonly Reach[]>
}

const NO_PARAMETERS: ReadonlySet<Parameter> = new Set()
const NO_MOST: ReadonlyMap<Parameter, Rank> = new Map()
const NO_APPLIED: ReadonlyMap<Parameter, readonly Reach[]> = new Map()

/** The reach of terms without parameters, by rank. */
export const PLAIN: readonly Reach[] = ([0, 1, 2, 3] as const).map((rank) => ({
  rank,
  parameters: NO_PARAMETERS,
  most: NO_MOST,
  opaque: NO_PARAMETERS,
  applied: NO_APPLIED,
}))

export function ofParameter(parameter: Parameter, rank: Rank = 0): Reach {
  return { rank, parameters: new Set([parameter]), most: NO_MOST, opaque: NO_PARAMETERS, applied: NO_APPLIED }
}

/** Joins the reach of the parts of an expression. */
export class Gathering {
  #rank: Rank = 0
  #parameters = NO_PARAMETERS
  #most = NO_MOST
  #opaque = NO_PARAMETERS
  #applied = NO_APPLIED

  rank(rank: Rank): void {
    if (rank > this.#rank) this.#rank = rank
  }

  /** A part whose level counts. @returns the part */
  add(part: Reach): Reach {
    this.rank(part.rank)
    this.parameters(part.parameters)
    this.opaque(part.opaque)
    this.addLimits(part)
    return part
  }

  /** A part that the operator changes the meaning of: its level does not count. */
  addOpaque(part: Reach): void {
    this.opaque(part.parameters)
    this.opaque(part.opaque)
    this.addLimits(part)
  }

  /** Adds a part whose limits on parameters count, but not its level. */
  addLimits({ most, applied }: Reach): void {
    if (most.size > 0) {
      if (this.#most.size === 0) this.#most = most
      else if (this.#most !== most) for (const [parameter, rank] of most) this.limit(parameter, rank)
    }
    for (const [parameter, given] of applied) this.apply(parameter, given)
  }

  parameters(more: ReadonlySet<Parameter>): void {
    this.#parameters = union(this.#parameters, more)
  }

  opaque(more: ReadonlySet<Parameter>): void {
    this.#opaque = union(this.#opaque, more)
  }

  limit(parameter: Parameter, rank: Rank): void {
    const known = this.#most.get(parameter)
    if (known !== undefined && known <= rank) return
    const own = new Map(this.#most)
    own.set(parameter, rank)
    this.#most = own
  }

  apply(parameter: Parameter, given: readonly Reach[]): void {
    const known = this.#applied.get(parameter)
    const own = new Map(this.#applied)
    own.set(parameter, known === undefined ? given : given.map((each, at) => joined([each, known[at] ?? PLAIN[0]!])))
    this.#applied = own
  }

  reach(): Reach {
    const rank = this.#rank
    const [parameters, most, opaque, applied] = [this.#parameters, this.#most, this.#opaque, this.#applied]
    const reach = { rank, parameters, most, opaque, applied }
    return isPlain(reach) ? PLAIN[rank]! : reach
  }
}

function isPlain({ parameters, most, opaque, applied }: Reach): boolean {
  return parameters.size === 0 && most.size === 0 && opaque.size === 0 && applied.size === 0
}

function union(left: ReadonlySet<Parameter>, right: ReadonlySet<Parameter>): ReadonlySet<Parameter> {
  if (right.size === 0 || left === right) return left
  if (left.size === 0) return right
  let both: Set<Parameter> | undefined
  for (const parameter of right) {
    if (left.has(parameter)) continue
    both ??= new Set(left)
    both.add(parameter)
  }
  return both ?? left
}

export function joined(parts: readonly Reach[]): Reach {
  if (parts.length === 1) return parts[0]!
  const all = new Gathering()
  for (const part of parts) all.add(part)
  return all.reach()
}

/** Without some parameters, which are bound: those of the operator that it is the body of. */
export function without(reach: Reach, bound: readonly Parameter[]): Reach {
  if (bound.length === 0) return reach
  if (isPlain(reach)) return reach
  const { rank, parameters, most, opaque, applied } = reach
  const isFree = (parameter: Parameter) => !bound.includes(parameter)
  return {
    rank,
    parameters: new Set([...parameters].filter(isFree)),
    most: new Map([...most].filter(([parameter]) => isFree(parameter))),
    opaque: new Set([...opaque].filter(isFree)),
    applied: new Map([...applied].filter(([parameter]) => isFree(parameter))),
  }
}

export function isSame(left: Reach, right: Reach): boolean {
  return (
    left.rank === right.rank &&
    left.parameters.size === right.parameters.size &&
    left.most.size === right.most.size &&
    left.opaque.size === right.opaque.size &&
    left.applied.size === right.applied.size &&
    [...left.parameters].every((parameter) => right.parameters.has(parameter)) &&
    [...left.most].every(([parameter, rank]) => right.most.get(parameter) === rank)
  )
}

/** The argument of a parameter: a value, or an operator with its own parameters. */
export interface Given {
  readonly reach: Reach
  /** Empty for a value. */
  readonly own: readonly BoundSymbol[]
}

/**
 * Replaces parameters by their arguments.
 *
 * @param refuse called with a parameter and its highest allowed level if an argument exceeds it
 */
export function substituted(
  reach: Reach,
  given: ReadonlyMap<Parameter, Given>,
  refuse: (parameter: Parameter, most: Rank, is: Rank) => void,
): Reach {
  if (given.size === 0 || isPlain(reach)) return reach
  const { parameters, most, opaque, applied } = reach
  const all = new Gathering()
  all.rank(reach.rank)
  const kept = new Set<Parameter>()
  for (const parameter of parameters) {
    const instead = given.get(parameter)
    if (instead === undefined) kept.add(parameter)
    else all.add(without(instead.reach, instead.own))
  }
  all.parameters(kept)
  const keptOpaque = new Set<Parameter>()
  for (const parameter of opaque) {
    const instead = given.get(parameter)
    if (instead === undefined) keptOpaque.add(parameter)
    else all.addOpaque(without(instead.reach, instead.own))
  }
  all.opaque(keptOpaque)
  for (const [parameter, rank] of most) {
    const instead = given.get(parameter)
    if (instead === undefined) {
      all.limit(parameter, rank)
      continue
    }
    if (instead.reach.rank > rank) refuse(parameter, rank, instead.reach.rank)
    for (const each of instead.reach.parameters) if (!isOwn(instead, each)) all.limit(each, rank)
  }
  for (const [parameter, reaches] of applied) {
    const values = reaches.map((each) => substituted(each, given, refuse))
    const instead = given.get(parameter)
    if (instead === undefined) {
      all.apply(parameter, values)
      continue
    }
    const own = new Map<Parameter, Given>()
    for (const [at, symbol] of instead.own.entries()) own.set(symbol, { reach: values[at] ?? PLAIN[0]!, own: [] })
    all.add(substituted(instead.reach, own, refuse))
  }
  return all.reach()
}

function isOwn({ own }: Given, parameter: Parameter): boolean {
  return own.includes(parameter as BoundSymbol)
}

/**
 * What a term reaches that may have at most a level: its parameters may have no higher one either.
 */
export function limited(term: Term, most: Rank, what: string, reach: Reach): Reach {
  mustBeAtMost(term, most, what, reach)
  if (reach.parameters.size === 0) return reach
  const all = new Gathering()
  all.add(reach)
  for (const parameter of reach.parameters) all.limit(parameter, most)
  return all.reach()
}

/** @throws TlaError if the level of a term is too high */
export function mustBeAtMost({ at }: Term, most: Rank, what: string, { rank }: Reach): void {
  if (rank <= most) return
  throw new TlaError('semantics', `${what} can be at most ${LEVEL_NAMES[most]}, but this is ${LEVEL_NAMES[rank]}`, at)
}
