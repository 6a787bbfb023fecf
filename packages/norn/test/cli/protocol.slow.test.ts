/** `norn protocol check`: what it tells the author of a harness. */
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parsed, project } from './project.ts'

const FIXTURE = resolve(import.meta.dirname, '../cluster/fixtures/program.mjs')
const here = project({})

async function check(mode: string, where: string, ...options: string[]) {
  const call = ['protocol', 'check', '--json', ...options, '--', process.execPath, FIXTURE, mode, where]
  const { status, stdout, stderr } = await here.call(...call)
  expect(stderr).toBe('')
  const lines = parsed(stdout)
  const wrong = lines.filter(({ verdict }) => verdict === 'failed' || verdict === 'warning')
  return { status, lines, wrong }
}

describe('norn protocol check', () => {
  it('finds nothing wrong with a program that does all', async () => {
    const { status, lines } = await check('right', '0', '--request', '1')
    expect(lines.map(({ type, check, verdict }) => (type === 'end' ? type : `${verdict} ${check}`))).toEqual([
      'passed handshake',
      'passed unknown command',
      'passed large command',
      'passed executions',
      'passed requests',
      'passed reset',
      'passed determinism',
      'passed crashes',
      'skipped batches',
      'passed speed',
      'passed end',
      'end',
    ])
    expect(lines.at(-1)).toEqual({ type: 'end', status: 0, failed: 0, warnings: 0 })
    expect(status).toBe(0)
  })

  it('is read by a person', async () => {
    const { status, stdout } = await here.call('protocol', 'check', '--', process.execPath, FIXTURE, 'garbage', 'hello')
    expect(stdout.replace(/.*node .*program/, 'protocol check: node program')).toBe(
      [
        'protocol check: node program.mjs garbage hello',
        '  ✗ handshake       the answer to "hello" has a wrong shape: it is not JSON',
        '      sent: {"id":0,"command":"hello","protocol":1}',
        '      received: debug: got here',
        '',
      ].join('\n'),
    )
    expect(status).toBe(1)
  })

  it.each([
    ['no reset', '0', 'reset', 'violated: after a reset, the same commands get the same answers'],
    ['by chance', '0', 'determinism', 'violated: in another process, the same commands get the same answers'],
    ['second answer', '30', 'executions', 'there is a second answer to the command before'],
    ['wrong shape', '30', 'executions', 'sent[1].to: expected the name of a node (a, b), got "nobody"'],
    ['dies', '30', 'executions', 'the program died instead of answering'],
    ['ignores the end', '0', 'end', 'the program does not exit within 2 s after the end of its stdin'],
    ['takes anything', '0', 'unknown command', 'an unknown command must be answered with an "error"'],
  ])('tells what is wrong: %s', async (mode, where, name, text) => {
    const { status, wrong } = await check(mode, where, '--request', '1')
    expect(wrong[0]).toMatchObject({ check: name, verdict: 'failed', text: expect.stringContaining(text) })
    expect(status).toBe(1)
  })

  const checkFlags = async (mode: string, where: string, flags: object) => {
    const call = ['protocol', 'check', '--json', '--request', '1', '--', process.execPath, FIXTURE, mode, where]
    const { stdout } = await here.call(...call, JSON.stringify(flags))
    return parsed(stdout).filter(({ check }) => ['batches', 'crashes', 'coverage'].includes(check))
  }

  it('sends batches to a program that takes them, and crashes only one that crashes', async () => {
    expect(await checkFlags('right', '0', { batches: true, crashes: false, counters: 3 })).toMatchObject([
      { check: 'crashes', verdict: 'skipped', text: 'none made: `hello` says "crashes": false' },
      { check: 'coverage', verdict: 'passed', text: '2 of 3 counters were hit' },
      { check: 'batches', verdict: 'passed', text: 'commands in batches get the same answers as alone' },
    ])
  })

  it.each([
    ['too few answers', '2', 'the answer to "batch" has a wrong shape: answers: expected one for each of 3 commands'],
    ['goes on after an error', '2', 'answers: expected none after answers[1], which is an error, got 3'],
    ['forgets in batches', '0', 'violated: commands in batches get the same answers as alone'],
  ])('tells what is wrong with batches: %s', async (mode, where, text) => {
    const [, batches] = await checkFlags(mode, where, { batches: true })
    expect(batches).toMatchObject({ verdict: 'failed', text: expect.stringContaining(text) })
  })

  it('shows where two answers part', async () => {
    const { wrong } = await check('no reset', '0', '--request', '1')
    expect(wrong[0]!.details).toMatch(
      /^ {2}sent: .*"command":"request".*\n {2}first answer: .*"reply":1}.*\n {2}second answer: .*"reply":\d\d+}/,
    )
  })

  it.each([
    ['asserts', '30', 'assertions', 'the program reported an error, which norn fuzz would report as a failure'],
    ['forgets nothing', '0', 'crashes', /^none of \d+ crashes lost data/],
  ])('warns of what may be meant so: %s', async (mode, where, name, text) => {
    const { status, wrong } = await check(mode, where, '--request', '1')
    expect(wrong).toMatchObject([{ check: name, verdict: 'warning', text: expect.stringMatching(text) }])
    expect(status).toBe(0)
  })

  it('says what it did not try', async () => {
    const { lines } = await check('right', '0')
    expect(lines.find(({ check }) => check === 'requests')).toMatchObject({
      verdict: 'skipped',
      text: 'none made: add requests that the program understands with --request JSON',
    })
  })

  it.each([
    [['--', 'no-such-program'], /the program 'no-such-program' cannot be started in .*: no such file or directory/],
    [['--request', '{x', '--', 'sleep', '1'], /--request \{x: expected JSON/],
    [['--answer', 'soon', '--', 'sleep', '1'], /soon/],
  ])('refuses a call that is wrong: %j', async (args, says) => {
    const { status, stderr } = await here.norn('protocol', 'check', ...args)
    expect(stderr).toMatch(says)
    expect(status).toBe(2)
  })
})
