/** Logs whose events mean several things, that begin in the middle, and that tell of messages only in part. */
import { describe, expect, test, vi } from 'vitest'
import { readTrace } from '../../src/trace-file.ts'
import { NO_MAP, readMap } from '../../src/validate/map-file.ts'
import { validateTrace } from '../../src/validate/validate-trace.ts'
import { machineOf } from '../specification.ts'

/** Servers that copy numbered entries to each other; a message with a higher term is first taken note of, then received. */
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

const RECEIVED = { from: '$.message.from', to: '$.message.to', term: '$.message.term' }
const MAP = {
  event: '$.name',
  sights: { node: { 'term[$.node]': '$.term', 'Len(log[$.node])': '$.length' } },
  events: {
    campaign: { action: 'Campaign', parameters: ['$.node'], state: 'node' },
    add: { action: 'Add', parameters: ['$.node'], state: ['node', { 'log[$.node][1]': '$.first' }] },
    send: [
      { when: { '$.message.kind': 'probe' }, action: 'Copy', parameters: ['$.node', '$.message.to', 0] },
      {
        when: { '$.message.kind': ['copy', 'snapshot'] },
        action: 'Copy',
        parameters: ['$.node', '$.message.to', null],
        where: 'count = $.message.count',
      },
    ],
    receive: [
      {
        unless: { '$.message.from': '$.node' },
        before: 'node',
        actions: [
          { action: 'Receive', parameters: [RECEIVED], steps: [0, 1], where: "network' = network" },
          {
            action: 'Receive',
            parameters: [RECEIVED],
            where: ['Len(m.entries) = $.message.count', "network' # network"],
          },
        ],
      },
      { when: { '$.message.from': '$.node' }, steps: 0 },
    ],
  },
}

function validate(entries: readonly object[], changed: object = {}) {
  const result = validateTrace(
    COPIES,
    readTrace('run.ndjson', entries.map((entry) => JSON.stringify(entry)).join('\n')),
    {
      specification: 'Copies.tla',
      path: 'run.ndjson',
      mapPath: 'map.json',
      map: readMap('map.json', JSON.stringify({ ...MAP, ...changed })),
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
  test('leaves one state open where its map tells what each event is', () => {
    const { verdict, text } = validate(RUN)
    expect(text).toBe(
      'run.ndjson is a behaviour of Copies.tla: 6 entries\n  it ends in one state; at most 1 state was open at once',
    )
    expect(verdict).toBe('behaviour')
  })

  test('that saw an expression otherwise: what assigns the variable that it is about is told', () => {
    const { text } = validate(changed(1, { length: 5 }))
    expect(text).toContain(`Add("1") leads elsewhere:
  Len(log["1"])': specification 1, log 5
  by log' = [log EXCEPT ![s] = @ \\o <<term[s]>>] (`)
    expect(validate(changed(0, { length: 5 })).text).toContain('log 5\n  by UNCHANGED log (')
  })

  test('that was not sent so: the nearest that was sent is told', () => {
    const { line, text } = validate(changed(4, { message: { ...message, term: 7 } }))
    expect(line).toBe(5)
    expect(text).toContain(
      [
        'Receive is not taken with such parameters; the nearest:',
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
    const events = {
      ...MAP.events,
      campaign: { action: 'Campaign', parameters: ['$.node'], where: "term'[s] = term[s] + 2" },
    }
    const { line, text } = validate(RUN, { events })
    expect(line).toBe(1)
    expect(text).toContain(
      'Campaign("1") leads elsewhere:\n  term\'[s] = term[s] + 2 is false, where term\'[s] is 1, term[s] + 2 is 2',
    )
  })

  test('of a server that there is not: what it is not of is told', () => {
    const { line, text } = validate(changed(3, { message: { ...message, to: '9' } }))
    expect(line).toBe(4)
    expect(text).toMatch(/does not take it with .*to \\in Servers is false, where to is "9", Servers is \{"1", "2"\}/)
  })

  test('with a parameter that the relation does not compute so: what it may be is told', () => {
    const { line, text } = validate(changed(3, { message: { ...message, kind: 'other', count: 7 } }), {
      events: {
        ...MAP.events,
        send: [
          ...MAP.events.send,
          {
            when: { '$.message.kind': 'other' },
            action: 'Copy',
            parameters: ['$.node', '$.message.to', '$.message.count'],
          },
        ],
      },
    })
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

  test('that no meaning is for', () => {
    expect(() => validate(changed(3, { message: { ...message, kind: 'vote' } }))).toThrow(
      /^run\.ndjson:4: the map has no meaning of the event 'send' for this entry: each has a `when`/,
    )
  })

  test('is no step where the map says so', () => {
    const run = changed(5, { message: { ...message, from: '2' } })
    expect(validate(run).verdict).toBe('behaviour')
  })

  test('has data that a condition cannot be asked about', () => {
    const { line, text } = validate(changed(3, { message: { ...message, count: 'many' } }))
    expect(line).toBe(4)
    expect(text).toMatch(/Copy cannot be taken:\n.*"many".*\(count = "many":1:1\)/)
  })
})

describe('a map', () => {
  test('says what a log that begins later begins with', () => {
    const initial = { term: '[s \\in Servers |-> 5]', log: '[s \\in Servers |-> <<term[s]>>]' }
    const later = { name: 'add', node: '2', term: 5, length: 2, first: 5 }
    expect(validate([later], { initial }).verdict).toBe('behaviour')
    const { text } = validate([{ ...later, term: 0 }], { initial })
    expect(text).toContain('term\'["2"]: specification 5, log 0')
  })

  test('says what all other entries stand for, those without an event among them', () => {
    const others = [
      { when: { '$.node': null }, steps: 0 },
      { action: '*', where: ["term' = [term EXCEPT ![$.node] = @ + 1]", "network' = network"], state: 'node' },
    ]
    const more = [{ node: '1', term: 1 }, { name: 'started' }, { name: 'unheard of', node: '2', term: 1 }, RUN[1]!]
    expect(validate(more, { others }).text).toContain('run.ndjson is a behaviour of Copies.tla: 4 entries')
    const { line, text } = validate([...more, { node: '1', term: 1 }], { others })
    expect(line).toBe(5)
    expect(text).toContain('term\'["1"]: specification 2, log 1')
  })

  test('finds places with names of any form', () => {
    const entry = { 'event.name': 'campaign', 'node-id': '1', term: 1 }
    const campaign = { action: 'Campaign', parameters: ['$["node-id"]'], state: { 'term[$["node-id"]]': '$.term' } }
    expect(validate([entry], { event: '$["event.name"]', events: { campaign } }).verdict).toBe('behaviour')
  })

  test('may ask for what no entry of this log has, if it says so', () => {
    const state = { 'term[$.node]': '$.term', 'Len(log[$.node])': '$.sizes.log' }
    const events = { campaign: { action: 'Campaign', parameters: ['$.node'], state } }
    expect(() => validate([RUN[0]!], { events })).toThrow('map.json: no entry of the trace has anything at $.sizes.log')
    expect(() => validate([RUN[0]!], { events, optional: ['$.size'] })).toThrow('at $.sizes.log')
    for (const place of ['$.sizes', '$.sizes.log']) {
      expect(validate([RUN[0]!], { events, optional: [place] }).verdict).toBe('behaviour')
    }
  })

  test('fills values into expressions, and not their texts', () => {
    const send = { action: 'Copy', parameters: ['$.node', '$.message.to', { $tla: '1 - $.less \\div 2' }] }
    const { line, text } = validate([...RUN.slice(0, 2), { ...RUN[3]!, less: -1 }], { events: { ...MAP.events, send } })
    expect(line).toBe(3)
    expect(text).toContain('Copy("1", "2", 2)')
  })

  test('takes texts for numbers where it says so, and entries in the order of a time', () => {
    const texts = RUN.slice(0, 2).map((one, at) => ({ ...one, term: '1', at: `${9 + at}` }))
    const [campaign, add] = texts
    const map = { numbers: ['$.term'], order: '$.at' }
    expect(validate([add!, campaign!], map).verdict).toBe('behaviour')
    expect(validate(texts, { ...map, numbers: [] }).text).toContain('term\'["1"]: specification 1, log "1"')
    expect(validate([{ ...campaign!, at: 11 }, add!], map)).toMatchObject({ verdict: 'divergence', line: 2 })
  })

  test('has words for data, everywhere or at one place only', () => {
    const campaign = { name: 'campaign', node: 1, term: 1, length: 0 }
    const values = { '$.node': { 1: '2' }, null: 1 }
    expect(validate([campaign], { values }).verdict).toBe('behaviour')
    expect(validate([{ ...campaign, term: null }], { values }).verdict).toBe('behaviour')
    expect(validate([campaign], { values: { 1: '2' } }).text).toContain('term\'["2"]: specification 1, log "2"')
  })

  test.each([
    [{ others: 'ignore' }, 'map.json: `others` is "fail", "skip", or what such an entry stands for'],
    [{ event: '$.event-name' }, 'map.json: `event` says where the name of an event stands, as in "$.msg"'],
    [
      { events: { campaign: { action: 'Campaign', parameters: ['$.node-id'] } } },
      'run.ndjson:1: \'$.node-id\' is no place: names of other forms stand as in $["node-id"]',
    ],
    [{ values: { '$.node-id': {} } }, 'map.json: `values` of a place are as in'],
    [{ numbers: ['$.term'], events: undefined }, 'map.json: `numbers` is for entries that `events` read'],
    [{ numbers: ['term'] }, 'map.json: `numbers` is a list of places'],
    [{ order: { clock: '$.vector' } }, 'map.json: `order` is the place of a time, "$.time", or as in {"clock": '],
    [{ optional: '$.node' }, 'map.json: `optional` is a list of places, as in ["$.term", "$.msg.index"]'],
    [{ others: [], events: {} }, "run.ndjson:1: the map has an empty list for the event 'campaign'"],
    [
      { event: '$.nam' },
      'run.ndjson:1: there is no text at $.nam, where the map says that the name of the event stands',
    ],
    [{ values: { '$.node': 's1' } }, 'map.json: `values` of a place are as in {"$.node": {"1": "s1"}}'],
    [
      { values: { '$.node': {} }, events: undefined },
      'map.json: `values` of a place are as in {"$.node": {"1": "s1"}}, for entries that `events` read',
    ],
    [{ initial: { tern: '0' } }, "map.json: `initial`: 'tern' is no variable; did you mean 'term'?"],
    [{ initial: { term: 5 } }, 'map.json: `initial` is an object by variables, of expressions'],
    [{ initial: { term: '[s \\in' } }, 'the initial value of term:1:7'],
    [{ sights: [] }, 'map.json: `sights` is as in {"node": {"term[$.node]": "$.term"}}'],
    [
      { sights: { nod: { term: 1 } } },
      'run.ndjson:1: `state` is an object by variables, as in {"commit": {"s2": 7}}, not "node"; did you mean \'nod\'?',
    ],
    [{ events: { campaign: { whn: {} } } }, "run.ndjson:1: unknown field 'whn'; did you mean 'when'?"],
    [{ events: { campaign: { when: 'node' } } }, 'run.ndjson:1: `when` is an object by places'],
    [
      { events: { campaign: { unless: { node: 1 } } } },
      'run.ndjson:1: `unless` is an object by places, as in {"$.msg.type": "MsgApp"}, not {"node":1}',
    ],
    [
      { events: { campaign: { action: 'Campaign', where: 3 } } },
      'run.ndjson:1: `where` is an expression over the parameters',
    ],
    [
      { events: { campaign: { where: 's = 1' } } },
      'run.ndjson:1: there is a `where`, and no step that it is about: `"action": "*"` is any',
    ],
    [
      { events: { campaign: { action: 'Campaign', where: 's' } } },
      'run.ndjson:1: `where`: s is "1", which is no condition',
    ],
    [
      { events: { campaign: { action: 'Campaign', where: 't = $.term' } } },
      'run.ndjson:1: t = 1:1:1: `t` is not defined',
    ],
  ])('is refused: %j', (wrong, problem) => {
    expect(() => validate(RUN.slice(0, 1), wrong)).toThrow(problem)
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
        mapPath: 'map.json',
        map: NO_MAP,
        width: 10,
        depthFirst: false,
      })
    expect(run('Other', 'Up', 'Other', 'Other', 'Back', 'Up').verdict).toBe('behaviour')
    expect(asked).toHaveBeenCalledTimes(2)
    expect(run('Up', 'Up', 'Other', 'Up')).toMatchObject({ verdict: 'broken invariant', line: 4 })
  })
})
