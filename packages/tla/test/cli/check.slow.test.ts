/** `norn tla check`: its options, its counts, its lines of JSON and how it ends. */
import { spawn } from 'node:child_process'
import { describe, expect, it, vi } from 'vitest'
import { ended, type Line, MAIN, parsed, project, start } from './project.ts'

const TWO_PHASE = String.raw`---- MODULE Commit ----
EXTENDS TLC
CONSTANT Managers
VARIABLES state, decision
vars == <<state, decision>>
Init == state = [m \in Managers |-> "working"] /\ decision = "none"
Prepare(m) == state[m] = "working" /\ state' = [state EXCEPT ![m] = "prepared"] /\ UNCHANGED decision
Commit == /\ decision = "none"
          /\ \A m \in Managers : state[m] = "prepared"
          /\ decision' = "commit"
          /\ UNCHANGED state
Abort == decision = "none" /\ decision' = "abort" /\ UNCHANGED state
Forget(m) == state[m] = "forgotten" /\ UNCHANGED vars
Next == Commit \/ Abort \/ \E m \in Managers : Prepare(m) \/ Forget(m)
Spec == Init /\ [][Next]_vars /\ WF_vars(Next)
TypeOK == decision \in {"none", "commit", "abort"}
Undecided == decision = "none"
NotAborted == decision # "abort"
Symmetry == Permutations(Managers)
View == decision
Alias == [decided |-> decision, count |-> 1]
Says == decision \in STRING /\ PrintT("hello")
Decided == <>(decision # "none")
====
`
const CONFIGURATION = 'CONSTANT Managers = {m1, m2}\nSPECIFICATION Spec\nINVARIANT TypeOK\nCHECK_DEADLOCK FALSE\n'

/** Has no end, and says when it begins. */
const GROWS = String.raw`---- MODULE Grows ----
EXTENDS Naturals, TLC
VARIABLES x, y
Init == x = 0 /\ y = 0 /\ PrintT("begun")
Next == \/ x' = x + 1 /\ y' = y
        \/ y' = y + 1 /\ x' = x
====
`

const here = project({ 'Commit.tla': TWO_PHASE, 'Commit.cfg': CONFIGURATION })

/** The last line of JSON. */
async function result(...options: string[]): Promise<Line> {
  const { status, stdout, stderr } = await here.call('check', 'Commit', '--json', ...options)
  return { status, stderr, ...parsed(stdout).at(-1)! }
}

describe('norn tla check', () => {
  it('counts as TLC does, and ends with 0 where nothing is wrong', async () => {
    expect(await result()).toMatchObject({
      status: 0,
      type: 'result',
      result: 'passed',
      generated: 14,
      distinct: 9,
      depth: 4,
      queue: 0,
      unchecked: [],
      fairness: ['WF_vars(Next)'],
    })
  })

  it('says the same to a person, and what passed is worth', async () => {
    const { status, stdout } = await here.call('check', 'Commit.tla')
    expect(stdout.replace(/\(\S+ s\)/, '(… s)')).toBe(
      [
        '✓ 9 distinct states, 14 generated, depth 4, no error (… s)',
        '  ! fairness without effect on safety: WF_vars(Next)',
        '  ! never enabled: Forget(m) (Commit.tla:13:14)',
        '',
      ].join('\n'),
    )
    expect(status).toBe(0)
  })

  it('gives the behaviour as data', async () => {
    const line = await result('--invariant', 'NotAborted')
    expect(line).toMatchObject({ status: 1, result: 'invariant', name: 'NotAborted', values: { decision: '"abort"' } })
    expect(line.behaviour).toEqual([
      { action: null, state: { decision: 'none', state: { m1: 'working', m2: 'working' } } },
      {
        action: 'Abort',
        call: 'Abort',
        at: { file: 'Commit.tla', line: 12, column: 10, endLine: 12, endColumn: 68 },
        state: { decision: 'abort', state: { m1: 'working', m2: 'working' } },
      },
    ])
  })

  it('takes what to check from options, beside the configuration or without one', async () => {
    const alone = ['--config', 'none.cfg']
    here.write('none.cfg', '')
    const said = ['--init', 'Init', '--next', 'Next', '--constant', 'Managers={m1}', '--no-deadlock']
    expect(await result(...alone, ...said)).toMatchObject({ status: 0, distinct: 5 })
    expect(await result('--constant', 'Managers = {a, b, c}')).toMatchObject({ distinct: 17 })
    expect(await result('--invariant', 'Undecided')).toMatchObject({
      status: 1,
      result: 'invariant',
      name: 'Undecided',
    })
    expect(await result('--init', 'TypeOK /\\')).toMatchObject({ status: 2, result: 'refused' })
  })

  it('honours symmetry, view and constraints', async () => {
    const configured = (more: string) => here.write('Other.cfg', `${CONFIGURATION}${more}\n`)
    configured('SYMMETRY Symmetry')
    expect(await result('--config', 'Other.cfg')).toMatchObject({ status: 0, distinct: 7 })
    configured('VIEW View')
    expect(await result('--config', 'Other')).toMatchObject({ status: 0, distinct: 2 })
    configured('CONSTRAINT Undecided')
    expect(await result('--config', 'Other.cfg')).toMatchObject({ status: 0, distinct: 4 })
    configured('INVARIANT NotAborted ALIAS Alias')
    const { stdout } = await here.call('check', 'Commit', '--config', 'Other.cfg')
    expect(stdout).toContain('State 1: <Initial predicate>\n/\\ count = 1\n/\\ decided = "none"\n')
    expect(stdout).toContain('of module Commit>\n/\\ decided = "abort"\n\n')
    configured('PROPERTY Decided')
    expect(await result('--config', 'Other.cfg')).toMatchObject({
      status: 3,
      result: 'incomplete',
      unchecked: ['Decided'],
    })
  })

  it.skipIf(process.platform === 'win32')(
    'reads a configuration that another command writes, as shells give it',
    async () => {
      const line = 'cat Commit.cfg | "$0" "$1" check Commit --config /dev/stdin --json'
      const { status, stdout } = await ended(
        spawn('sh', ['-c', line, process.execPath, MAIN], { cwd: here.root, stdio: ['ignore', 'pipe', 'pipe'] }),
      )
      expect(parsed(stdout).at(-1)).toMatchObject({ result: 'passed', distinct: 9 })
      expect(status).toBe(0)
    },
  )

  it('finds a deadlock unless it is told that behaviours may end', async () => {
    here.write('Other.cfg', CONFIGURATION.replace('CHECK_DEADLOCK FALSE', ''))
    const line = await result('--config', 'Other.cfg')
    expect(line).toMatchObject({ status: 1, result: 'deadlock' })
    expect(line.behaviour.at(-1).state).toEqual({ decision: 'abort', state: { m1: 'prepared', m2: 'prepared' } })
    expect(await result('--config', 'Other.cfg', '--no-deadlock')).toMatchObject({ status: 0, result: 'passed' })
  })

  it('ends with 3 at a bound, and names it', async () => {
    expect(await result('--depth', '2')).toMatchObject({ status: 3, result: 'bound', bound: 'depth', distinct: 4 })
    expect(await result('--states', '5')).toMatchObject({ status: 3, result: 'bound', bound: 'states', distinct: 5 })
    expect(await result('--states', '9')).toMatchObject({ status: 0, result: 'passed' })
  })

  it('ends with 3 where its memory ends', async () => {
    here.write('Grows.tla', GROWS)
    const { status, stdout } = await here.call(
      ...['check', 'Grows', '--init', 'Init', '--next', 'Next', '--memory', '1', '--json'],
    )
    expect(parsed(stdout).at(-1)).toMatchObject({ result: 'bound', bound: 'memory' })
    expect(status).toBe(3)
  })

  it('ends with a message where values fill the heap of Node: in all, or in one expression, with its place', async () => {
    here.write(
      'Fills.tla',
      String.raw`---- MODULE Fills ----
EXTENDS Naturals, Sequences
VARIABLE q
Init == q = <<>>
Next == \E i \in 1..10 : q' = Append(q, i)
InTurn == (\A f \in [1..7 -> 1..7] : f[1] < 9) /\ q' = q
AtOnce == q' = {f \in [1..7 -> 1..7] : f[1] # 8}
RECURSIVE Build(_, _)
Build(n, s) == IF n = 0 THEN s ELSE Build(n - 1, Append(s, <<n, s>>))
Long == \E i \in 1..900 : q' = Build(i, <<q, i>>)
====
`,
    )
    vi.stubEnv('NODE_OPTIONS', '--max-old-space-size=64')
    try {
      const check = (next: string, ...more: string[]) =>
        here.tla('check', 'Fills', '--init', 'Init', '--next', next, '--json', ...more)
      for (const next of ['Next', 'Long']) {
        const all = await check(next)
        expect(parsed(all.stdout).at(-1)).toMatchObject({ result: 'bound', bound: 'memory' })
        expect(all.status).toBe(3)
      }
      // Some 800,000 functions, of which nobody holds more than one.
      const inTurn = await check('InTurn')
      expect(parsed(inTurn.stdout).at(-1)).toMatchObject({ result: 'passed', distinct: 1 })
      const atOnce = await check('AtOnce')
      const { result, error } = parsed(atOnce.stdout).at(-1)!
      expect(result).toBe('error')
      expect(error).toMatchObject({
        at: { line: 7, column: 16 },
        message: expect.stringContaining('more values than memory'),
      })
      expect(atOnce.status).toBe(1)
      // It is started anew with a heap of that size.
      const more = await check('Next', '--memory', '2000', '--states', '400000')
      expect(parsed(more.stdout).at(-1)).toMatchObject({ result: 'bound', bound: 'states', distinct: 400_000 })
    } finally {
      vi.unstubAllEnvs()
    }
  })

  it('ends when its time is up, also within one expression', async () => {
    here.write(
      'Slow.tla',
      String.raw`---- MODULE Slow ----
EXTENDS Naturals, FiniteSets
VARIABLE x
Init == x = 0
Next == x' = Cardinality({s \in SUBSET (1..40) : Cardinality(s) = 41})
====
`,
    )
    const { status, stdout } = await here.call(
      ...['check', 'Slow', '--init', 'Init', '--next', 'Next', '--time', '100ms', '--json'],
    )
    expect(parsed(stdout).at(-1)).toMatchObject({ result: 'bound', bound: 'time', distinct: 1 })
    expect(status).toBe(3)
  })

  it('tells on Ctrl-C what was explored so far', async () => {
    here.write('Grows.tla', GROWS)
    const child = start(here.root, ['check', 'Grows', '--init', 'Init', '--next', 'Next'])
    const whole = ended(child)
    await new Promise((done) => child.stdout!.once('data', done))
    setTimeout(() => child.kill('SIGINT'), 200)
    const { status, stdout } = await whole
    expect(stdout).toMatch(/\? interrupted: not everything was explored\n\n[\d,]+ distinct states?, [\d,]+ generated/)
    expect(status).toBe(3)
  })

  it('keeps what the specification prints out of the lines of JSON', async () => {
    here.write('Other.cfg', `${CONFIGURATION}CONSTRAINT Says\n`)
    const line = await result('--config', 'Other.cfg', '--depth', '1')
    expect(line.stderr).toBe('"hello"\n')
    const { stdout } = await here.call('check', 'Commit', '--config', 'Other.cfg', '--depth', '1')
    expect(stdout).toMatch(/^"hello"\n/)
  })

  it('prints nothing again while it works out a behaviour', async () => {
    here.write('Other.cfg', `${CONFIGURATION}INVARIANT Says NotAborted\n`)
    const { stdout } = await here.call('check', 'Commit', '--config', 'Other.cfg')
    // The states that were found up to the one that aborts: the initial one, and the first of the
    // second level.
    expect(stdout.match(/"hello"/g)).toHaveLength(2)
  })

  it('lists how often each action was taken', async () => {
    const { stdout } = await here.call('check', 'Commit', '--coverage')
    expect(stdout.slice(stdout.indexOf('How often'))).toBe(
      [
        'How often each action was taken, gave a new state, and in how many states it was enabled:',
        '  taken  new states  enabled in  action',
        '      1           1           1  Commit (Commit.tla:8:11)',
        '      4           1           4  Abort (Commit.tla:12:10)',
        '      8           6           6  Prepare(m) (Commit.tla:7:15)',
        '      0           0           0  Forget(m) (Commit.tla:13:14): never enabled',
        '',
      ].join('\n'),
    )
    const { coverage } = await result('--coverage')
    expect(coverage[2]).toMatchObject({ action: 'Prepare', taken: 8, found: 6, enabled: 6, at: { line: 7 } })
  })

  it('simulates, the same for the same seed', async () => {
    const run = async (...options: string[]) => {
      const { seconds, ...line } = await result('--simulate', '20', ...options)
      expect(seconds).toBeGreaterThan(0)
      return line
    }
    const first = await run('--seed', '7')
    expect(first).toMatchObject({ status: 0, result: 'passed', behaviours: 20, depth: 4 })
    expect(await run('--seed', '7')).toEqual(first)
    expect(await run('--seed', '8')).not.toEqual(first)
    expect(await run('--depth', '2')).toMatchObject({ depth: 2 })
    expect(await run('--invariant', 'NotAborted')).toMatchObject({ status: 1, result: 'invariant', name: 'NotAborted' })
  })

  it('refuses a wrong call in a line, and as a line of JSON', async () => {
    const missing = await here.call('check', 'Comit')
    expect(missing).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(/^norn-tla: no such file: Comit\.tla in /),
    })
    expect(await result('--config', 'absent.cfg')).toMatchObject({
      status: 2,
      result: 'refused',
      generated: 0,
      distinct: 0,
      depth: 0,
      error: { kind: 'call', message: '--config absent.cfg: no such file' },
    })
    const wrong = await here.call('check', 'Commit', '--depth', 'deep')
    expect(wrong.stderr).toContain('--depth deep: expected a whole number from 1')
    expect(wrong.stderr).toContain('Run `norn-tla check --help` for options.')
    expect(wrong.status).toBe(2)
  })
})
