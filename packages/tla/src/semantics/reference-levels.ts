/** The levels of references, from their arguments and the instances they go through. */
import { place, TlaError } from '../error/error.ts'
import type { Span } from '../error/span.ts'
import { definitions, formals, type LevelRules, modules, selves } from './known-levels.ts'
import {
  Gathering,
  type Given,
  LEVEL_NAMES,
  ofParameter,
  type Parameter,
  type Rank,
  type Reach,
  substituted,
  without,
} from './level.ts'
import type {
  Argument,
  BoundSymbol,
  DefinitionSymbol,
  InstanceSymbol,
  Module,
  Term,
  Through,
  VariableSymbol,
} from './term.ts'

export function ofReference(
  rules: LevelRules,
  { symbol, through, arguments: given, at }: Extract<Term, { kind: 'reference' }>,
): Reach {
  if (symbol.kind === 'variable') return ofVariable(symbol)
  if (symbol.kind === 'definition') {
    // Names of theorems and parts of definitions come into being when they are referred to.
    if (!definitions.has(symbol)) rules.define([symbol])
    let reach = definitions.get(symbol)!
    for (const step of through.toReversed()) reach = goThrough(rules, reach, step, at)
    if (given.length === 0) return reach
    const all = new Gathering()
    const values = new Map<Parameter, Given>()
    for (const [order, parameter] of symbol.parameters.entries()) {
      const value = ofArgument(rules, given[order]!)
      values.set(parameter, value)
      all.addLimits(without(value.reach, value.own))
      if (value.own.length === 0) for (const each of value.reach.parameters) all.limit(each, 3)
    }
    all.add(
      substituted(reach, values, (parameter, most, is) => {
        const order = symbol.parameters.indexOf(parameter as BoundSymbol)
        const own = given.find((each) => each.kind === 'operator' && each.parameters.includes(parameter as BoundSymbol))
        if (own !== undefined) throw appliedTooHigh(symbol, parameter, most, is, own.at)
        const what = `the parameter \`${parameter.name}\` of \`${symbol.name}\``
        throw tooHigh(what, parameter, most, is, given[order]?.at ?? at)
      }),
    )
    return all.reach()
  }
  const self = symbol.kind === 'bound' ? selves.get(symbol) : undefined
  if (self !== undefined) return self
  const all = new Gathering()
  if (symbol.kind === 'constant' || formals.has(symbol)) all.parameters(ofParameter(symbol).parameters)
  if (given.length > 0) {
    const reaches = given.map((each) => rules.term(each as Term))
    for (const reach of reaches) all.add(reach)
    all.apply(symbol, reaches)
  }
  return all.reach()
}

const variables = new WeakMap<VariableSymbol, Reach>()

function ofVariable(symbol: VariableSymbol): Reach {
  const known = variables.get(symbol)
  if (known !== undefined) return known
  const reach = ofParameter(symbol, 1)
  variables.set(symbol, reach)
  return reach
}

function ofArgument(rules: LevelRules, argument: Argument): Given {
  if (argument.kind !== 'operator') return { reach: rules.term(argument), own: [] }
  for (const parameter of argument.parameters) formals.add(parameter)
  return { reach: rules.term(argument.body), own: argument.parameters }
}

function tooHigh(what: string, parameter: Parameter, most: Rank, is: Rank, at: Span): TlaError {
  return new TlaError(
    'semantics',
    `${what} (${place(parameter.at)}) can be at most ${LEVEL_NAMES[most]}, because of how it is used ` +
      `there, but this is ${LEVEL_NAMES[is]}`,
    at,
  )
}

/** An operator argument is applied to arguments that exceed its limits. */
function appliedTooHigh(to: DefinitionSymbol, { name }: Parameter, most: Rank, is: Rank, at: Span): TlaError {
  return new TlaError(
    'semantics',
    `\`${to.name}\` (${place(to.at)}) applies this operator to ${LEVEL_NAMES[is]}, but its argument ` +
      `\`${name}\` can be at most ${LEVEL_NAMES[most]}`,
    at,
  )
}

// Instances

/** The meaning of an instantiated module's symbols, in the scope of the INSTANCE. */
const substitutions = new WeakMap<InstanceSymbol, ReadonlyMap<Parameter, Given>>()
/** The limits of instances on the symbols around them. */
const instances = new WeakMap<InstanceSymbol, Reach>()
/** What definitions reach through an instance without parameters. */
const passages = new WeakMap<InstanceSymbol, WeakMap<Reach, Reach>>()

/** Checks the substitutions of an instance; its parameters are kept. */
export function ofInstance(rules: LevelRules, instance: InstanceSymbol): Reach {
  const known = instances.get(instance)
  if (known !== undefined) return known
  for (const parameter of instance.parameters) formals.add(parameter)
  const { module } = instance
  const whole = modules.get(module)!
  const isConstant = isConstantModule(module)
  const all = new Gathering()
  const given = new Map<Parameter, Given>()
  for (const [parameter, argument] of instance.substitutions) {
    const value = ofArgument(rules, argument)
    given.set(parameter, value)
    const outside = without(value.reach, value.own)
    all.addLimits(outside)
    const opaque = value.own.find((parameter) => value.reach.opaque.has(parameter))
    if (opaque !== undefined) {
      throw new TlaError(
        'semantics',
        `the substitution for the constant \`${parameter.name}\` of module \`${module.name}\` ` +
          `(${place(parameter.at)}) must give equal values for equal arguments, but this one has its argument \`${opaque.name}\` under a prime, ENABLED or a temporal operator`,
        argument.at,
      )
    }
    if (isConstant) continue
    const most = parameter.kind === 'constant' ? 0 : 1
    if (outside.rank > most) {
      throw new TlaError(
        'semantics',
        `the ${parameter.kind} \`${parameter.name}\` of module \`${module.name}\` (${place(parameter.at)}) can be substituted by ` +
          `${most === 0 ? 'a constant only' : 'at most a state function'}, but this is ${LEVEL_NAMES[outside.rank]}`,
        argument.at,
      )
    }
    // SANY allows higher levels for arguments of instances than for their substitutions.
    for (const each of outside.parameters) if (!instance.parameters.includes(each as BoundSymbol)) all.limit(each, most)
  }
  all.addLimits(
    substituted(whole, given, (parameter, most, is) => {
      const what = `\`${parameter.name}\` of module \`${module.name}\``
      throw tooHigh(what, parameter, most, is, instance.substitutions.get(parameter as never)?.at ?? instance.at)
    }),
  )
  substitutions.set(instance, given)
  const reach = all.reach()
  instances.set(instance, reach)
  return reach
}

/**
 * As in SANY, symbols that a definition limits are limited to their declaration: a constant stands
 * for a constant, a variable for a state function. Not in modules with constants only.
 */
function declared(reach: Reach, { module, substitutions: given }: InstanceSymbol): Reach {
  if (reach.most.size === 0 || isConstantModule(module)) return reach
  const most = new Map(reach.most)
  for (const parameter of most.keys()) {
    if (given.has(parameter as VariableSymbol)) most.set(parameter, parameter.kind === 'constant' ? 0 : 1)
  }
  return { ...reach, most }
}

function isConstantModule(module: Module): boolean {
  return module.variables.length === 0 && modules.get(module)!.rank === 0
}

/** What a definition of an instantiated module reaches where it is referred to. */
function goThrough(rules: LevelRules, reach: Reach, { instance, arguments: values }: Through, at: Span): Reach {
  ofInstance(rules, instance)
  const base = substitutions.get(instance)!
  const { parameters } = instance
  if (parameters.length === 0) {
    let passage = passages.get(instance)
    if (passage === undefined) passages.set(instance, (passage = new WeakMap()))
    let passed = passage.get(reach)
    if (passed === undefined) passage.set(reach, (passed = substituted(reach, base, refuse)))
    return passed
  }
  const own = new Map<Parameter, Given>()
  const all = new Gathering()
  for (const [order, parameter] of parameters.entries()) {
    const value = ofArgument(rules, values[order]!)
    own.set(parameter, value)
    all.addLimits(without(value.reach, value.own))
  }
  all.add(substituted(substituted(declared(reach, instance), base, refuse), own, refuse))
  return all.reach()

  function refuse(parameter: Parameter, most: Rank, is: Rank): never {
    const order = parameters.indexOf(parameter as BoundSymbol)
    throw tooHigh(`\`${parameter.name}\` of \`${instance.module.name}\``, parameter, most, is, values[order]?.at ?? at)
  }
}
