/** Programs that take batches: the same executions as without, in fewer exchanges. */

import { resolve } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { ClusterOptions } from '../../src/cluster/definition.ts'
import { crash } from '../../src/cluster/faults/crash.ts'
import { stepOf } from '../../src/cluster/faults/fault.ts'
import { partition } from '../../src/cluster/faults/partition.ts'
import { logText } from '../../src/cluster/log.ts'
import { Simulation } from '../../src/cluster/simulation.ts'
import { ProgramHost } from '../../src/cluster/stdio/program-host.ts'
import { systemOf } from '../../src/cluster/stdio/program-system.ts'
import { suggestStep } from '../../src/cluster/suggestion.ts'
import { chance } from '../../src/tape/chance.ts'

const FIXTURE = resolve(import.meta.dirname, 'fixtures/program.mjs')
const STEPS = 60
const FAULTS = { crashes: 3, drops: 3, duplicates: 3, partitions: 2 }

const opened: ProgramHost[] = []
afterEach(() => {
  for (const host of opened.splice(0)) host.end()
})

interface Opened {
  readonly host: ProgramHost
  /** Lines sent to the program, without ids. */
  readonly sent: string[]
}

function open(flags: object, mode = 'right', where = '0'): Opened {
  const sent: string[] = []
  const host = new ProgramHost({
    command: [process.execPath, FIXTURE, mode, where, JSON.stringify(flags)],
    cwd: '.',
    env: process.env,
    nodes: undefined,
    answerMs: 5000,
    maxLineBytes: 1024 * 1024,
    onExchange: (exchanged) => sent.push(exchanged.sent.replace(/^\{"id":\d+,/, '{')),
  })
  opened.push(host)
  return { host, sent }
}

/** An execution with the steps of a seed: its log, what a check sees after each event, and its failure. */
function execute({ host }: Opened, seed: number, options: Partial<ClusterOptions> = {}) {
  const system = systemOf({ host, owner: undefined })
  const seen: unknown[] = []
  const invariant: ClusterOptions['invariant'] = ({ nodes, nowMs }) =>
    void seen.push([nowMs, nodes.map(({ state }) => state)])
  const cluster = { system: () => system, network: { perStep: 4 }, faults: FAULTS, invariant, ...options }
  const draws = chance(seed)
  const requests = (options.requests as readonly unknown[]) ?? Array.from({ length: 30 }, (_, at) => at)
  const simulation = new Simulation({ cluster, requests, random: () => draws.unit(), system })
  let failure: Error | undefined
  try {
    simulation.start()
    for (let step = 0; step < STEPS; step++) simulation.perform(simulation.codes.steps[suggestStep(simulation, draws)]!)
    simulation.startFaultFreePhase()
  } catch (error) {
    failure = error as Error
  }
  system.finish!()
  return { log: logText(simulation.log), seen, failure }
}

/** Makes three requests to node a, and delivers what it sent in one step. */
function deliverThree(opened: Opened, invariant: ClusterOptions['invariant'], request: unknown = 1) {
  const system = systemOf({ host: opened.host, owner: undefined })
  const requests = [request, request, request]
  const simulation = new Simulation({ cluster: { system: () => system, invariant }, requests, random: () => 0, system })
  let failure: Error | undefined
  try {
    simulation.start()
    for (let each = 0; each < 3; each++) simulation.request(0)
    simulation.deliver(0, 1, 3)
  } catch (error) {
    failure = error as Error
  }
  return { system, simulation, failure }
}

describe('a program that takes batches', () => {
  it.each([
    ['right', {}],
    ['right', { tickMs: 5, random: true }],
    ['chatty', {}],
    ['chatty', { drops: false }],
  ])('plays the same executions: %s %j', (mode, flags) => {
    const [single, batched] = [open(flags, mode), open({ ...flags, batches: true }, mode)]
    for (let seed = 0; seed < 50; seed++) expect(execute(batched, seed)).toEqual(execute(single, seed))
    const inner = (line: string) => {
      const { command, commands } = JSON.parse(line)
      return command === 'batch' ? commands : [{ command, ...JSON.parse(line) }]
    }
    const [, ...alone] = single.sent
    const [, ...together] = batched.sent
    expect(together.flatMap(inner)).toEqual(alone.map((line) => JSON.parse(line)))
    expect(together.length).toBeLessThan(alone.length - 3 * 50)
  })

  it('gets in one line the reset with the starts, and the deliveries of a step', () => {
    const opened = open({ batches: true })
    deliverThree(opened, undefined)
    const lines = opened.sent.filter((line) => line.startsWith('{"command":"batch"'))
    const deliver = '{"command":"deliver","node":"b","from":"a","message":{"add":1},"nowMs":0}'
    expect(lines).toEqual([
      '{"command":"batch","commands":[{"command":"reset","seed":0},{"command":"start","node":"a","nowMs":0},{"command":"start","node":"b","nowMs":0}]}',
      `{"command":"batch","commands":[${deliver},${deliver},${deliver}]}`,
    ])
  })

  it('is told in one line of all that was lost in an event', () => {
    const opened = open({ batches: true }, 'chatty')
    const system = systemOf({ host: opened.host, owner: undefined })
    const simulation = new Simulation({ cluster: { system: () => system }, requests: [1], random: () => 0, system })
    simulation.ignoresQuotas = true
    simulation.start()
    simulation.inject(stepOf(partition, { side: [0, 1] }))
    simulation.request(0)
    const drop = '{"command":"drop","node":"b","from":"a","message":{"add":1},"nowMs":0}'
    expect(opened.sent.at(-1)).toBe(`{"command":"batch","commands":[${drop},${drop},${drop}]}`)
  })

  it('shows the state after each inner command', () => {
    const states: unknown[] = []
    deliverThree(open({ batches: true }), ({ nodes }) => void states.push(nodes[1]!.state))
    expect(states).toEqual([undefined, undefined, undefined, undefined, 1, 2, 3])
  })

  it('takes batches, and gives answers, that are larger than a pipe', () => {
    const request = 'x'.repeat(200_000)
    const { failure, system } = deliverThree(open({ batches: true }), undefined, request)
    expect(failure).toBeUndefined()
    expect((system.state('b') as string).length).toBe(600_001)
  })
})

describe('a batch that fails in the middle', () => {
  const untilTwo: ClusterOptions['invariant'] = ({ nodes }) => {
    if (nodes[1]!.state === 2) throw new Error('two of three')
  }
  // The reset is command 0: the second delivery is command 7.
  it('by an error: what came before it happened', () => {
    const [one, other] = [open({}, 'asserts', '7'), open({ batches: true }, 'asserts', '7')]
    const [alone, together] = [deliverThree(one, undefined), deliverThree(other, undefined)]
    expect(together.failure!.name).toBe('AssertionError')
    expect(together.failure!.message).toBe(alone.failure!.message.replace('"id":8,', ''))
    expect(logText(together.simulation.log)).toBe(logText(alone.simulation.log))
    expect(together.system.state('b')).toBe(1)
  })

  it('by a wrong shape, as without batches', () => {
    const { failure, system } = deliverThree(open({ batches: true }, 'wrong shape', '7'), undefined)
    expect(failure!.name).toBe('ProtocolBreach')
    expect(failure!.message).toMatch(/^the answer to "deliver" has a wrong shape: sent\[1\]\.to: /)
    expect(system.state('b')).toBe(1)
  })

  it.each(['asserts', 'wrong shape'])('by the invariant, before its program does (%s)', (mode) => {
    const { failure } = deliverThree(open({ batches: true }, mode, '8'), untilTwo)
    expect(failure!.message).toBe('two of three')
  })

  it.each([
    ['too few answers', 'answers: expected one for each of 3 commands, got 2'],
    ['too many answers', 'answers: expected one for each of 3 commands, got 4'],
    ['goes on after an error', 'answers: expected none after answers[1], which is an error, got 3'],
  ])('by %s', (mode, what) => {
    const { failure } = deliverThree(open({ batches: true }, mode, '7'), undefined)
    expect(failure!.name).toBe('ProtocolBreach')
    expect(failure!.message.split('\n')[0]).toBe(`the answer to "batch" has a wrong shape: ${what}`)
  })

  it('by its death, and goes on in a fresh process', () => {
    const opened = open({ batches: true }, 'dies', '7')
    const { failure } = deliverThree(opened, undefined)
    expect(failure!.message).toMatch(/^the program died instead of answering "batch": exit status 3\n/)
    expect(failure!.message).toContain('| about to die')
    expect(deliverThree(opened, undefined).failure!.message).toBe(failure!.message)
  })
})

describe('a program without crashes', () => {
  it('is not crashed', () => {
    const opened = open({ crashes: false })
    const refusal = 'the system does not support crashes: remove `crashes` from the `faults` of the cluster'
    expect(() => execute(opened, 1)).toThrow(refusal)
    expect(execute(opened, 1, { faults: { drops: 2 } }).failure).toBeUndefined()
    const { simulation } = deliverThree(opened, undefined)
    simulation.ignoresQuotas = true
    expect(() => simulation.inject(stepOf(crash, { node: 0 }))).toThrow(refusal)
  })
})

describe('a program that counts', () => {
  it.each([false, true])('tells what an execution hit, and not those before (batches: %s)', (batches) => {
    const opened = open({ counters: 2, batches })
    for (let execution = 0; execution < 2; execution++) {
      const { system } = deliverThree(opened, undefined)
      expect([...system.counters!]).toEqual([3, 3])
      system.finish!()
      expect([...system.counters!]).toEqual([3, 3])
    }
  })

  it('counts nothing that it has not announced', () => {
    const { failure } = deliverThree(open({ counters: 2 }, 'counts what is not there'), undefined)
    expect(failure!.message).toMatch(
      /^the answer to "reset" has a wrong shape: coverage\[0\]: expected a counter, 0 to 1, got 2\n/,
    )
    const unannounced = deliverThree(open({}, 'counts what is not there'), undefined)
    expect(unannounced.failure!.message).toContain('coverage: `hello` must say how many "counters" there are')
  })
})
