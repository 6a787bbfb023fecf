/** The formulas that a configuration names, and the assumptions of the module, compiled. */
import type { Configuration } from '../configuration/configuration.ts'
import type { Span } from '../error/span.ts'
import type { Module, Term, Through } from '../semantics/term.ts'
import type { Identifier } from '../syntax/ast.ts'
import type { Engine } from './engine.ts'
import type { Formula, UncheckedProperty } from './machine.ts'
import { propertiesOf } from './properties.ts'
import type { Scope } from './scope.ts'
import { referenceOfLevel, referenceTo, type Scoped } from './specification.ts'
import { textOf } from './text.ts'

/** Compiles a term. @param scope where its names are bound; default: the root module */
export type MakeFormula = (name: string, term: Term, at: Span, scope?: Scope) => Formula

/** @throws TlaError of kind `configuration` for an unknown name or a wrong level */
export function configuredFormulas(module: Module, configuration: Configuration | undefined, make: MakeFormula) {
  const named = (name: Identifier, what: string) => {
    const term = referenceTo(module, name, what)
    return make(name.name, term, term.at)
  }
  const ofLevel = (names: readonly Identifier[] | undefined, what: string, most: 'constant' | 'state') =>
    (names ?? []).map((name) => {
      const term = referenceOfLevel(module, name, what, most)
      return make(name.name, term, term.at)
    })
  return {
    actionConstraints: (configuration?.actionConstraints ?? []).map((name) => named(name, 'an action constraint')),
    constraints: ofLevel(configuration?.constraints, 'a constraint', 'state'),
    postconditions: ofLevel(configuration?.postconditions, 'a postcondition', 'constant'),
    view: configuration?.view && named(configuration.view, 'the view'),
    alias: configuration?.alias && named(configuration.alias, 'the alias'),
    symmetry: configuration?.symmetry && named(configuration.symmetry, 'the symmetry set'),
    invariants: ofLevel(configuration?.invariants, 'an invariant', 'state'),
  }
}

export function assumptionsOf(module: Module, make: MakeFormula): readonly Formula[] {
  return module.assumptions
    .filter(({ isAxiom }) => !isAxiom)
    .map(({ name, body, through, at }) =>
      make(name ?? textOf(body.at), asDefinition(name ?? 'ASSUME', module, body, through), at),
    )
}

/** The parts of the properties that can be checked in states and steps. */
export function configuredProperties(
  module: Module,
  configuration: Configuration | undefined,
  { compiler, root }: Engine,
  make: MakeFormula,
) {
  const evaluate = ({ term, scope }: Scoped) => make(textOf(term.at), term, term.at, scope).evaluate()
  const found: Record<'invariants' | 'initial' | 'steps', Formula[]> = { invariants: [], initial: [], steps: [] }
  const unchecked: UncheckedProperty[] = []
  for (const name of configuration?.properties ?? []) {
    const term = referenceTo(module, name, 'a property')
    const parts = propertiesOf(compiler, { term, scope: root }, evaluate)
    for (const kind of ['invariants', 'initial', 'steps'] as const) {
      for (const part of parts[kind]) found[kind].push(make(name.name, part.term, part.term.at, part.scope))
    }
    // One place for all cases of a quantifier.
    const places = new Set(parts.temporal.map(({ term }) => term.at))
    for (const at of places) unchecked.push({ name: name.name, at })
  }
  return { ...found, unchecked }
}

/** A term as the body of a definition, so that it can be referred to through instances. */
function asDefinition(name: string, module: Module, body: Term, through: readonly Through[]): Term {
  const { at, level } = body
  return {
    kind: 'reference',
    symbol: {
      kind: 'definition',
      name,
      module: module.name,
      parameters: [],
      body,
      isRecursive: false,
      isNested: false,
      level,
      at,
    },
    through,
    arguments: [],
    at,
    level,
  }
}
