/**
 * Level checking: computes the level of every term for constant parameters, and rejects a term
 * whose level is too high for its place (a prime on an action, an action where a state function is
 * expected). The rules are SANY's.
 */
import { TlaError, throwAll } from '../error/error.ts'
import { isOwn } from '../library/modules.ts'
import { definitions, formals, type LevelRules, modules, selves } from './known-levels.ts'
import { Gathering, isSame, LEVEL_NAMES, LEVELS, limited, PLAIN, without } from './level.ts'
import { ofInstance } from './reference-levels.ts'
import type { Assumption, DefinitionSymbol, InstanceSymbol, Module, Term } from './term.ts'
import { ofTerm } from './term-levels.ts'

const RULES: LevelRules = { term: (term) => ofTerm(RULES, term), define: (symbols) => checkAll(symbols) }

/** The items of a module that have levels, in source order. */
export type Leveled = DefinitionSymbol | InstanceSymbol | Assumption | Statement

/** What a theorem states. */
export interface Statement {
  readonly kind: 'statement'
  /** The sets of the symbols that an ASSUME/PROVE declares. */
  readonly sets: readonly Term[]
  readonly terms: readonly Term[]
}

/**
 * Sections of recursive operators settle in a few rounds, as levels only rise: as many as there are
 * levels and more.
 */
const MAX_ROUNDS = 16

/**
 * @param items in source order
 * @throws TlaError
 */
export function checkModule(module: Module, items: readonly Leveled[], extended: readonly Module[]): void {
  const wrong: TlaError[] = []
  checkAll(items, (error, item) => {
    if (!(error instanceof TlaError)) throw error
    wrong.push(error)
    // Treated as correct, so that further errors are found.
    if ('kind' in item && item.kind === 'definition') definitions.set(item, PLAIN[0]!)
    // Errors through a wrong instance would only be consequences.
    else if ('kind' in item && item.kind === 'instance') throwAll(wrong)
  })
  throwAll(wrong)
  const all = new Gathering()
  for (const each of extended) all.add(modules.get(each)!)
  for (const item of items) {
    if ('kind' in item) {
      if (item.kind === 'statement') continue
      if (item.kind === 'definition') all.add(without(definitions.get(item)!, item.parameters))
      else all.add(without(ofInstance(RULES, item), item.parameters))
    } else all.add(ofTerm(RULES, item.body))
  }
  modules.set(module, all.reach())
}

/** Sets the levels of a single expression. @throws TlaError */
export function checkTerm(term: Term): void {
  ofTerm(RULES, term)
}

/** @param refuse handles errors; the check continues if it returns */
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

/** Recursive operators, and the items between them: iterates to a fixed point of their levels. */
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
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const before = recursive.map((symbol) => definitions.get(symbol)!)
    for (const item of section) check(item)
    if (recursive.every((symbol, at) => isSame(before[at]!, definitions.get(symbol)!))) return
  }
}

function check(item: Leveled): void {
  if (!('kind' in item)) {
    const { rank } = ofTerm(RULES, item.body)
    if (rank > 0) {
      throw new TlaError(
        'semantics',
        `this assumption is ${LEVEL_NAMES[rank]}, but an assumption may use constants only`,
        item.body.at,
      )
    }
    return
  }
  if (item.kind === 'instance') {
    ofInstance(RULES, item)
    return
  }
  if (item.kind === 'statement') {
    for (const set of item.sets) limited(set, 2, 'the set of an assumed symbol', ofTerm(RULES, set))
    for (const term of item.terms) ofTerm(RULES, term)
    return
  }
  const body = new Gathering()
  for (const parameter of item.parameters) {
    formals.add(parameter)
    // A symbol bound by `\EE` is a parameter in parts selected by a path, and no variable.
    selves.delete(parameter)
  }
  body.add(ofTerm(RULES, item.body))
  if (item.isRecursive) {
    for (const parameter of item.parameters) body.limit(parameter, 2)
    const reach = body.reach()
    for (const parameter of item.parameters) {
      if (reach.most.get(parameter)! < 2) {
        throw new TlaError(
          'semantics',
          `the parameter \`${parameter.name}\` of the recursive operator \`${item.name}\` is primed in ` +
            `its body, which TLA+ does not allow`,
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
