/**
 * Levels checked and set: of every term the level it has if parameters are constants, and that nothing is given more than
 * it may be given: no prime on an action, no action where a state function is wanted. The table of what each operator
 * takes, and which rules there are besides, is SANY's.
 */
import { place, TlaError, throwAll } from '../error.ts'
import { isOwn } from '../library/modules.ts'
import type { Span } from '../syntax/span.ts'
import {
  Gathering,
  type Given,
  isSame,
  joined,
  LEVEL_NAMES,
  LEVELS,
  ofParameter,
  type Parameter,
  PLAIN,
  type Rank,
  type Reach,
  substituted,
  without,
} from './level.ts'
import type {
  Argument,
  Assumption,
  Binder,
  BoundSymbol,
  DefinitionSymbol,
  InstanceSymbol,
  Module,
  PrimitiveName,
  Term,
  Through,
} from './term.ts'

/** What a module has that has levels, in the order in which it stands there. */
export type Leveled = DefinitionSymbol | InstanceSymbol | Assumption

/** What definitions reach, with their parameters. */
const definitions = new WeakMap<DefinitionSymbol, Reach>()
/** What all definitions of a module reach, their parameters left out: whoever instantiates the module has to respect it. */
const modules = new WeakMap<Module, Reach>()
/** Bound names that are parameters; all others are constants. */
const formals = new WeakSet<BoundSymbol>()
/** What `@`, a recursive function, and what \\AA and \\EE bind stand for. */
const selves = new WeakMap<BoundSymbol, Reach>()

/** [the level it has at least, the most that each argument may be, whether the level of arguments counts] */
const PRIMITIVES: Readonly<Record<PrimitiveName, readonly [Rank, Rank, boolean]>> = {
  '=': [0, 2, true],
  '#': [0, 2, true],
  '\\in': [0, 2, true],
  '\\notin': [0, 2, true],
  '~': [0, 3, true],
  '=>': [0, 3, true],
  '<=>': [0, 3, true],
  '\\cup': [0, 2, true],
  '\\cap': [0, 2, true],
  '\\': [0, 2, true],
  '\\subseteq': [0, 2, true],
  SUBSET: [0, 2, true],
  UNION: [0, 2, true],
  DOMAIN: [0, 2, true],
  "'": [2, 1, false],
  ENABLED: [1, 2, false],
  UNCHANGED: [2, 1, false],
  '\\cdot': [2, 2, false],
  '[]': [3, 3, false],
  '<>': [3, 3, false],
  '~>': [3, 3, false],
  '-+->': [3, 3, false],
}

/** Sections of recursive operators settle in a few rounds, as levels only rise: as many as there are levels and more. */
const MAXIMUM_ROUNDS = 16

/**
 * @param items in the order in which they stand
 * @throws TlaError
 */
export function checkModule(module: Module, items: readonly Leveled[], extended: readonly Module[]): void {
  const wrong: TlaError[] = []
  checkAll(items, (error, item) => {
    if (!(error instanceof TlaError)) throw error
    wrong.push(error)
    // As if it were right, so that the next that is wrong is told as well.
    if ('kind' in item && item.kind === 'definition') definitions.set(item, PLAIN[0]!)
    // What goes through an instance that is wrong would be wrong because of it.
    else if ('kind' in item) throwAll(wrong)
  })
  throwAll(wrong)
  const all = new Gathering()
  for (const each of extended) all.add(modules.get(each)!)
  for (const item of items) {
    if ('kind' in item) {
      if (item.kind === 'definition') all.add(without(definitions.get(item)!, item.parameters))
      else all.add(without(ofInstance(item), item.parameters))
    } else all.add(ofTerm(item.body))
  }
  modules.set(module, all.reach())
}

/** Sets the levels of an expression that stands alone. @throws TlaError */
export function checkTerm(term: Term): void {
  ofTerm(term)
}

/** @param refuse what is done with what is thrown; goes on if it returns */
function checkAll(items: readonly Leveled[], refuse: (error: unknown, item: Leveled) => void = rethrow): void {
  const isRecursive = (item: Leveled) => 'kind' in item && item.kind === 'definition' && item.isRecursive
  const first = items.findIndex(isRecursive)
  const last = items.findLastIndex(isRecursive)
  for (const [at, item] of items.entries()) {
    try {
      if (at === first) settle(items.slice(first, last + 1))
      if (at < first || at > last) check(item)
    } catch (error) {
      refuse(error, item)
    }
  }
}

function rethrow(error: unknown): void {
  throw error
}

/** Recursive operators, with what stands between them: until their levels rise no more. */
function settle(section: readonly Leveled[]): void {
  const recursive: DefinitionSymbol[] = []
  for (const item of section) if ('kind' in item && item.kind === 'definition' && item.isRecursive) recursive.push(item)
  for (const symbol of recursive) {
    definitions.set(symbol, {
      rank: 0,
      parameters: new Set(symbol.parameters),
      most: new Map(symbol.parameters.map((parameter) => [parameter, 2])),
      opaque: new Set(),
      applied: new Map(),
    })
  }
  for (let round = 0; round < MAXIMUM_ROUNDS; round++) {
    const before = recursive.map((symbol) => definitions.get(symbol)!)
    for (const item of section) check(item)
    if (recursive.every((symbol, at) => isSame(before[at]!, definitions.get(symbol)!))) return
  }
}

function check(item: Leveled): void {
  if (!('kind' in item)) {
    const { rank } = ofTerm(item.body)
    if (rank > 0) {
      throw new TlaError(
        'semantics',
        `this assumption is ${LEVEL_NAMES[rank]}, and an assumption is about constants only`,
        item.body.at,
      )
    }
    return
  }
  if (item.kind === 'instance') {
    ofInstance(item)
    return
  }
  const body = new Gathering()
  for (const parameter of item.parameters) formals.add(parameter)
  body.add(ofTerm(item.body))
  if (item.isRecursive) {
    for (const parameter of item.parameters) body.limit(parameter, 2)
    const reach = body.reach()
    for (const parameter of item.parameters) {
      if (reach.most.get(parameter)! < 2) {
        throw new TlaError(
          'semantics',
          `the parameter \`${parameter.name}\` of the recursive operator \`${item.name}\` is primed in its body, which TLA+ does not allow`,
          parameter.at,
        )
      }
    }
    body.add(definitions.get(item)!)
  }
  // The bodies of norn's own modules say less than the native operators do: all arguments count.
  if (item.parameters.length > 0 && isOwn(item.at.source)) body.parameters(new Set(item.parameters))
  const reach = body.reach()
  definitions.set(item, reach)
  item.level = LEVELS[reach.rank]!
}

// Terms

function ofTerm(term: Term): Reach {
  // Apart, as the frame of a function with many cases is large, and these nest deepest.
  let reach: Reach
  if (term.kind === 'reference') reach = ofReference(term)
  else if (term.kind === 'primitive') reach = ofPrimitive(term.name, term.arguments)
  else reach = ofShape(term)
  ;(term as { level: Term['level'] }).level = LEVELS[reach.rank]!
  return reach
}

function ofShape(term: Exclude<Term, { kind: 'reference' | 'primitive' }>): Reach {
  switch (term.kind) {
    case 'number':
    case 'boolean':
    case 'string':
    case 'builtin set':
      return PLAIN[0]!
    case 'and':
    case 'or': {
      const parts = term.items.map(ofTerm)
      mustNotMix(term.kind === 'and' ? '/\\' : '\\/', term.items, parts)
      return joined(parts)
    }
    case 'set':
    case 'tuple':
    case 'product':
      return atMost(term.items, 2, `an element of this ${term.kind}`)
    case 'filter': {
      const all = new Gathering()
      ofBinders([term.binder], all)
      all.add(limited(term.body, 2, 'the condition of a set'))
      return all.reach()
    }
    case 'map': {
      const all = new Gathering()
      ofBinders(term.binders, all)
      all.add(limited(term.body, 2, 'an element of a set'))
      return all.reach()
    }
    case 'function': {
      const all = new Gathering()
      ofBinders(term.binders, all)
      all.add(ofTerm(term.body))
      return all.reach()
    }
    case 'recursive function': {
      const all = new Gathering()
      ofBinders(term.binders, all)
      // The function has the level of its body, which is not known before; that of its domain is, and rarely less.
      selves.set(term.self, all.reach())
      all.add(ofTerm(term.body))
      return all.reach()
    }
    case 'quantifier': {
      const all = new Gathering()
      ofBinders(term.binders, all)
      const body = ofTerm(term.body)
      const { rank } = all.reach()
      if (body.rank === 3 && rank === 2) {
        throw new TlaError(
          'semantics',
          'the set of a bound name of a temporal formula cannot be an action',
          term.binders[0]!.set.at,
        )
      }
      all.add(body)
      return all.reach()
    }
    case 'unbounded quantifier': {
      const isTemporal = term.name === '\\AA' || term.name === '\\EE'
      if (!isTemporal) return ofTerm(term.body)
      for (const symbol of term.symbols) selves.set(symbol, PLAIN[1]!)
      const all = new Gathering()
      all.rank(3)
      all.addOpaque(ofTerm(term.body))
      return all.reach()
    }
    case 'choose': {
      const all = new Gathering()
      if (term.set !== undefined) all.add(limited(term.set, 2, 'the set of CHOOSE'))
      all.add(limited(term.body, 2, 'the condition of CHOOSE'))
      return all.reach()
    }
    case 'function set':
      return atMost([term.domain, term.range], 2, 'a part of a set of functions')
    case 'application':
      return atMost([term.function, ...term.arguments], 2, 'a part of a function application')
    case 'record':
      return joined([PLAIN[0]!, ...term.fields.map(({ value }) => ofTerm(value))])
    case 'record set':
      return atMost(
        term.fields.map(({ value }) => value),
        2,
        'a field of a set of records',
      )
    case 'field':
      return limited(term.record, 2, 'a record')
    case 'except': {
      const all = new Gathering()
      all.add(limited(term.function, 2, 'the function of EXCEPT'))
      for (const { path, self, value } of term.updates) {
        for (const step of path)
          if (step.kind === 'index') for (const each of step.arguments) all.add(limited(each, 2, 'an index of EXCEPT'))
        if (self !== undefined) selves.set(self, all.reach())
        all.add(limited(value, 2, 'a value of EXCEPT'))
      }
      return all.reach()
    }
    case 'if':
      return joined([ofTerm(term.condition), ofTerm(term.then), ofTerm(term.else)])
    case 'case': {
      const all = new Gathering()
      for (const { condition, body } of term.arms) {
        all.add(ofTerm(condition))
        all.add(ofTerm(body))
      }
      if (term.other !== undefined) all.add(ofTerm(term.other))
      return all.reach()
    }
    case 'let': {
      checkAll(term.definitions)
      const all = new Gathering()
      all.add(ofTerm(term.body))
      for (const definition of term.definitions) {
        all.addLimits(without(definitions.get(definition)!, definition.parameters))
      }
      return all.reach()
    }
    case 'action': {
      const all = new Gathering()
      all.rank(2)
      all.addOpaque(
        limited(term.action, 2, term.shape === 'square' ? 'the action of `[A]_v`' : 'the action of `<<A>>_v`'),
      )
      all.addOpaque(limited(term.subscript, 1, 'the subscript of an action'))
      return all.reach()
    }
    case 'fairness': {
      const all = new Gathering()
      all.rank(3)
      all.addOpaque(limited(term.subscript, 1, `the subscript of ${term.name}`))
      all.addOpaque(limited(term.action, 2, `the action of ${term.name}`))
      return all.reach()
    }
    case 'label':
      return ofTerm(term.body)
  }
}

function ofBinders(binders: readonly Binder[], all: Gathering): void {
  for (const { set } of binders) all.add(limited(set, 2, 'the set of a bound name'))
}

function atMost(terms: readonly Term[], most: Rank, what: string): Reach {
  const all = new Gathering()
  for (const term of terms) all.add(limited(term, most, what))
  return all.reach()
}

/** A term that may have at most a level; so may what its level depends on. */
function limited(term: Term, most: Rank, what: string, reach = ofTerm(term)): Reach {
  if (reach.rank > most) {
    throw new TlaError(
      'semantics',
      `${what} can be at most ${LEVEL_NAMES[most]}, and this is ${LEVEL_NAMES[reach.rank]}`,
      term.at,
    )
  }
  if (reach.parameters.size === 0) return reach
  const all = new Gathering()
  all.add(reach)
  for (const parameter of reach.parameters) all.limit(parameter, most)
  return all.reach()
}

function ofPrimitive(name: PrimitiveName, items: readonly Term[]): Reach {
  const [least, most, counts] = PRIMITIVES[name]
  const all = new Gathering()
  all.rank(least)
  const parts: Reach[] = []
  for (const item of items) {
    const part = ofTerm(item)
    if (name === "'" || name === 'UNCHANGED') mustBePrimable(name, item, part)
    const reach = limited(item, most, `what \`${name}\` is applied to`, part)
    if (counts) all.add(reach)
    else all.addOpaque(reach)
    parts.push(reach)
  }
  if (name === '=>' || name === '<=>') mustNotMix(name, items, parts)
  if (name === '[]' || name === '<>') mustBeStuttering(name, items[0]!, parts[0]!)
  if (name === '~>' || name === '-+->') {
    for (const [at, part] of parts.entries()) {
      if (part.rank === 2) {
        throw new TlaError('semantics', `what \`${name}\` is applied to cannot be an action`, items[at]!.at)
      }
    }
  }
  return all.reach()
}

function mustBePrimable(name: string, item: Term, { rank }: Reach): void {
  if (rank < 2) return
  const what = name === "'" ? 'primed' : 'left UNCHANGED'
  throw new TlaError(
    'semantics',
    rank === 2
      ? `this is about the next state already (it is an action), so it cannot be ${what}`
      : `this is a temporal formula, which cannot be ${what}`,
    item.at,
  )
}

function mustBeStuttering(name: '[]' | '<>', item: Term, { rank }: Reach): void {
  if (rank !== 2) return
  const shape = name === '[]' ? 'square' : 'angle'
  if (item.kind === 'action' && item.shape === shape) return
  const form = name === '[]' ? '`[][A]_v`' : '`<><<A>>_v`'
  throw new TlaError('semantics', `an action after \`${name}\` has to have the form ${form}`, item.at)
}

function mustNotMix(name: string, items: readonly Term[], parts: readonly Reach[]): void {
  if (!parts.some(({ rank }) => rank === 3)) return
  const at = parts.findIndex(({ rank }) => rank === 2)
  if (at === -1) return
  throw new TlaError(
    'semantics',
    `\`${name}\` joins a temporal formula and this action, which means nothing: an action of a temporal formula is written \`[][A]_v\` or \`<><<A>>_v\``,
    items[at]!.at,
  )
}

// References

function ofReference({ symbol, through, arguments: given, at }: Extract<Term, { kind: 'reference' }>): Reach {
  if (symbol.kind === 'variable') return PLAIN[1]!
  if (symbol.kind === 'definition') {
    // Names of theorems and parts of definitions come into being when they are referred to.
    if (!definitions.has(symbol)) checkAll([symbol])
    let reach = definitions.get(symbol)!
    for (const step of through.toReversed()) reach = goThrough(reach, step, at)
    if (given.length === 0) return reach
    const all = new Gathering()
    const values = new Map<Parameter, Given>()
    for (const [order, parameter] of symbol.parameters.entries()) {
      const value = ofArgument(given[order]!)
      values.set(parameter, value)
      all.addLimits(without(value.reach, value.own))
    }
    all.add(
      substituted(reach, values, (parameter, most, is) => {
        const order = symbol.parameters.indexOf(parameter as BoundSymbol)
        throw tooHigh(
          `the parameter \`${parameter.name}\` of \`${symbol.name}\``,
          parameter,
          most,
          is,
          given[order]?.at ?? at,
        )
      }),
    )
    return all.reach()
  }
  const self = symbol.kind === 'bound' ? selves.get(symbol) : undefined
  if (self !== undefined) return self
  const all = new Gathering()
  if (symbol.kind === 'constant' || formals.has(symbol)) all.parameters(ofParameter(symbol).parameters)
  if (given.length > 0) {
    const reaches = given.map((each) => ofTerm(each as Term))
    for (const reach of reaches) all.add(reach)
    all.apply(symbol, reaches)
  }
  return all.reach()
}

function ofArgument(argument: Argument): Given {
  if (argument.kind !== 'operator') return { reach: ofTerm(argument), own: [] }
  for (const parameter of argument.parameters) formals.add(parameter)
  return { reach: ofTerm(argument.body), own: argument.parameters }
}

function tooHigh(what: string, parameter: Parameter, most: Rank, is: Rank, at: Span): TlaError {
  return new TlaError(
    'semantics',
    `${what} (${place(parameter.at)}) can be at most ${LEVEL_NAMES[most]}, because of what is done with it there, and this is ${LEVEL_NAMES[is]}`,
    at,
  )
}

// Instances

/** What the symbols of an instantiated module stand for, in terms of the place of the INSTANCE. */
const substitutions = new WeakMap<InstanceSymbol, ReadonlyMap<Parameter, Given>>()
/** What instances ask of what is around them. */
const instances = new WeakMap<InstanceSymbol, Reach>()
/** What definitions reach through an instance without parameters. */
const passages = new WeakMap<InstanceSymbol, WeakMap<Reach, Reach>>()

/** Checks what is substituted by an instance; its parameters are left in. */
function ofInstance(instance: InstanceSymbol): Reach {
  const known = instances.get(instance)
  if (known !== undefined) return known
  for (const parameter of instance.parameters) formals.add(parameter)
  const { module } = instance
  const whole = modules.get(module)!
  const isConstant = module.variables.length === 0 && whole.rank === 0
  const all = new Gathering()
  const given = new Map<Parameter, Given>()
  for (const [parameter, argument] of instance.substitutions) {
    const value = ofArgument(argument)
    given.set(parameter, value)
    const outside = without(value.reach, value.own)
    all.addLimits(outside)
    const opaque = value.own.find((parameter) => value.reach.opaque.has(parameter))
    if (opaque !== undefined) {
      throw new TlaError(
        'semantics',
        `what stands for the constant \`${parameter.name}\` of module \`${module.name}\` (${place(parameter.at)}) must give equal values for equal arguments, and this one has its argument \`${opaque.name}\` under a prime, ENABLED or a temporal operator`,
        argument.at,
      )
    }
    if (isConstant) continue
    const most = parameter.kind === 'constant' ? 0 : 1
    if (outside.rank > most) {
      throw new TlaError(
        'semantics',
        `the ${parameter.kind} \`${parameter.name}\` of module \`${module.name}\` (${place(parameter.at)}) can stand for ` +
          `${most === 0 ? 'a constant only' : 'at most a state function'}, and this is ${LEVEL_NAMES[outside.rank]}`,
        argument.at,
      )
    }
    // SANY lets what instances are given be more than it lets what they are written with.
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

/** What a definition of an instantiated module reaches where it is referred to. */
function goThrough(reach: Reach, { instance, arguments: values }: Through, at: Span): Reach {
  ofInstance(instance)
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
    const value = ofArgument(values[order]!)
    own.set(parameter, value)
    all.addLimits(without(value.reach, value.own))
  }
  all.add(substituted(substituted(reach, base, refuse), own, refuse))
  return all.reach()

  function refuse(parameter: Parameter, most: Rank, is: Rank): never {
    const order = parameters.indexOf(parameter as BoundSymbol)
    throw tooHigh(`\`${parameter.name}\` of \`${instance.module.name}\``, parameter, most, is, values[order]?.at ?? at)
  }
}
