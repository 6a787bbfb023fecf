import { describe, expect, test } from 'vitest'
import { readTrace } from '../../src/follow/trace-file.ts'
import { type LogMapper, type LogSettings, logMap, NO_MAP } from '../../src/validate/log-map.ts'
import { validateTrace } from '../../src/validate/validate-trace.ts'
import { type HandMade, handMade, type PlainState } from '../follow/hand-made.ts'

/** A counter of what was sent and what has arrived; messages may be lost unseen. */
type Network = { readonly sent: number; readonly under: number; readonly received: Readonly<Record<string, number>> }

const NETWORK: HandMade = {
  initial: [{ sent: 0, under: 0, received: { a: 0, b: 0 } }],
  modelValues: [],
  actions: {
    Send: {
      parameters: ['count'],
      step: (state, count: number) => {
        const { sent, under } = state as Network
        return sent + count > 9 ? 'sent + count <= 9' : [{ ...state, sent: sent + count, under: under + count }]
      },
    },
    Receive: {
      parameters: ['by'],
      step: (state, by: string) => {
        const { under, received } = state as Network
        if (under === 0) return 'under > 0'
        return [{ ...state, under: under - 1, received: { ...received, [by]: received[by]! + 1 } }]
      },
    },
    Lose: { parameters: [], step: (state) => ((state as Network).under === 0 ? 'under > 0' : [less(state)]) },
  },
}

function less(state: PlainState): PlainState {
  return { ...state, under: (state as Network).under - 1 }
}

interface Options {
  readonly mapper?: LogMapper
  readonly settings?: LogSettings
  readonly made?: Partial<HandMade>
  readonly width?: number
}

function validate(lines: readonly object[], { mapper, settings, made = {}, width = 100 }: Options = {}) {
  const text = lines.map((line) => JSON.stringify(line)).join('\n')
  const options = {
    specification: 'Network.tla',
    path: 'run.ndjson',
    mapPath: 'mapper.ts',
    map: logMap('mapper.ts', mapper, settings),
    width,
  }
  const run = (depthFirst: boolean) =>
    validateTrace(handMade({ ...NETWORK, ...made }), readTrace('run.ndjson', text), { ...options, depthFirst })
  const [breadth, depth] = [run(false), run(true)]
  expect(depth.verdict).toBe(breadth.verdict)
  expect(depth.line).toBe(breadth.line)
  if (depth.verdict === 'divergence') expect(depth.json.states).toBe(breadth.json.states)
  return breadth
}

describe('a trace that is a behaviour', () => {
  test('names actions, and sees parts of states', () => {
    const { verdict, text } = validate([
      { action: 'Send', parameters: [2], state: { sent: 2 } },
      { action: 'Receive', parameters: { by: 'b' }, before: { under: 2 }, state: { received: { b: 1 }, under: 1 } },
      { action: 'Receive', parameters: ['a'], state: { 'received.a': 1, 'received[b]': 1 } },
    ])
    expect(verdict).toBe('behaviour')
    expect(text).toEqual([
      'run.ndjson is a behaviour of Network.tla: 3 entries',
      '  1 possible state at the end, at most 1 at once',
    ])
  })

  test('may leave silent actions out, as many as the settings allow', () => {
    const lines = [
      { action: 'Send', parameters: [3] },
      { action: 'Receive', parameters: ['a'], state: { under: 0 } },
    ]
    expect(validate(lines, { settings: { silent: { actions: ['Lose'], atMost: 2 } } }).verdict).toBe('behaviour')
    const short = validate(lines, { settings: { silent: { actions: ['Lose'], atMost: 1 } } })
    expect(short.verdict).toBe('undecided')
    expect(short.text[0]).toContain(
      'nothing fits with at most 1 silent steps between entries, and more were possible from line 2 on',
    )
  })

  test('has lines that stand for no step, for several, for any of some, and for many in a row', () => {
    const { verdict } = validate([
      { steps: 0, action: 'Send', state: { sent: 0 } },
      { action: 'Send', parameters: [1], steps: 3, state: { sent: 3 } },
      { action: 'Receive', parameters: ['a'], steps: [0, 5], state: { under: 1 } },
      { actions: [{ action: 'Send', parameters: [1] }, { action: 'Lose' }], state: { under: 1, sent: 4 } },
    ])
    expect(verdict).toBe('behaviour')
  })
})

describe('the initial states', () => {
  const begin = (under: number) => ({ sent: 9, under, received: { a: 0, b: 0 } })

  test('are those that silent steps may lead on from, too', () => {
    const made = { initial: [begin(5), begin(2)] }
    const lines = [{ action: 'Receive', parameters: ['a'], before: { under: 1 } }]
    expect(validate(lines, { made, settings: { silent: { actions: ['Lose'], atMost: 1 } } }).verdict).toBe('behaviour')
    expect(validate(lines, { made }).verdict).toBe('divergence')
  })

  test('may be many, if the first entry tells which they are', () => {
    const made = { initial: Array.from({ length: 200 }, (_, under) => begin(under)) }
    expect(validate([{ steps: 0, state: { under: 7 } }], { made }).verdict).toBe('behaviour')
    expect(validate([{ action: 'Lose', before: { under: 7 } }], { made }).verdict).toBe('behaviour')
  })
})

describe('depth-first', () => {
  const lost = (times: number) => Array.from({ length: times }, () => ({ action: 'Lose', steps: [0, 1] }))

  test('tries no state twice at one entry, and stops where all are tried', () => {
    const lines = [{ action: 'Send', parameters: [5] }, ...lost(16), { steps: 0, state: { under: -1 } }]
    const { verdict, json } = validate(lines)
    expect(verdict).toBe('divergence')
    expect(json.states).toBe(6)
  })

  test('is undecided after so many states', () => {
    const trace = [{ action: 'Send', parameters: [9] }, ...lost(30), { steps: 0, state: { under: -1 } }]
    const entries = readTrace('run.ndjson', trace.map((line) => JSON.stringify(line)).join('\n'))
    const { verdict, text } = validateTrace(handMade(NETWORK), entries, {
      specification: 'Network.tla',
      path: 'run.ndjson',
      mapPath: 'mapper.ts',
      map: NO_MAP,
      width: 2,
      depthFirst: true,
    })
    expect(verdict).toBe('undecided')
    expect(text[0]).toContain('more than 200 states were tried: raise --width')
  })

  test('tells an invariant that is broken where all else is stuck', () => {
    const made = { invariants: { None: ({ received }: PlainState) => (received as { a: number }).a === 0 } }
    const lines = [{ action: 'Send', parameters: [1] }, ...lost(1), { action: 'Receive', parameters: ['a'] }]
    const { verdict, line } = validate(lines, { made })
    expect({ verdict, line }).toEqual({ verdict: 'broken invariant', line: 3 })
  })
})

describe('a trace that is no behaviour', () => {
  test('tells the line, the action, the conjunct and both values', () => {
    const { verdict, line, text } = validate([
      { action: 'Send', parameters: [2] },
      { action: 'Send', parameters: [1] },
      { action: 'Receive', parameters: ['a'], state: { under: 2, received: { a: 2 } } },
      { action: 'Receive', parameters: ['b'], state: { received: { b: 1 } } },
    ])
    expect(verdict).toBe('divergence')
    expect(line).toBe(3)
    expect(text).toEqual([
      'run.ndjson:3: Network.tla does not allow this entry',
      '  {"action":"Receive","parameters":["a"],"state":{"under":2,"received":{"a":2}}}',
      '  no step from the only possible state before it matches',
      '',
      'Receive("a") leads to another state:',
      "  received'.a: specification 1, log 2",
      "  required by received' = … (Hand.tla:1:1)",
      '',
      'Changes by Receive("a") in the specification:',
      '  under: 3 → 2',
      '  received.a: 0 → 1',
      '',
      'The steps before:',
      '  line 1: Send(2)',
      '    sent: 0 → 2',
      '    under: 0 → 2',
      '  line 2: Send(1)',
      '    sent: 2 → 3',
      '    under: 2 → 3',
      '',
      'With what the specification says at line 3, the entry after it would fit.',
    ])
  })

  test('tells which conjunct disables it', () => {
    const { line, text } = validate([
      { action: 'Send', parameters: [1] },
      { action: 'Receive', parameters: ['a'] },
      { action: 'Lose' },
    ])
    expect(line).toBe(3)
    expect(text.slice(3, 6)).toEqual(['', 'Lose is disabled:', '  under > 0 is false (Hand.tla:1:1)'])
  })

  test('tells what was otherwise before', () => {
    const { text } = validate([{ action: 'Send', parameters: [1], before: { sent: 1 } }])
    expect(text.slice(3)).toEqual(['', 'The state before it differs from the log:', '  sent: specification 0, log 1'])
  })

  test('keeps to the steps of a composed entry that can be taken', () => {
    const { text } = validate([
      { actions: [{ action: 'Send', parameters: [1] }, { action: 'Lose' }, { action: 'Lose' }] },
    ])
    expect(text.slice(3, 6)).toEqual(['', 'Lose is disabled:', '  under > 0 is false (Hand.tla:1:1)'])
  })

  test('holds invariants in the states that are left alone', () => {
    const made = { invariants: { Few: ({ under }: PlainState) => (under as number) < 3 } }
    const lines = [
      { action: 'Send', parameters: [2] },
      { action: 'Send', parameters: [2] },
    ]
    const { verdict, text } = validate(lines, { made })
    expect(verdict).toBe('broken invariant')
    expect(text[0]).toBe('run.ndjson:2: the invariant Few is false after this entry')
    const settings = { silent: { actions: ['Lose'], atMost: 2 } }
    expect(validate(lines, { made, settings }).verdict).toBe('behaviour')
  })

  test('is told where two of too many open states part, however long ago', () => {
    const sent = [1, 2].map((count) => ({ action: 'Send', parameters: [count] }))
    const mapper: LogMapper = ({ event }) => (event === 'sent' ? { anyOf: sent } : { action: 'Lose', steps: [0, 1] })
    const log = [{ event: 'sent' }, { event: 'lost' }].map((entry) => JSON.stringify(entry)).join('\n')
    const { text } = validateTrace(handMade(NETWORK), readTrace('run.ndjson', log), {
      specification: 'Network.tla',
      path: 'run.ndjson',
      mapPath: 'mapper.ts',
      map: logMap('mapper.ts', mapper),
      width: 3,
      depthFirst: false,
    })
    expect(text[0]).toContain('run.ndjson:2: undecided: more than 3 states are open at once')
    expect(text.slice(1)).toEqual([
      '',
      'Two of these states differ:',
      '  sent: 1 → 2',
      '  under: 1 → 2',
      'They diverge here:',
      '  Send(1) (line 1) leads to the first',
      '  Send(2) (line 1) leads to the second',
    ])
  })

  test('is undecided where more states are open than may be', () => {
    const { verdict, text } = validate(
      [{ action: 'Send', parameters: [9] }, { action: 'Lose', steps: [0, 9] }, { steps: 0 }],
      {
        width: 5,
      },
    )
    expect(verdict).toBe('undecided')
    expect(text).toEqual([
      'run.ndjson:2: undecided: more than 5 states are open at once: raise --width, or try --depth-first, which may need fewer',
      '',
      'Two of these states differ:',
      '  under: 9 → 8',
      'They diverge here:',
      '  taking no step leads to the first',
      '  Lose (line 2) leads to the second',
    ])
  })
})

test('a mapper makes steps of the lines of any log', () => {
  const mapper: LogMapper = ({ msg, n, total, node, count }) => {
    switch (msg) {
      case 'sent':
        return { action: 'Send', parameters: { count: n }, state: { sent: total } }
      case 'got':
        return { action: 'Receive', parameters: [node], state: { [`received.${node}`]: count } }
      case 'either':
        return { anyOf: [{ action: 'Lose' }, { action: 'Send', parameters: [1] }] }
    }
  }
  const { verdict, json } = validate(
    [
      { msg: 'sent', n: 2, total: 2 },
      { msg: 'tick', at: 17 },
      { msg: 'got', node: 'a', count: 1 },
      { msg: 'either' },
      { msg: 'sent', n: 1 },
    ],
    { mapper },
  )
  expect(verdict).toBe('behaviour')
  expect(json).toMatchObject({ entries: 5, events: 4, skipped: 1 })
})

describe('an entry that is not as it must be', () => {
  test.each([
    [{ action: 'Sned' }, "the specification has no action 'Sned'; did you mean 'Send'?"],
    [{ action: 'Send', parameters: [1, 2] }, 'the action Send takes 1 (count), but 2 given'],
    [{ action: 'Send', parameters: { counts: 1 } }, "the action Send has no parameter 'counts'; did you mean 'count'?"],
    [{ action: 'Send', parameters: [1], state: { snet: 1 } }, "'snet' is not a variable; did you mean 'sent'?"],
    [{ action: 'Send', parameters: [1], states: { sent: 1 } }, "unknown field 'states'; did you mean 'state'?"],
    [{ action: 'Lose', steps: -1 }, '`steps` must be a number from 0 to 100 or [least, most], found -1'],
    [{ action: 'Lose', steps: [3, 1] }, '`steps` must be a number from 0 to 100 or [least, most], found [3,1]'],
    [{ actions: [{ action: 'Lose', state: {} }] }, "unknown field 'state' in `actions`"],
    [{ parameters: [1] }, '`parameters` without an action: name the action in `action`'],
  ])('%j', (entry, problem) => {
    expect(() => validate([entry])).toThrow(`run.ndjson:1: ${problem}`)
  })

  test('needs to be told what a parameter may be', () => {
    expect(() => validate([{ action: 'Send' }])).toThrow(
      'the parameter count of Send is not in the trace, and its possible values do not follow from the next-state relation',
    )
  })
})
