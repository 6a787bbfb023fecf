/**
 * Logs whose events mean several things, that begin in the middle, and that tell of messages only
 * in part.
 */
import { describe, expect, test, vi } from 'vitest'
import { readTrace } from '../../src/follow/trace-file.ts'
import { type LogMapper, logMap, NO_MAP } from '../../src/validate/log-map.ts'
import { tla } from '../../src/validate/tla-expression.ts'
import { validateTrace } from '../../src/validate/validate-trace.ts'
import { machineOf } from '../specification.ts'

/**
 * Servers that copy numbered entries to each other; a higher term is noted before its message is
 * received.
 */
const COPIES = machineOf(
  `EXTENDS Integers, Sequences, Bags
   CONSTANT Servers
   VARIABLES term, log, network
   Init == term = [s \\in Servers |-> 0] /\\ log = [s \\in Servers |-> <<>>] /\\ network = EmptyBag
   Put(m) == network' = network (+) SetToBag({m})
   Campaign(s) == term' = [term EXCEPT ![s] = @ + 1] /\\ UNCHANGED <<log, network>>
   Append(s) == log' = [log EXCEPT ![s] = Append_(@, term[s])] /\\ UNCHANGED <<term, network>>
   Copy(from, to, count) ==
     /\\ from # to
     /\\ Put([from |-> from, to |-> to, term |-> term[from], entries |-> SubSeq(log[from], 1, count)])
     /\\ UNCHANGED <<term, log>>
   Receive(m) ==
     \\/ /\\ m.term > term[m.to]
        /\\ term' = [term EXCEPT ![m.to] = m.term]
        /\\ UNCHANGED <<log, network>>
     \\/ /\\ m.term = term[m.to]
        /\\ log' = [log EXCEPT ![m.to] = m.entries]
        /\\ network' = network (-) SetToBag({m})
        /\\ UNCHANGED term
   Next == \\/ \\E s \\in Servers : Campaign(s) \\/ Append(s)
           \\/ \\E from, to \\in Servers : \\E count \\in 0..Len(log[from]) : Copy(from, to, count)
           \\/ \\E m \\in BagToSet(network) : Receive(m)`
    .replaceAll('Append_(@, term[s])', '@ \\o <<term[s]>>')
    .replaceAll('Append(s)', 'Add(s)'),
  'CONSTANT Servers = {"1", "2"}\nINIT Init\nNEXT Next\n',
)

interface Line {
  readonly name?: string
  readonly node: string
  readonly term?: unknown
  readonly length?: number
  readonly first?: number
  readonly message: { from: string; to: string; term: unknown; kind: string; count: unknown }
}

const seenAt = ({ node, term, length }: Line) => ({ [`term[${node}]`]: term, [`Len(log["${node}"])`]: length })

const MAPPER: LogMapper<Line> = (line) => {
  const { name, node, message } = line
  switch (name) {
    case 'campaign':
      return { action: 'Campaign', parameters: [node], state: seenAt(line) }
    case 'add':
      return { action: 'Add', parameters: [node], state: { ...seenAt(line), [`log[${node}][1]`]: line.first } }
    case 'send':
      return message.kind === 'probe'
        ? { action: 'Copy', parameters: [node, message.to, 0] }
        : { action: 'Copy', parameters: [node, message.to, null], where: tla`count = ${message.count}` }
    case 'receive': {
      if (message.from === node) return { steps: 0 }
      const { from, to, term, count } = message
      const received = { action: 'Receive', parameters: [{ from, to, term }] }
      return {
        before: seenAt(line),
        actions: [
          { ...received, steps: [0, 1], where: "network' = network" },
          { ...received, where: [tla`Len(m.entries) = ${count}`, "network' # network"] },
        ],
      }
    }
  }
}

function validate(entries: readonly object[], mapper: unknown = MAPPER, settings: unknown = {}) {
  const result = validateTrace(
    COPIES,
    readTrace('run.ndjson', entries.map((entry) => JSON.stringify(entry)).join('\n')),
    {
      specification: 'Copies.tla',
      path: 'run.ndjson',
      mapPath: 'mapper.ts',
      map: logMap('mapper.ts', mapper, settings),
      width: 100,
      depthFirst: false,
    },
  )
  return { ...result, text: result.text.join('\n') }
}

const message = { from: '1', to: '2', term: 1, kind: 'copy', count: 1 }
const RUN = [
  { name: 'campaign', node: '1', term: 1, length: 0 },
  { name: 'add', node: '1', term: 1, length: 1, first: 1 },
  { name: 'send', node: '1', message: { ...message, kind: 'probe', count: 0 } },
  { name: 'send', node: '1', message },
  { name: 'receive', node: '2', term: 0, length: 0, message },
  { name: 'receive', node: '2', term: 1, length: 1, message: { ...message, count: 0 } },
]
const changed = (at: number, entry: object) => RUN.map((one, index) => (index === at ? { ...one, ...entry } : one))

describe('a log of messages', () => {
  test('leaves one state open where its mapper says what each line is', () => {
    const { verdict, text } = validate(RUN)
    expect(text).toBe(
      'run.ndjson is a behaviour of Copies.tla: 6 entries\n  1 possible state at the end, at most 1 at once',
    )
    expect(verdict).toBe('behaviour')
  })

  test('that saw an expression otherwise: what assigns the variable that it is about is told', () => {
    const { text } = validate(changed(1, { length: 5 }))
    expect(text).toContain(`Add("1") leads to another state:
  Len(log["1"])': specification 1, log 5
  required by log' = [log EXCEPT ![s] = @ \\o <<term[s]>>] (`)
    expect(validate(changed(0, { length: 5 })).text).toContain('log 5\n  required by UNCHANGED log (')
  })

  test('that was not sent so: the nearest that was sent is told', () => {
    const { line, text } = validate(changed(4, { message: { ...message, term: 7 } }))
    expect(line).toBe(5)
    expect(text).toContain(
      [
        'Receive is never taken with these parameters; the nearest call:',
        '  Receive([entries |-> <<>>, from |-> "1", term |-> 1, to |-> "2"])',
        '  m.term: specification 1, log 7',
      ].join('\n'),
    )
  })

  test('that holds something else: the condition is told, with its values', () => {
    const { line, text } = validate(changed(4, { message: { ...message, count: 3 } }))
    expect(line).toBe(5)
    expect(text).toMatch(/Len\(m\.entries\) = 3 is false/)
  })

  test('that does something else to the state: the condition about the step is told', () => {
    const { line, text } = validate(RUN, ({ node }: Line) => ({
      action: 'Campaign',
      parameters: [node],
      where: "term'[s] = term[s] + 2",
    }))
    expect(line).toBe(1)
    expect(text).toContain(
      'Campaign("1") leads to another state:\n  term\'[s] = term[s] + 2 is false, where term\'[s] is 1, term[s] + 2 is 2',
    )
  })

  test('of a server that there is not: what it is not of is told', () => {
    const { line, text } = validate(changed(3, { message: { ...message, to: '9' } }))
    expect(line).toBe(4)
    expect(text).toMatch(/does not take it with .*to \\in Servers is false, where to is "9", Servers is \{"1", "2"\}/)
  })

  test('with a parameter that the relation does not compute so: what it may be is told', () => {
    const { line, text } = validate(changed(3, { message: { ...message, kind: 'other', count: 7 } }), (one: Line) =>
      one.message?.kind === 'other'
        ? { action: 'Copy', parameters: [one.node, one.message.to, one.message.count] }
        : MAPPER(one),
    )
    expect(line).toBe(4)
    expect(text).toContain(
      'Copy("1", "2", 7) cannot be taken:\n  the next-state relation does not take it with these parameters',
    )
    expect(text).toContain('count is 7')
  })

  test('with a field that is null, or of another type, as nothing was sent', () => {
    for (const [term, told] of [
      [null, 'null'],
      ['two', '"two"'],
      [1.5, '1.5'],
      [2 ** 40, '"1099511627776"'],
      [{ a: 1 }, '{"a":1}'],
    ] as const) {
      const { line, text } = validate(changed(4, { message: { ...message, term } }))
      expect(line).toBe(5)
      expect(text).toContain(`m.term: specification 1, log ${told}`)
    }
  })

  test('is no step where the mapper says so', () => {
    const run = changed(5, { message: { ...message, from: '2' } })
    expect(validate(run).verdict).toBe('behaviour')
  })

  test('has data that a condition cannot be asked about', () => {
    const { line, text } = validate(changed(3, { message: { ...message, count: 'many' } }))
    expect(line).toBe(4)
    expect(text).toMatch(/Copy cannot be taken:\n.*"many".*\(count = "many":1:1\)/)
  })
})

describe('a mapper', () => {
  test('comes with what a log that begins later begins with', () => {
    const initial = { term: '[s \\in Servers |-> 5]', log: '[s \\in Servers |-> <<term[s]>>]' }
    const later = { name: 'add', node: '2', term: 5, length: 2, first: 5 }
    expect(validate([later], MAPPER, { initial }).verdict).toBe('behaviour')
    const { text } = validate([{ ...later, term: 0 }], MAPPER, { initial })
    expect(text).toContain('term\'["2"]: specification 5, log 0')
  })

  test('may give any step for a line, with conditions on it', () => {
    const any = (line: Line) =>
      line.node === undefined
        ? { steps: 0 }
        : {
            action: '*',
            where: [tla`term' = [term EXCEPT ![${line.node}] = @ + 1]`, "network' = network"],
            state: seenAt(line),
          }
    const mapper = (line: Line) => MAPPER(line) ?? any(line)
    const more = [{ node: '1', term: 1 }, { name: 'started' }, { name: 'unheard of', node: '2', term: 1 }, RUN[1]!]
    expect(validate(more, mapper).text).toContain('run.ndjson is a behaviour of Copies.tla: 4 entries')
    const { line, text } = validate([...more, { node: '1', term: 1 }], mapper)
    expect(line).toBe(5)
    expect(text).toContain('term\'["1"]: specification 2, log 1')
  })

  test('may give several actions in order, or alternatives', () => {
    const both = [RUN[0]!, { name: 'grown', node: '1', length: 2 }]
    const add = { action: 'Add', parameters: ['1'] }
    const given = (mapped: unknown) => (line: Line) => (line.name === 'grown' ? mapped : MAPPER(line))
    const { verdict, json } = validate(both, given([add, add]))
    expect([verdict, json.entries]).toEqual(['behaviour', 2])
    expect(validate(both, given({ anyOf: [{ action: 'Campaign', parameters: ['9'] }, add] })).verdict).toBe('behaviour')
  })

  test('leaves lines out, fields that are undefined, and parameters that are', () => {
    const state = { 'term[1]': 1, 'log[1]': undefined }
    const mapper = ({ name }: Line) =>
      name === 'campaign' ? { action: 'Campaign', parameters: [undefined], state } : undefined
    expect(validate(RUN, mapper)).toMatchObject({ verdict: 'behaviour', json: { events: 1, skipped: 5 } })
    expect(validate(RUN, () => undefined).text).toContain('nothing was validated')
  })

  test('puts values into expressions, and not their texts', () => {
    const send = (line: Line & { less: number }) =>
      line.name === 'send'
        ? { action: 'Copy', parameters: [line.node, line.message.to, tla`1 - ${line.less} \div 2`] }
        : MAPPER(line)
    const { line, text } = validate([...RUN.slice(0, 2), { ...RUN[3]!, less: -1 }], send)
    expect(line).toBe(3)
    expect(text).toContain('Copy("1", "2", 2)')
  })

  test('orders lines by a time', () => {
    const [campaign, add] = RUN.slice(0, 2).map((one, at) => ({ ...one, at: `${9 + at}` }))
    const order = ({ at }: { at: string | number }) => at
    expect(validate([add!, campaign!], MAPPER, { order }).verdict).toBe('behaviour')
    expect(validate([{ ...campaign!, at: 11 }, add!], MAPPER, { order })).toMatchObject({
      verdict: 'divergence',
      line: 2,
    })
  })

  test.each([
    [5, 'run.ndjson:1: mapper.ts returned 5: expected an event such as { action: "Send" }, a list of actions'],
    [
      { acton: 'Add' },
      'run.ndjson:1: mapper.ts returned {"acton":"Add"}: unknown field \'acton\'; did you mean \'action\'?',
    ],
    [{ anyOf: [] }, 'run.ndjson:1: mapper.ts returned {"anyOf":[]}: `anyOf` must be a non-empty list of events'],
    [{ anyOf: [{}], state: {} }, "`anyOf` cannot be combined with 'state': put 'state' into the alternatives"],
    [['Add'], 'run.ndjson:1: mapper.ts returned ["Add"]: each item of `actions` must have an `action`'],
    [{ state: 'node' }, '`state` must be an object by variables, as in {"commit": {"s2": 7}}, found "node"'],
    [{ action: 'Campaign', where: 3 }, '`where` must be an expression over the parameters, or a list, found 3'],
    [{ where: 's = 1' }, '`where` without an action: name the action in `action`, or "*" for any step'],
    [{ action: 'Campaign', where: 's' }, 'run.ndjson:1: `where`: s is "1", but must be a boolean'],
    [{ action: 'Campaign', where: tla`t = ${1}` }, 't = 1:1:1: `t` is not defined'],
    [
      { action: 'Campaign', where: tla`s = ${undefined}` },
      "a value in 's = undefined': expected a value, found undefined",
    ],
  ])('that gives %j is refused', (given, problem) => {
    expect(() => validate(RUN.slice(0, 1), () => given)).toThrow(problem)
  })

  test('that throws is named, with the line of the log and its own', () => {
    const mapper = ({ message }: Line) => ({ action: message.kind })
    expect(() => validate(RUN.slice(0, 1), mapper)).toThrow(
      /^run\.ndjson:1: mapper\.ts threw for this line: TypeError: Cannot read .*'kind'.* \(at .*map-events\.test\.ts/,
    )
  })

  test.each([
    [5, {}, 'mapper.ts: the default export must be a function from a line of the log to an event'],
    [MAPPER, [], 'mapper.ts: `settings` must be an object'],
    [MAPPER, { silnt: {} }, "mapper.ts: unknown setting 'silnt'; did you mean 'silent'?"],
    [MAPPER, { order: '$.time' }, 'mapper.ts: `order` must be a function from a line to a time'],
    [MAPPER, { initial: { tern: '0' } }, "mapper.ts: `initial`: 'tern' is not a variable; did you mean 'term'?"],
    [MAPPER, { initial: { term: 5 } }, 'mapper.ts: `initial` must be an object of expressions by variable'],
    [MAPPER, { initial: { term: '[s \\in' } }, 'the initial value of term:1:7'],
    [MAPPER, { domains: { Add: 's' } }, 'mapper.ts: `domains` must be an object of sets by action and parameter'],
    [MAPPER, { silent: { actions: 'Add' } }, 'mapper.ts: `silent` must be as in { actions: ["Lose"], atMost: 2 }'],
  ])('with wrong settings is refused: %#', (mapper, settings, problem) => {
    expect(() => validate(RUN.slice(0, 1), mapper, settings)).toThrow(problem)
  })
})

describe('invariants along a log', () => {
  test('are asked again where a variable that they are about has changed, and only there', () => {
    const low = machineOf(
      `EXTENDS Integers
       VARIABLES x, y
       Init == x = 0 /\\ y = 0
       Up == x' = x + 1 /\\ y' = y
       Other == y' = y + 1 /\\ x' = x
       Back == x' = 0 /\\ y' = y
       Next == Up \\/ Other \\/ Back
       Low == x < 3`,
      'INIT Init\nNEXT Next\nINVARIANT Low\n',
    )
    const asked = vi.spyOn(low.invariants[0]!, 'holds')
    const run = (...actions: readonly string[]) =>
      validateTrace(low, readTrace('run.ndjson', actions.map((action) => JSON.stringify({ action })).join('\n')), {
        specification: 'Low.tla',
        path: 'run.ndjson',
        mapPath: 'mapper.ts',
        map: NO_MAP,
        width: 10,
        depthFirst: false,
      })
    expect(run('Other', 'Up', 'Other', 'Other', 'Back', 'Up').verdict).toBe('behaviour')
    expect(asked).toHaveBeenCalledTimes(2)
    expect(run('Up', 'Up', 'Other', 'Up')).toMatchObject({ verdict: 'broken invariant', line: 4 })
  })
})
