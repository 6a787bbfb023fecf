import { describe, expect, test } from 'vitest'
import type { TraceEntry } from '../../src/follow/trace-file.ts'
import { loadMachine } from '../../src/node/load.ts'
import { UNKNOWN } from '../../src/validate/event.ts'
import { type LogMapper, logMap, NO_MAP } from '../../src/validate/log-map.ts'
import { Stepper } from '../../src/validate/stepper.ts'
import { tla } from '../../src/validate/tla-expression.ts'
import { validateTrace } from '../../src/validate/validate-trace.ts'
import { printValue } from '../../src/values/print.ts'
import { machineOf } from '../specification.ts'

/** The parameters that an action of `Act(a, b)` may have in the initial state. */
function combinations(next: string, given: readonly unknown[], more = ''): readonly string[] {
  const machine = machineOf(
    `EXTENDS Integers, Sequences, FiniteSets
     VARIABLES x, box
     Init == x = 2 /\\ box = {<<1, "a">>, <<2, "b">>, <<5, "c">>}
     Act(a, b) == a # b /\\ x' = 1 /\\ UNCHANGED box
     ${more}
     Next == ${next}`,
  )
  const stepper = new Stepper(machine, NO_MAP)
  let found: readonly string[] = []
  machine.initial(() => {
    const state = machine.arena.tuple(machine.current.slice())
    const taken = { action: machine.action('Act'), given, where: [], least: 1, most: 1 }
    found = stepper.parameters.combinations(state, taken).map((values) => values.map(printValue).join(' '))
  })
  return found
}

describe('the parameters of an action, from how the next-state relation reaches it', () => {
  const all = [UNKNOWN, UNKNOWN]

  test.each([
    ['\\E a, b \\in 1..2 : Act(a, b)', ['1 1', '1 2', '2 1', '2 2']],
    ['\\E a \\in 1..2 : \\E b \\in a..2 : Act(b, a)', ['1 1', '2 1', '2 2']],
    ['Act(1, 2) \\/ Act(3, 4)', ['1 2', '3 4']],
    ['\\E <<a, b>> \\in box : Act(a, b)', ['1 "a"', '2 "b"', '5 "c"']],
    ['\\E m \\in box : LET a == m[1] b == m[2] IN Act(a, b)', ['1 "a"', '2 "b"', '5 "c"']],
    ['\\E m \\in box : m[1] > x /\\ Act(m[1], m[2])', ['5 "c"']],
    ['\\E m \\in box : IF m[1] = x THEN Act(0, m[2]) ELSE Act(9, m[1])', ['0 "b"', '9 1', '9 5']],
    [
      '\\E m \\in box : CASE m[1] = 1 -> Act(1, 1) [] m[1] = 2 -> Act(2, 2) [] OTHER -> Act(3, 3)',
      ['1 1', '2 2', '3 3'],
    ],
    ['[\\E a \\in {7} : Act(a, x)]_x', ['7 2']],
    ['Act(x, x + 1) /\\ TRUE', ['2 3']],
  ])('%s', (next, expected) => {
    expect(combinations(next, all)).toEqual(expected)
  })

  test('operators on the way hand their arguments on', () => {
    const more = 'Deliver(m, k) == Act(m[1], k)\n Handle(m, k) == Deliver(m, k) \\/ (x > 5 /\\ Act(m, m))'
    expect(combinations('\\E m \\in box : Handle(m, m[2])', all, more)).toEqual(['1 "a"', '2 "b"', '5 "c"'])
  })

  test('parameters that are known are not gone through, and have to be possible', () => {
    const handed = 'Handle(p, q) == Act(q, p)'
    expect(combinations('\\E a \\in Nat : \\E b \\in 1..a : Act(a, b)', [3, UNKNOWN])).toEqual(['3 1', '3 2', '3 3'])
    expect(combinations('\\E a \\in Int, b \\in 1..2 : Handle(b, a)', [7, UNKNOWN], handed)).toEqual(['7 1', '7 2'])
    expect(combinations('\\E a \\in Nat : \\E b \\in 1..2 : Act(a, b)', [-3, UNKNOWN])).toEqual([])
    expect(combinations('\\E m \\in box : Act(m[1], m[2])', [UNKNOWN, 'b'])).toEqual(['2 "b"'])
    expect(combinations('\\E a \\in Nat : \\E b \\in 1..2 : Act(a, a + b)', [UNKNOWN, 5].reverse())).toEqual([
      '5 6',
      '5 7',
    ])
  })

  test('a parameter that stands for two is both', () => {
    expect(combinations('\\E a \\in 1..3 : Act(a, a)', [2, 2])).toEqual(['2 2'])
    expect(combinations('\\E a \\in 1..3 : Act(a, a)', [1, 2])).toEqual([])
    expect(combinations('\\E <<a, b>> \\in box : Act(a, b)', [2, UNKNOWN])).toEqual(['2 "b"'])
  })

  test.each([
    ['an operator as argument', '(\\E a \\in 1..2 : Act(a, a)) \\/ Each(Act)', 'Each(A(_, _)) == A(7, 7)'],
    ['\\A', '(\\E a \\in 1..2 : Act(a, a)) \\/ \\A b \\in 7..7 : Act(b, b)', ''],
    ['recursion', 'Act(1, 1) \\/ Again(7)', 'RECURSIVE Again(_)\nAgain(n) == Act(n, n) \\/ (n > 5 /\\ Again(n - 1))'],
    [
      'more branches than are gone through',
      'D20',
      ['D0 == Act(7, 7)', ...Array.from({ length: 20 }, (_, at) => `D${at + 1} == D${at} \\/ D${at}`)].join('\n'),
    ],
  ])('where a way leads by %s, nothing is said of any', (_, next, more) => {
    expect(combinations(next, [7, 7], more)).toEqual(['7 7'])
    expect(combinations(next, [8, 8], more)).toEqual(['8 8'])
    expect(() => combinations(next, all, more)).toThrow(
      'its possible values do not follow from the next-state relation',
    )
  })

  test('a relation of another module is taken with the constants that it has there', () => {
    const files = {
      'Inner.tla': `---- MODULE Inner ----
EXTENDS Naturals
CONSTANT N
VARIABLE x
Act(n) == x' = n
Spec == x = 0 /\\ [][\\E n \\in 1..N : Act(n)]_x
====`,
      'Outer.tla': '---- MODULE Outer ----\nVARIABLE x\nINSTANCE Inner WITH N <- 3\n====',
      'Outer.cfg': 'SPECIFICATION Spec',
    }
    const machine = loadMachine('Outer.tla', { files, print: () => {} })
    const taken = { action: machine.action('Act'), given: [UNKNOWN], where: [], least: 1, most: 1 }
    const found = new Stepper(machine, NO_MAP).parameters.combinations(machine.arena.tuple([0]), taken)
    expect(found).toEqual([[1], [2], [3]])
  })

  describe('through an instance', () => {
    const INNER = `---- MODULE Inner ----
EXTENDS Naturals
CONSTANT N
VARIABLE x
Act(n, m) == x' = n + m
Step(k) == \\E n \\in 1..N : n # x /\\ Act(n, k)
Next == \\E k \\in {10, 20} : Step(k)
====`
    const MIDDLE =
      '---- MODULE Middle ----\nCONSTANT M\nVARIABLE z\nI == INSTANCE Inner WITH N <- M, x <- z\nNext == I!Next\n===='
    const found = (outer: string, action: string, given: readonly unknown[]) => {
      const machine = loadMachine('Outer.tla', {
        files: {
          'Inner.tla': INNER,
          'Middle.tla': MIDDLE,
          'Outer.tla': `---- MODULE Outer ----\nEXTENDS Integers\nVARIABLE y\nInit == y = 2\n${outer}\n====`,
          'Outer.cfg': 'INIT Init\nNEXT Next',
        },
        print: () => {},
      })
      const taken = { action: machine.action(action), given, where: [], least: 1, most: 1 }
      const stepper = new Stepper(machine, NO_MAP)
      const values = stepper.parameters.combinations(machine.arena.tuple([2]), taken)
      return values.map((each) => each.map(printValue).join(' '))
    }
    const all = [UNKNOWN, UNKNOWN]
    const R = 'R == INSTANCE Inner WITH N <- 3, x <- y\n'

    test.each([
      ['with a name', `${R}Next == R!Next`, 'R!Act', ['1 10', '3 10', '1 20', '3 20']],
      ['without one', 'INSTANCE Inner WITH N <- 3, x <- y\nMore == Next', 'Act', ['1 10', '3 10', '1 20', '3 20']],
      [
        'with what it is called with',
        `${R}Next == \\E k \\in {y, y + 5} : R!Step(k)`,
        'R!Act',
        ['1 2', '3 2', '1 7', '3 7'],
      ],
      ['that is called itself', `${R}Next == \\E k \\in {5} : R!Act(y, k)`, 'R!Act', ['2 5']],
      ['of an instance', 'R == INSTANCE Middle WITH M <- 1, z <- y\nNext == R!Next', 'R!I!Act', ['1 10', '1 20']],
      [
        'beside another',
        `${R}Q == INSTANCE Inner WITH N <- 9, x <- y\nNext == Q!Next \\/ R!Next`,
        'R!Act',
        ['1 10', '3 10', '1 20', '3 20'],
      ],
    ])('%s', (_, outer, action, expected) => {
      expect(found(outer, action, all).toSorted()).toEqual(expected.toSorted())
    })

    test('what is known is not gone through, and has to be possible', () => {
      const outer = `${R}Next == \\E k \\in Nat : R!Step(k)`
      expect(found(outer, 'R!Act', [UNKNOWN, 1000])).toEqual(['1 1000', '3 1000'])
      expect(found(outer, 'R!Act', [3, 1000])).toEqual(['3 1000'])
      expect(found(outer, 'R!Act', [2, 1000])).toEqual([])
      expect(found(outer, 'R!Act', [1, -1])).toEqual([])
    })

    test('with parameters, nothing is said of it', () => {
      const outer =
        'R(n) == INSTANCE Inner WITH N <- n, x <- y\nQ == INSTANCE Inner WITH N <- 1, x <- y\nNext == R(3)!Next'
      expect(found(outer, 'Q!Act', [7, 7])).toEqual(['7 7'])
      expect(() => found(outer, 'Q!Act', all)).toThrow('its possible values do not follow from the next-state relation')
    })
  })

  test('an action that it does not reach needs to be told', () => {
    expect(() => combinations("x' = 1 /\\ UNCHANGED box", all)).toThrow(
      'the parameter a of Act is not in the trace, and its possible values do not follow from the next-state relation: give its set in the settings of a mapper: domains: { Act: { a: "…" } }',
    )
  })
})

describe('a trace of a specification', () => {
  const COUNTERS = machineOf(
    `EXTENDS Integers
     CONSTANTS Names, Nobody
     VARIABLES count, last
     Init == count = [n \\in Names |-> 0] /\\ last = Nobody
     Add(n, amount) ==
       /\\ count[n] + amount <= 9
       /\\ count' = [count EXCEPT ![n] = @ + amount]
       /\\ last' = n
     Reset == last # Nobody /\\ count' = [n \\in Names |-> 0] /\\ UNCHANGED last
     Next == (\\E n \\in Names : \\E amount \\in 1..3 : Add(n, amount)) \\/ Reset`,
    'INIT Init\nNEXT Next\nCONSTANTS Names = {a, b}\nNobody = Nobody\n',
  )
  const options = { specification: 'Spec.tla', path: 'run.ndjson', mapPath: 'mapper.ts', width: 100, depthFirst: false }
  const entries = (lines: readonly object[]): readonly TraceEntry[] =>
    lines.map((data, at) => ({ line: at + 1, data: data as Record<string, unknown> }))
  const validate = (lines: readonly object[], mapper?: LogMapper) =>
    validateTrace(COUNTERS, entries(lines), { ...options, map: logMap('mapper.ts', mapper) })

  test('leaves parameters out, and is told apart by what was seen later', () => {
    const { verdict, json } = validate([
      { action: 'Add' },
      { action: 'Add', parameters: { n: 'a' } },
      { steps: 0, state: { 'count[a]': 5, last: 'a' } },
    ])
    expect(verdict).toBe('behaviour')
    expect(json).toMatchObject({ states: 1, widest: 14 })
  })

  test('reads arrays and objects as the next-state relation has parameters', () => {
    const machine = machineOf(
      `EXTENDS Integers, TLC
       VARIABLE x
       Init == x = {}
       Put(set, map) == x' = {<<set, map>>}
       Next == \\E set \\in SUBSET {1, 2}, map \\in [{3, 4} -> {0, 1}] : Put(set, map)`,
    )
    const put = { action: 'Put', parameters: [[2, 1], { '3': 0, '4': 1 }] }
    const result = validateTrace(
      machine,
      entries([{ ...put, state: { x: { $tla: '{<<{1, 2}, 3 :> 0 @@ 4 :> 1>>}' } } }]),
      {
        ...options,
        map: NO_MAP,
      },
    )
    expect(result.text[0]).toBe('run.ndjson is a behaviour of Spec.tla: 1 entry')
  })

  test('names no actions, as a list of states', () => {
    const lines = [
      { state: { count: { a: 0, b: 0 }, last: 'Nobody' } },
      { state: { count: { a: 2, b: 0 } } },
      { state: { count: { a: 2, b: 3 }, last: 'b' } },
      { state: { count: { a: 0 } } },
    ]
    expect(validate(lines).verdict).toBe('behaviour')
    const { line, text } = validate([...lines, { state: { count: { a: 5 } } }])
    expect(line).toBe(5)
    expect(text.slice(4, 7)).toEqual([
      'Reset leads to another state:',
      "  count'[a]: specification 0, log 5",
      "  required by count' = [n \\in Names |-> 0] (Spec.tla:10:32)",
    ])
    expect(text).toContain('The state after it differs from the log:')
    expect(text.join('\n')).toMatch(/^Add\(a, \d\) leads to another state/m)
    expect(text.length).toBeLessThan(40)
  })

  test('sees what expressions are, which may name model values', () => {
    const lines = [{ action: 'Add', parameters: ['a', 2], state: { 'count[a] + count[b]': 2, 'last = a': true } }]
    expect(validate(lines).verdict).toBe('behaviour')
    const wrong = validate([{ action: 'Add', parameters: ['a', 2], state: { 'count[a] + count[b]': 3 } }])
    expect(wrong.text.slice(4, 6)).toEqual([
      'Add(a, 2) leads to another state:',
      "  (count[a] + count[b])': specification 2, log 3",
    ])
  })

  test('tells the conjunct that assigns what the log saw otherwise', () => {
    const { text } = validate([{ action: 'Add', parameters: ['a', 2], state: { count: { a: 3 } } }])
    expect(text.slice(4, 7)).toEqual([
      'Add(a, 2) leads to another state:',
      "  count'[a]: specification 2, log 3",
      "  required by count' = [count EXCEPT ![n] = @ + amount] (Spec.tla:8:11)",
    ])
  })

  test('tells the nearest of the states that an action leads to', () => {
    const machine = machineOf(
      "EXTENDS Integers\nVARIABLES x, y\nInit == x = 0 /\\ y = 0\nNext == x' \\in {1, 2} /\\ y' \\in {1, 2}",
    )
    const seen = entries([{ action: 'Next', state: { x: 2, y: 3 } }])
    const { text } = validateTrace(machine, seen, { ...options, map: NO_MAP })
    expect(text.slice(4, 7)).toEqual([
      'Next leads to another state:',
      "  y': specification 1, log 3",
      "  required by y' \\in {1, 2} (Spec.tla:5:26)",
    ])
  })

  test('tells what cannot be evaluated where the relation takes a parameter', () => {
    const machine = machineOf(
      "EXTENDS Integers\nVARIABLE x\nInit == x = 0\nAct(k) == x' = k\nNext == \\E k \\in 1..(1 \\div x) : Act(k)",
    )
    const { verdict, text } = validateTrace(machine, entries([{ action: 'Act' }]), { ...options, map: NO_MAP })
    expect(verdict).toBe('divergence')
    expect(text.slice(4, 6)).toEqual(['Act cannot be taken:', '  division by zero: 1 \\div 0 (Spec.tla:6:22)'])
  })

  test('tells the conjunct that disables, with its values', () => {
    const { text } = validate([{ action: 'Reset' }])
    expect(text.slice(4, 6)).toEqual([
      'Reset is disabled:',
      '  last # Nobody is false, where last is Nobody (Spec.tla:10:15)',
    ])
  })

  test('keeps to the parameters with which the next-state relation takes an action', () => {
    const { verdict, text } = validate([{ action: 'Add', parameters: ['c', 1] }])
    expect(verdict).toBe('divergence')
    expect(text.slice(4, 6)).toEqual([
      'Add("c", 1) cannot be taken:',
      '  the next-state relation does not take it with these parameters: n \\in Names is false, where n is "c", Names is {a, b}',
    ])
  })

  test('whose expressions cannot be evaluated is refused, with the line', () => {
    expect(() => validate([{ action: 'Reset', steps: 0, state: { 'count[c] + 1': 1 } }])).toThrow(
      /^run.ndjson:1: count\[c\] \+ 1:1:7: `c` is not defined/,
    )
    expect(() => validate([{ steps: 0 }, { steps: 0, state: { 'count["c"] + 1': 1 } }])).toThrow(
      /^run.ndjson:2: .*which is not in its domain \{a, b\}/,
    )
    const begins = machineOf("EXTENDS Integers\nVARIABLE x\nInit == x = 1 \\div 0\nNext == x' = x")
    expect(() => validateTrace(begins, entries([{}]), { ...options, map: NO_MAP })).toThrow(
      /^run.ndjson:1: Spec.tla:4:13: division by zero/,
    )
    expect(() => validate([{ action: 'Add', parameters: [{ $tla: 'nobody' }, 1] }])).toThrow(
      /^run.ndjson:1: .*`nobody` is not defined/,
    )
  })

  test('is mapped with texts and values filled in', () => {
    const mapper: LogMapper = ({ who, by, total }) => ({
      action: 'Add',
      parameters: { n: who, amount: tla`${by} + 0` },
      state: { [`count[${who}]`]: total, [`count[a] - ${total} <= 9`]: true },
    })
    expect(
      validate(
        [
          { event: 'added', who: 'a', by: 2, total: 2 },
          { event: 'added', who: 'b', by: 1, total: 1 },
        ],
        mapper,
      ).verdict,
    ).toBe('behaviour')
  })
})
