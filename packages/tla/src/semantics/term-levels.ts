/**
 * Computes the levels of terms from their parts, sets them, and rejects parts whose level is too
 * high.
 */
import { TlaError } from '../error/error.ts'
import { definitions, type LevelRules, selves } from './known-levels.ts'
import { Gathering, joined, LEVELS, limited, mustBeAtMost, PLAIN, type Rank, type Reach, without } from './level.ts'
import { mustNotMix, ofPrimitive } from './primitive-levels.ts'
import { ofReference } from './reference-levels.ts'
import type { Binder, Term } from './term.ts'

/** What a term reaches. Sets its level, and those of all terms in it. @throws TlaError */
export function ofTerm(rules: LevelRules, term: Term): Reach {
  // Apart, as the frame of a function with many cases is large, and these nest deepest.
  let reach: Reach
  if (term.kind === 'reference') reach = ofReference(rules, term)
  else if (term.kind === 'primitive') reach = ofPrimitive(rules, term.name, term.arguments)
  else reach = ofShape(rules, term)
  ;(term as { level: Term['level'] }).level = LEVELS[reach.rank]!
  return reach
}

function ofShape(rules: LevelRules, term: Exclude<Term, { kind: 'reference' | 'primitive' }>): Reach {
  switch (term.kind) {
    case 'number':
    case 'boolean':
    case 'string':
    case 'builtin set':
      return PLAIN[0]!
    case 'and':
    case 'or': {
      const parts = term.items.map((item) => operand(rules, item))
      mustNotMix(term.kind === 'and' ? '/\\' : '\\/', term.items, parts)
      return joined(parts)
    }
    case 'set':
    case 'tuple':
    case 'product':
      return atMost(rules, term.items, 2, `an element of this ${term.kind}`)
    case 'filter': {
      const all = new Gathering()
      ofBinders(rules, [term.binder], all)
      all.add(limitedTerm(rules, term.body, 2, 'the condition of a set'))
      return all.reach()
    }
    case 'map': {
      const all = new Gathering()
      ofBinders(rules, term.binders, all)
      all.add(limitedTerm(rules, term.body, 2, 'an element of a set'))
      return all.reach()
    }
    case 'function': {
      const all = new Gathering()
      ofBinders(rules, term.binders, all)
      all.add(operand(rules, term.body))
      return all.reach()
    }
    case 'recursive function': {
      const all = new Gathering()
      ofBinders(rules, term.binders, all)
      // The function has the level of its body, which is not known before; that of its domain is,
      // and rarely less.
      selves.set(term.self, PLAIN[all.reach().rank]!)
      all.add(operand(rules, term.body))
      return all.reach()
    }
    case 'quantifier': {
      const all = new Gathering()
      ofBinders(rules, term.binders, all)
      const body = operand(rules, term.body)
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
      if (!isTemporal) return operand(rules, term.body)
      for (const symbol of term.symbols) selves.set(symbol, PLAIN[1]!)
      const all = new Gathering()
      all.rank(3)
      all.addOpaque(operand(rules, term.body))
      return all.reach()
    }
    case 'choose': {
      const all = new Gathering()
      if (term.set !== undefined) all.add(boundSet(rules, term.set, 'the set of CHOOSE'))
      all.add(limitedTerm(rules, term.body, 2, 'the condition of CHOOSE'))
      return all.reach()
    }
    case 'function set':
      return atMost(rules, [term.domain, term.range], 2, 'a part of a set of functions')
    case 'application':
      return atMost(rules, [term.function, ...term.arguments], 2, 'a part of a function application')
    case 'record':
      return joined([PLAIN[0]!, ...term.fields.map(({ value }) => operand(rules, value))])
    case 'record set':
      return atMost(
        rules,
        term.fields.map(({ value }) => value),
        2,
        'a field of a set of records',
      )
    case 'field':
      return limitedTerm(rules, term.record, 2, 'a record')
    case 'except': {
      const all = new Gathering()
      // What `@` is depends on all but the indices.
      const before = new Gathering()
      before.add(all.add(limitedTerm(rules, term.function, 2, 'the function of EXCEPT')))
      for (const { path, self, value } of term.updates) {
        for (const step of path)
          if (step.kind === 'index')
            for (const each of step.arguments) all.add(limitedTerm(rules, each, 2, 'an index of EXCEPT'))
        if (self !== undefined) selves.set(self, before.reach())
        before.add(all.add(limitedTerm(rules, value, 2, 'a value of EXCEPT')))
      }
      return all.reach()
    }
    case 'if':
      return joined([operand(rules, term.condition), operand(rules, term.then), operand(rules, term.else)])
    case 'case': {
      const all = new Gathering()
      for (const { condition, body } of term.arms) {
        all.add(operand(rules, condition))
        all.add(operand(rules, body))
      }
      if (term.other !== undefined) all.add(operand(rules, term.other))
      return all.reach()
    }
    case 'let': {
      rules.define(term.definitions)
      const all = new Gathering()
      all.add(ofTerm(rules, term.body))
      for (const definition of term.definitions) {
        all.addLimits(without(definitions.get(definition)!, definition.parameters))
      }
      return all.reach()
    }
    case 'action': {
      const all = new Gathering()
      all.rank(2)
      all.addOpaque(
        limitedTerm(
          rules,
          term.action,
          2,
          term.shape === 'square' ? 'the action of `[A]_v`' : 'the action of `<<A>>_v`',
        ),
      )
      all.addOpaque(limitedTerm(rules, term.subscript, 1, 'the subscript of an action'))
      return all.reach()
    }
    case 'fairness': {
      const all = new Gathering()
      all.rank(3)
      all.addOpaque(limitedTerm(rules, term.subscript, 1, `the subscript of ${term.name}`))
      all.addOpaque(limitedTerm(rules, term.action, 2, `the action of ${term.name}`))
      return all.reach()
    }
    case 'label':
      return ofTerm(rules, term.body)
  }
}

function ofBinders(rules: LevelRules, binders: readonly Binder[], all: Gathering): void {
  for (const { set } of binders) all.add(boundSet(rules, set, 'the set of a bound name'))
}

function atMost(rules: LevelRules, terms: readonly Term[], most: Rank, what: string): Reach {
  const all = new Gathering()
  for (const term of terms) all.add(limitedTerm(rules, term, most, what))
  return all.reach()
}

/**
 * A part of any level. As in SANY, its parameters are limited nevertheless, so that substitutions of
 * an instance that exceed their declarations are found (reference-levels.ts).
 */
function operand(rules: LevelRules, term: Term): Reach {
  return limitedTerm(rules, term, 3, 'this')
}

/**
 * A set of a binder, which cannot be temporal. As in SANY, arguments of parameters in it may be.
 */
function boundSet(rules: LevelRules, set: Term, what: string): Reach {
  const reach = ofTerm(rules, set)
  mustBeAtMost(set, 2, what, reach)
  return reach
}

function limitedTerm(rules: LevelRules, term: Term, most: Rank, what: string): Reach {
  return limited(term, most, what, ofTerm(rules, term))
}
