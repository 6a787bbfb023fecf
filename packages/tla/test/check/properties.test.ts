/** What of a PROPERTY is checked, and that a check without the rest is incomplete. */
import { describe, expect, test } from 'vitest'
import { checkSpecification } from '../../src/index.ts'

/** Two counters from 0 to 2; the property is `Property`. */
function checked(definitions: string, options = {}, more = '') {
  const module = `---- MODULE Counters ----
EXTENDS Integers, FiniteSets
CONSTANT P
VARIABLE x
Init == x = [p \\in P |-> 0]
Up(p) == x[p] < 2 /\\ x' = [x EXCEPT ![p] = @ + 1]
Next == \\E p \\in P : Up(p)
Spec == Init /\\ [][Next]_x /\\ WF_x(Next)
Below(p, n) == x[p] < n
Grows(p) == x'[p] >= x[p]
${definitions}
====`
  const modules = {
    Refined: String.raw`---- MODULE Refined ----
EXTENDS Integers
CONSTANT by
VARIABLE y
Init == y = 0
Next == y' = y + by
Safe == Init /\ [][Next]_y
Live == Safe /\ WF_y(Next)
====`,
  }
  const configuration = `SPECIFICATION Spec CONSTANT P = {a, b} PROPERTY Property CHECK_DEADLOCK FALSE ${more}`
  return checkSpecification({ module, modules, configuration }, options)
}

const REFINED = `Other(p, k) == INSTANCE Refined WITH y <- x[p], by <- k`

describe('a property about states and steps is checked', () => {
  test.each([
    ['an initial predicate', '\\A p \\in P : Below(p, 1)'],
    ['always', '[]\\A p \\in P : Below(p, 3)'],
    ['all steps', '[][\\A p \\in P : Grows(p)]_x'],
    ['always, by a quantifier around it', '\\A p \\in P, q \\in P : []Below(p, 3) /\\ [][Grows(q)]_x'],
    ['a quantifier over pairs', '\\A <<p, n>> \\in P \\X {3, 4} : []Below(p, n)'],
    ['an operator', 'Always(x \\in [P -> 0..2]) /\\ Both(Init, [][Next]_x)'],
    ['a definition within', 'LET Low(n) == \\A p \\in P : Below(p, n) IN []Low(3) /\\ Low(1)'],
    ['always several', '[](x \\in [P -> 0..2] /\\ [](x = x) /\\ [][\\A p \\in P : Grows(p)]_x)'],
    ['a refinement', '\\A p \\in P : Other(p, 1)!Safe'],
  ])('%s', (_, property) => {
    const definitions = `Always(F) == []F\nBoth(F, G) == F /\\ G\n${REFINED}\nProperty == ${property}`
    expect(checked(definitions)).toMatchObject({
      result: 'passed',
      distinct: 9,
      unchecked: [],
      fairness: ['WF_x(Next)'],
    })
  })

  test.each([
    ['an initial predicate', '\\A p \\in P : Below(p, 0)', 1],
    ['always', '[]\\A p \\in P : Below(p, 2)', 3],
    ['all steps', '[][\\A p \\in P : x[p] = 0]_x', 3],
    ['always, by a quantifier around it', '\\A p \\in P : []Below(p, 2)', 3],
    ['steps, by a quantifier around them', '\\A p \\in P : [][x[p] = 0]_x', 3],
    ['an operator, whose argument changes', 'Always(\\A p \\in P : Below(p, 2))', 3],
    ['a definition within, whose value changes', 'LET high == {p \\in P : x[p] = 2} IN [](high = {})', 3],
    ['a refinement', '\\A p \\in P : Other(p, 2)!Safe', 2],
    ['the safety of a temporal formula', '\\A p \\in P : Other(p, 2)!Live', 2],
  ])('%s that is false', (_, property, states) => {
    const definitions = `Always(F) == []F\n${REFINED}\nProperty == ${property}`
    const { behaviour, name, result } = checked(definitions)
    expect({ result: result === 'invariant' ? 'property' : result, name, states: behaviour?.length }).toEqual({
      result: 'property',
      name: 'Property',
      states,
    })
  })

  test('a set that cannot be evaluated is an error with its place', () => {
    expect(() => checked('Property == \\A p \\in {1 \\div 0} : []Below(p, 2)')).toThrow('division by zero: 1 \\div 0')
  })
})

describe('a property about behaviours is not checked, so that nothing passes', () => {
  test.each([
    ['eventually', '<>(x = [p \\in P |-> 2])', 'Property'],
    ['leads to', '\\A p \\in P : Below(p, 1) ~> Below(p, 3)', 'Property'],
    ['fairness of a refinement', '\\A p \\in P : Other(p, 1)!Live', 'Property'],
    ['always eventually', '[]<>(x = x)', 'Property'],
    ['an argument that is temporal', 'Always(<>(x = x))', 'Property'],
    ['a quantifier over too many', '\\A n \\in Int : [](n > 0 => x # n)', 'Property'],
    ['some', '\\E p \\in P : []Below(p, 1)', 'Property'],
  ])('%s', (_, property, name) => {
    const definitions = `Always(F) == []F\n${REFINED}\nProperty == ${property}`
    expect(checked(definitions)).toMatchObject({ result: 'incomplete', distinct: 9, unchecked: [name] })
  })

  test('the report says what is not checked, and what to do', () => {
    expect(checked('Ends == <>(x = 2)\nProperty == Init /\\ Ends').text).toBe(
      [
        'not checked: Property; result: incomplete',
        '  Counters.tla:11:9: this is temporal',
        '     11 | Ends == <>(x = 2)',
        '        |         ^^^^^^^^^',
        '  no error in everything else; check temporal formulas with TLC, or remove them from PROPERTY',
      ].join('\n'),
    )
  })

  test('a simulation is incomplete, too; a bound and a false invariant stay what they are', () => {
    const ends = 'Property == <>(x = [p \\in P |-> 2])\nLow == \\A p \\in P : Below(p, 2)'
    expect(checked(ends, { simulate: 3 })).toMatchObject({ result: 'incomplete', unchecked: ['Property'] })
    expect(checked(ends, { states: 3 })).toMatchObject({ result: 'bound', unchecked: ['Property'] })
    expect(checked(ends, {}, 'INVARIANT Low')).toMatchObject({ result: 'invariant', unchecked: ['Property'] })
  })
})
