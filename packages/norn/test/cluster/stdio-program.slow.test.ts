import { readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { type ProgramOptions, program } from '../../src/cluster/stdio/program.ts'
import type { ProgramSystem } from '../../src/cluster/stdio/program-system.ts'
import { OWNER } from '../../src/storage/files.ts'
import { recordedEffects } from './effects.ts'

// To start a process takes its time on a busy machine; nothing here asserts how long.

const FIXTURE = resolve(import.meta.dirname, 'fixtures/program.mjs')

const opened: ProgramSystem[] = []
afterEach(() => {
  for (const system of opened.splice(0)) system.close()
})

function fixture(mode: string, where = '3', options: ProgramOptions = {}): ProgramSystem {
  const system = program([process.execPath, FIXTURE, mode, where], options)
  opened.push(system)
  return system
}

/**
 * A short execution: two starts, a request at a, what it sends, a timer; then its end. What
 * happened, command by command.
 */
function execute(system: ProgramSystem): unknown[] {
  const seen: unknown[] = []
  const perform = (event: Parameters<ProgramSystem['perform']>[0]) => {
    const effects = recordedEffects(7)
    system.perform(event, effects)
    seen.push(effects.done)
  }
  system.reset()
  for (const node of system.nodes) perform({ type: 'start', node })
  perform({ type: 'request', node: 'a', id: 0, request: 5 })
  perform({ type: 'deliver', node: 'b', from: 'a', message: { add: 5 } })
  perform({ type: 'timeout', node: 'b', timer: 'again' })
  seen.push(system.nodes.map((node) => system.state(node)))
  system.finish!()
  return seen
}

/** The message of what an execution throws, and its name. */
function failureOf(system: ProgramSystem): { name: string; message: string } {
  try {
    execute(system)
  } catch (error) {
    const { name, message } = error as Error
    return { name, message }
  }
  throw new Error('nothing was thrown')
}

const [START, REQUEST, DELIVER] = [
  '{"id":3,"command":"start","node":"b","nowMs":7}',
  '{"id":4,"command":"request","node":"a","number":0,"request":5,"nowMs":7}',
  '{"id":5,"command":"deliver","node":"b","from":"a","message":{"add":5},"nowMs":7}',
]

describe('a program', () => {
  it('does what it answers', () => {
    const system = fixture('right')
    expect(system.nodes).toEqual(['a', 'b'])
    expect(execute(system)).toEqual([
      [],
      [],
      [
        ['send', 'b', { add: 5 }],
        ['reply', 0, 1],
      ],
      [['event', 'added', undefined]],
      [
        ['event', 'timeout', 'again'],
        ['clearTimer', 'again'],
      ],
      [1, 5],
    ])
  })

  it('begins each execution the same, in one process', () => {
    const system = fixture('right')
    expect(execute(system)).toEqual(execute(system))
    expect(execute(fixture('right'))).toEqual(execute(system))
  })

  it('loses in a crash what it had not made durable', () => {
    const system = fixture('right')
    system.reset()
    system.perform({ type: 'request', node: 'a', id: 0, request: 5 }, recordedEffects())
    expect(system.state('a')).toBe(1)
    system.perform({ type: 'crash', node: 'a' }, recordedEffects())
    expect(system.state('a')).toBeUndefined()
    const effects = recordedEffects()
    system.perform({ type: 'restart', node: 'a' }, effects)
    expect([effects.done, system.state('a')]).toEqual([[['setTimer', 'again', 5]], 0])
  })

  it('is told of lost messages if it wants to', () => {
    const system = fixture('asserts', '2')
    system.reset()
    system.perform({ type: 'start', node: 'a' }, recordedEffects())
    expect(() => system.lost('a', 'b', { add: 1 }, 8)).toThrow(
      'sent: {"id":3,"command":"drop","node":"b","from":"a","message":{"add":1},"nowMs":8}',
    )
  })

  it('hears the ticks of a clock, and draws from a seed, if it asks for them', () => {
    const system = fixture('ticks')
    system.reset()
    const [start, tick, restart] = [recordedEffects(), recordedEffects(), recordedEffects()]
    system.perform({ type: 'start', node: 'a' }, start)
    expect(system.state('a')).toBe(2 ** 31)
    system.perform({ type: 'timeout', node: 'a', timer: 'tick' }, tick)
    system.perform({ type: 'restart', node: 'a' }, restart)
    const rearmed = ['setTimer', 'tick', 10]
    expect([start.done, tick.done, restart.done]).toEqual([[rearmed], [rearmed], [rearmed, ['setTimer', 'again', 5]]])
  })

  it('takes the nodes it is given', () => {
    expect(fixture('right', '3', { nodes: ['x', 'y', 'z'] }).nodes).toEqual(['x', 'y', 'z'])
  })

  it('plays one execution at a time', () => {
    const [one, other] = [fixture('right'), fixture('right')]
    one.reset()
    one.perform({ type: 'start', node: 'a' }, recordedEffects())
    other.reset()
    expect(() => one.perform({ type: 'start', node: 'b' }, recordedEffects())).toThrow('one execution at a time')
  })

  it('refuses a call that makes no sense', () => {
    expect(() => program([])).toThrow("such as ['python3', 'kv.py']")
    expect(() => program(['x'], { answerMs: 0 })).toThrow('answerMs must be a number of milliseconds above 0, not 0')
    expect(() => program(['x'], { maxLine: 5 } as never)).toThrow('maxLine is now maxLineBytes. Rename it')
    expect(() => program(['x'], { answer: 5 } as never)).toThrow("unknown option 'answer'; did you mean 'answerMs'?")
    expect(() => program(['x'], { maxLineBytes: 0.5 })).toThrow('maxLineBytes must be 1 to 268435456 bytes, not 0.5')
  })
})

describe('what a program does wrong', () => {
  it.each([
    [
      'dies',
      'ProgramDeath',
      'the program died instead of answering "start": exit status 3',
      `  sent: ${START}\n  received: nothing\n  stderr:\n    | about to die\n    | of this`,
    ],
    ['is killed', 'ProgramDeath', 'the program died instead of answering "start": SIGKILL', `  sent: ${START}`],
    [
      'half a line',
      'ProgramDeath',
      'the program died instead of answering "start": exit status 0',
      `  sent: ${START}\n  received: {"id":`,
    ],
    [
      'garbage',
      'ProtocolBreach',
      'the answer to "start" has a wrong shape: it is not JSON',
      `  sent: ${START}\n  received: debug: got here`,
    ],
    ['wrong id', 'ProtocolBreach', 'the answer to "start" has the id of another command', `  sent: ${START}`],
    ['no id', 'ProtocolBreach', 'the answer to "start" has a wrong shape: id: expected 3, that of the command', ''],
    [
      'second answer',
      'ProtocolBreach',
      'there is a second answer to the command before "request"',
      `  previous command: ${START}\n  sent: ${REQUEST}\n  received: {"id":3}`,
    ],
    [
      'wrong shape',
      'ProtocolBreach',
      'the answer to "start" has a wrong shape: sent[1].to: expected the name of a node (a, b), got "nobody"',
      '  received: {"id":3,"sent":[{"to":"a","message":1},{"to":"nobody","message":2}]}',
    ],
    ['asserts', 'AssertionError', 'counts are equal', `  sent: ${START}\n  stack in the program:\n    | at count 7`],
  ])('%s', (mode, name, what, rest) => {
    const system = fixture(mode, '2')
    const failure = failureOf(system)
    expect(failure.name).toBe(name)
    expect(failure.message.split('\n')[0]).toBe(what)
    expect(failure.message).toContain(rest)
    expect(failureOf(system), 'the same once more').toEqual(failure)
  })

  it('closes its stdout, and stays', () => {
    expect(failureOf(fixture('closes stdout', '2'))).toEqual({
      name: 'ProgramDeath',
      message: `the program closed its stdout instead of answering "start"\n  sent: ${START}\n  received: nothing`,
    })
  })

  it('hangs', () => {
    const failure = failureOf(fixture('hangs', '4', { answerMs: 1500 }))
    expect(failure).toEqual({
      name: 'ProgramHang',
      message: [
        'the program did not answer "deliver" within 1.5 s (option answerMs), and was killed',
        `  sent: ${DELIVER}`,
        '  received: nothing',
        '  stderr:',
        '    | waiting for ever',
      ].join('\n'),
    })
  })

  it('answers 100 MB, of which little is kept', () => {
    const system = fixture('too long')
    // What is allocated once is: the buffer for the longest line that may be.
    failureOf(system)
    const before = process.memoryUsage.rss()
    const { name, message } = failureOf(system)
    expect(process.memoryUsage.rss() - before).toBeLessThan(50 * 1024 * 1024)
    expect(name).toBe('ProtocolBreach')
    expect(message).toMatch(/^the answer to "request" is longer than 16777216 bytes \(option maxLineBytes\)\n/)
    expect(message.length).toBeLessThan(2000)
  })

  it('writes a second answer to the last command of all', () => {
    expect(failureOf(fixture('second answer', '5')).message).toMatch(
      /^there is a second answer to the command before "reset"\n/,
    )
  })

  it.each([
    ['garbage', 'the answer to "hello" has a wrong shape: it is not JSON'],
    ['dies', 'the program died instead of answering "hello": exit status 3'],
  ])('%s before it has said what it is', (mode, what) => {
    const system = fixture(mode, 'hello')
    expect(() => system.nodes).toThrow(what)
    expect(() => system.nodes, 'once more').toThrow(what)
  })

  it.each([
    ['version', 'protocol: expected 1, the version that norn speaks, got 2'],
    [
      'unknown field',
      'tickMS: there is no such field; the fields are id, protocol, nodes, tickMs, drops, batches, crashes, counters, random',
    ],
  ])('says of itself what cannot be: %s', (mode, what) => {
    expect(() => fixture(mode).nodes).toThrow(`the answer to "hello" has a wrong shape: ${what}`)
  })

  it('is not there', () => {
    expect(() => program(['no-such-program'], { cwd: tmpdir() }).nodes).toThrow(
      `the program 'no-such-program' cannot be started in ${tmpdir()}: no such file or directory (ENOENT)`,
    )
  })

  it('is no failure of an execution if it happened before that', () => {
    const system = fixture('right')
    const seen = execute(system)
    process.kill(system.pid!, 'SIGKILL')
    expect(execute(system)).toEqual(seen)
  })

  it('goes on in a fresh process in the next execution', () => {
    const system = fixture('dies', '100')
    const seen = execute(system)
    const { pid } = system
    system.reset()
    expect(() => {
      for (let event = 0; event < 100; event++) system.perform({ type: 'start', node: 'a' }, recordedEffects())
    }).toThrow('the program died')
    expect(execute(system)).toEqual(seen)
    expect(system.pid).not.toBe(pid)
  })
})

describe.runIf(process.platform === 'linux')('what is left', () => {
  const folders = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`norn-program-${OWNER}`))
  const descriptors = () => readdirSync('/proc/self/fd').length
  const isAlive = (pid: number) => {
    try {
      return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
    } catch {
      return false
    }
  }

  it('is no folder, no descriptor and no process, even of one that does not care for the end of its stdin', () => {
    execute(fixture('right'))
    const before = descriptors()
    const system = fixture('ignores the end')
    execute(system)
    expect(folders()).toEqual([])
    const { pid } = system
    expect(isAlive(pid!)).toBe(true)
    system.close()
    expect(isAlive(pid!)).toBe(false)
    expect(descriptors()).toBe(before)
  })

  it('is not more after many deaths', () => {
    const system = fixture('is killed')
    failureOf(system)
    const before = descriptors()
    for (let deaths = 0; deaths < 20; deaths++) failureOf(system)
    expect(descriptors()).toBe(before)
  })
})
