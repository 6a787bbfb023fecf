/** `norn tla follow` and `norn tla validate`, as a person calls them. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { parsed, project } from '../cli/project.ts'
import { raftTrace } from './raft-trace.ts'

const ROOT = resolve(import.meta.dirname, '../../../..')
const text = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const lines = (entries: readonly object[]) => `${entries.map((entry) => JSON.stringify(entry)).join('\n')}\n`

const here = project({
  'Lock.tla': text('examples/lock/Lock.tla'),
  'Lock.cfg': text('examples/lock/Lock.cfg'),
  'Raft.tla': text('models/RaftElection.tla').replace('MODULE RaftElection', 'MODULE Raft'),
  'Raft.cfg': text('models/RaftElectionTraces.cfg').replace(/MaxLength = \d+/, 'MaxLength = 200'),
})

async function call(command: 'follow' | 'validate', trace: string, ...more: readonly string[]) {
  here.write('run.ndjson', trace)
  const [specification = 'Lock.tla', ...options] = more
  return here.call(command, specification, '--trace', 'run.ndjson', ...options)
}

describe('norn tla follow', () => {
  test('prints the states that the actions lead to, as far as they change', async () => {
    const { status, stdout } = await call(
      'follow',
      lines([
        { action: 'Ask', parameters: ['a'] },
        { action: 'Ask', parameters: { c: 'b' } },
        { action: 'Grant', parameters: ['b'] },
      ]),
    )
    expect(stdout).toBe(
      `initial state
  /\\ holder = Nobody
  /\\ waiting = {}
line 1: Ask(a)
  /\\ waiting = {a}
line 2: Ask(b)
  /\\ waiting = {a, b}
line 3: Grant(b)
  /\\ holder = b
  /\\ waiting = {a}

followed 3 actions to 1 possible state
`,
    )
    expect(status).toBe(0)
  })

  test('tells where an action is disabled, by which conjunct', async () => {
    const trace = '[\n{"action": "Ask", "parameters": ["a"]},\n{"action": "Release", "parameters": ["a"]}\n]\n'
    const { status, stdout } = await call('follow', trace)
    expect(stdout.split('\n').slice(-4)).toEqual([
      '',
      'run.ndjson:3: Release(a) is disabled',
      '  holder = c is false, where holder is Nobody, c is a (Lock.tla:26:6)',
      '',
    ])
    expect(status).toBe(1)
  })

  test('tells the states as JSON', async () => {
    const { stdout } = await call(
      'follow',
      lines([
        { action: 'Ask', parameters: ['a'] },
        { action: 'Grant', parameters: ['b'] },
      ]),
      'Lock',
      '--json',
    )
    expect(parsed(stdout)).toEqual([
      { type: 'step', line: 0, action: 'Init', parameters: [], states: [{ holder: 'Nobody', waiting: [] }] },
      { type: 'step', line: 1, action: 'Ask', parameters: ['a'], states: [{ holder: 'Nobody', waiting: ['a'] }] },
      {
        type: 'end',
        result: 'disabled',
        line: 2,
        action: 'Grant',
        parameters: ['b'],
        reasons: [expect.stringContaining('c \\in waiting is false, where c is b, waiting is {a} (Lock.tla:20:6)')],
      },
    ])
  })

  test('tells all the states that a specification leaves open', async () => {
    here.write(
      'Coin.tla',
      "---- MODULE Coin ----\nVARIABLES side, tosses\nInit == side = 0 /\\ tosses = <<>>\nToss == side' \\in {0, 1} /\\ tosses' = <<side>>\nNext == Toss\n====\n",
    )
    here.write('Coin.cfg', 'INIT Init\nNEXT Next\n')
    const { status, stdout } = await call('follow', lines([{ action: 'Toss' }]), 'Coin')
    expect(stdout.split('\n').slice(3, 9)).toEqual([
      'line 1: Toss (2 states are possible)',
      '  state 1',
      '    /\\ tosses = <<0>>',
      '  state 2',
      '    /\\ side = 1',
      '    /\\ tosses = <<0>>',
    ])
    expect(status).toBe(0)
  })

  test.each([
    ['x \\in 1..2000', "x' = x", '', 3, 'run.ndjson: undecided: the specification has more than 1000 initial states'],
    ['x \\in {}', "x' = x", '', 3, 'run.ndjson: undecided: the specification has no initial state'],
    ['x = 1 \\div 0', "x' = x", '', 1, 'the initial states: Begin.tla:4:13: division by zero'],
    ['x = 0', "x' \\in 1..2000", '', 3, 'run.ndjson:1: undecided: the specification leaves more than 1000 states open'],
    [
      'x \\in {0, 1}',
      "x' \\in (600 * x)..(600 * x + 599)",
      '',
      3,
      'run.ndjson:1: undecided: more than 1000 states are open',
    ],
    ['x = 0', "x' = 1 \\div x", '', 1, 'run.ndjson:1: Step(): Begin.tla:5:14: division by zero'],
    ['x = 0', "x' = x", 'INVARIANT One', 1, 'an invariant is false in the initial state\n  One: x = 1'],
    ['x \\in {0, 1}', "1 > 2 /\\ x' = x", '', 1, 'run.ndjson:1: Step is disabled\n  1 > 2 is false'],
  ])('ends in words: Init == %s, Step == %s', async (init, step, section, expected, problem) => {
    here.write(
      'Begin.tla',
      `---- MODULE Begin ----\nEXTENDS Integers\nVARIABLE x\nInit == ${init}\nStep == ${step}\nNext == Step\nOne == x = 1\n====\n`,
    )
    here.write('Begin.cfg', `INIT Init\nNEXT Next\n${section}\n`)
    const { status, stdout } = await call('follow', lines([{ action: 'Step' }]), 'Begin')
    expect(stdout).toContain(problem)
    expect(status).toBe(expected)
    const json = await call('follow', lines([{ action: 'Step' }]), 'Begin', '--json')
    expect(parsed(json.stdout).at(-1)).toMatchObject({ type: 'end', reasons: [expect.any(String)] })
    expect(json.status).toBe(expected)
  })

  test('ends where an invariant is broken', async () => {
    const trace = lines([{ action: 'Ask', parameters: ['z'] }])
    const { status, stdout } = await call('follow', trace)
    expect(stdout).toContain('run.ndjson:1: an invariant is false after Ask(z)\n  TypeOK: waiting \\subseteq Clients')
    expect(status).toBe(1)
  })

  test.each([
    [
      '{"action":"Grnt","parameters":["a"]}\n',
      "run.ndjson:1: the specification has no action 'Grnt'; did you mean 'Grant'?",
    ],
    ['{"action":"Grant"}\n', 'run.ndjson:1: the action Grant takes 1 (c), but 0 given'],
    ['{"action":"Grant","parameters":{"d":"a"}}\n', "run.ndjson:1: the action Grant has no parameter 'd'"],
    [
      '{"action":"Grant","parameters":["a"],"state":{}}\n',
      'run.ndjson:1: `state` is a field of `validate` entries: remove it',
    ],
    [
      '{"event":"grant","to":"a"}\n',
      "run.ndjson:1: unknown field 'event': known are `action` and `parameters`; read other logs with `validate --map`",
    ],
    ['{"action":"Grant","parameters":[null]}\n', 'run.ndjson:1: parameter c of Grant: expected a value, found null'],
    ['{"parameters":["a"]}\n', 'run.ndjson:1: `action` is missing'],
    ['{"action":"Ask","parameters":["a"]}\nnonsense\n', 'run.ndjson:2: not valid JSON'],
    ['{"action":"Ask","para', 'run.ndjson:1: the last line is incomplete'],
    ['', 'run.ndjson: the trace is empty'],
  ])('refuses %j', async (trace, problem) => {
    const { status, stderr } = await call('follow', trace)
    expect(stderr).toContain(`norn-tla: ${problem}`)
    expect(stderr).not.toContain('internal error')
    expect(status).toBe(2)
  })
})

describe('norn tla validate', () => {
  test('takes a thousand entries of a Raft-like log', async () => {
    const { status, stdout } = await call('validate', lines(raftTrace(1000)), 'Raft')
    expect(stdout).toBe(
      'run.ndjson is a behaviour of Raft.tla: 1,000 entries\n  1 possible state at the end, at most 1 at once\n',
    )
    expect(status).toBe(0)
  })

  test('finds one wrong field among them, and names the line, the action, the conjunct and both values', async () => {
    const entries = raftTrace(1000)
    const wrong = entries.findIndex(({ action }, at) => at > 700 && action === 'Commit')
    entries[wrong]!.state.commit = { s1: 101 }
    const { status, stdout } = await call('validate', lines(entries), 'Raft')
    expect(stdout).toBe(`run.ndjson:704: Raft.tla does not allow this entry
  {"action":"Commit","parameters":["s1",1,100],"state":{"commit":{"s1":101},"Len(log[s1])":100}}
  no step from the only possible state before it matches

Commit(s1, 1, 100) leads to another state:
  commit'[s1]: specification 100, log 101
  required by commit' = [commit EXCEPT ![s] = index] (Raft.tla:236:6)

Changes by Commit(s1, 1, 100) in the specification:
  commit[s1]: 99 → 100

The steps before:
  line 701: CountAppended(s1, s2, 1, 100)
    match[s1][s2]: 99 → 100
  line 702: AcceptEntries(s3, s1, 1, 99)
    log[s3]: + 1 at the end
    commit[s3]: 98 → 99
    and 1 more
  line 703: CountAppended(s1, s3, 1, 100)
    match[s1][s3]: 99 → 100

With what the specification says at line 704, the 296 entries after it would fit.
`)
    expect(status).toBe(1)
  })

  test('needs only a part of the parameters', async () => {
    const entries = raftTrace(32).map((entry) => ({ ...entry, parameters: { s: entry.parameters[0], t: 1 } }))
    const { status, stdout } = await call(
      'validate',
      lines(entries),
      'Raft',
      '--constant',
      'MaxLength=6',
      '--depth-first',
    )
    expect(stdout).toContain('is a behaviour of Raft.tla: 32 entries')
    expect(status).toBe(0)
  })

  test('reads a log by a mapper, and says the verdict as JSON', async () => {
    here.write(
      'mapper.ts',
      `interface Line { readonly msg: string; readonly from: string; readonly to: string; readonly who: string }

export default ({ msg, from, to, who }: Line) => {
  if (msg === 'asked') return { action: 'Ask', parameters: [from] }
  if (msg === 'granted') return { action: 'Grant', parameters: [to], state: { holder: to } }
  return msg === 'gone' ? { action: 'Release', parameters: [who] } : undefined
}
`,
    )
    const log = lines([
      { at: 1, msg: 'asked', from: 'a' },
      { at: 2, msg: 'tick' },
      { at: 3, msg: 'granted', to: 'a' },
      { at: 4, msg: 'gone', who: 'b' },
    ])
    const { status, stdout } = await call('validate', log, 'Lock', '--map', 'mapper.ts', '--json')
    expect(parsed(stdout)).toMatchObject([
      {
        result: 'divergence',
        entries: 4,
        events: 3,
        skipped: 1,
        line: 4,
        reasons: [
          { kind: 'disabled', action: 'Release', call: 'Release(b)', conjunct: 'holder = c', at: 'Lock.tla:26:6' },
        ],
      },
    ])
    expect(status).toBe(1)
  })

  test('reads a log that is compressed, and one from a pipe', async () => {
    const log = lines([{ action: 'Ask', parameters: ['a'] }])
    here.write('run.ndjson.gz', gzipSync(log))
    const { status, stdout } = await here.call('validate', 'Lock', '--trace', 'run.ndjson.gz')
    expect(stdout).toContain('run.ndjson.gz is a behaviour of Lock.tla: 1 entry')
    expect(status).toBe(0)
    here.write('cut.gz', gzipSync(log).subarray(0, 20))
    expect(await here.call('validate', 'Lock', '--trace', 'cut.gz')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('norn-tla: cut.gz: unexpected end of file'),
    })
  })

  test('lets silent actions come between, and is undecided if more of them might help', async () => {
    const log = lines([
      { action: 'Grant', parameters: ['a'] },
      { action: 'Grant', parameters: ['b'] },
    ])
    expect(
      await call('validate', log, 'Lock', '--silent', 'Ask', '--silent', 'Release', '--silent-steps', '2'),
    ).toMatchObject({ status: 0 })
    const { status, stdout } = await call('validate', log, 'Lock', '--silent', 'Ask', '--silent', 'Release')
    expect(stdout).toContain('run.ndjson:2: undecided: nothing fits with at most 1 silent steps between entries')
    expect(status).toBe(3)
  })

  test.each([
    ['{"action":"Grant","parameters":["a"]}\n{"act', 'run.ndjson:2: the last line is incomplete'],
    ['{"action":"Grant","parameter":["a"]}\n', "run.ndjson:1: unknown field 'parameter'; did you mean 'parameters'?"],
    ['{"action":"Ask","state":{"hodler":"a"}}\n', "run.ndjson:1: 'hodler' is not a variable; did you mean 'holder'?"],
  ])('refuses %j', async (trace, problem) => {
    const { status, stderr } = await call('validate', trace)
    expect(stderr).toContain(`norn-tla: ${problem}`)
    expect(status).toBe(2)
  })

  test('refuses files that are not there, and mappers that are none', async () => {
    const trace = '{"action":"Ask","parameters":["a"]}\n'
    expect(await call('validate', trace, 'Nowhere')).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^norn-tla: no such file: Nowhere\.tla in \/.+\n$/),
    })
    here.write('map.json', '{}')
    here.write('none.js', 'export const mapper = () => undefined')
    here.write('broken.js', 'export default (')
    here.write('wrong.js', 'export default (line) => ({ acton: line.action })')
    for (const [mapper, problem] of [
      ['no.ts', 'norn-tla: no such file: no.ts'],
      ['map.json', 'norn-tla: map.json: a mapper is a TypeScript or JavaScript module, not JSON'],
      ['none.js', 'norn-tla: none.js: no default export'],
      ['broken.js', 'norn-tla: broken.js: cannot load it: '],
      ['wrong.js', 'norn-tla: run.ndjson:1: wrong.js returned {"acton":"Ask"}: unknown field \'acton\'; did you mean'],
    ] as const) {
      expect(await call('validate', trace, 'Lock', '--map', mapper)).toMatchObject({
        status: 2,
        stderr: expect.stringContaining(problem),
      })
    }
    expect(await call('validate', trace, 'Lock', '--silent', 'Asks')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("has no action 'Asks'; did you mean 'Ask'?"),
    })
  })
})

test.each(['follow', 'validate'] as const)(
  'norn tla %s --json says in its last line that a file is wrong',
  async (command) => {
    const { status, stdout, stderr } = await call(command, '{"action":', 'Lock.tla', '--json')
    expect(parsed(stdout)).toEqual([
      { type: 'end', result: 'refused', message: expect.stringContaining('run.ndjson:1') },
    ])
    expect(stderr).toContain('run.ndjson:1')
    expect(status).toBe(2)
  },
)

test.each([
  ['check', [], { type: 'result', result: 'refused', generated: 0, error: { message: "unknown option '--bogus'" } }],
  ['follow', ['--trace', 'run.ndjson'], { type: 'end', result: 'refused', message: "unknown option '--bogus'" }],
  ['validate', ['--trace', 'run.ndjson'], { type: 'end', result: 'refused', message: "unknown option '--bogus'" }],
] as const)('norn tla %s --json says in its last line that the call is wrong', async (command, more, line) => {
  const { status, stdout, stderr } = await here.call(command, 'Lock.tla', '--json', '--bogus', ...more)
  expect(parsed(stdout)).toMatchObject([line])
  expect(stderr).toContain("norn-tla: unknown option '--bogus'")
  expect(status).toBe(2)
})
