import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import type { ClusterOptions } from '../../norn/src/cluster/definition.ts'
import type { System } from '../../norn/src/cluster/system.ts'
import { project } from '../../norn/test/cli/project.ts'
import { type MaelstromOptions, type MaelstromRequest, maelstrom } from '../src/maelstrom.ts'
import { type WorkloadName, workload } from '../src/workloads.ts'
import { execute, executeCluster, fixture } from './nodes.ts'

const echo = (value: unknown) => ({ type: 'echo', echo: value, node: 'n0' })
const toFirst = { route: () => 'n0' }

function hasPython(): boolean {
  try {
    execFileSync('python3', ['--version'])
    return true
  } catch {
    return false
  }
}

const PYTHON = hasPython()
if (!PYTHON && process.env.CI === undefined) console.warn('nodes in Python are not tested: there is no python3')

describe('nodes in JavaScript', () => {
  test('answer clients; the same tape gives the same log, with the same random numbers and times', () => {
    const [first, second] = [1, 2].map(() =>
      execute(fixture('chance.mjs'), { requests: [echo(1), echo(2)], cluster: { requestEveryMs: 3000, ...toFirst } }),
    )
    expect(second).toEqual(first)
    const [one, other] = first!.replies as { echo: number[] }[]
    expect(other!.echo[0]).not.toBe(one!.echo[0])
    expect(other!.echo[1]! - one!.echo[1]!).toBe(3000)
    expect(Math.round(other!.echo[2]! - one!.echo[2]!)).toBe(3000)
  })

  test('wake by virtual time', () => {
    const add = { type: 'add', element: 7, node: 'n0' }
    const { replies } = execute(fixture('gossip.mjs'), {
      requests: [add, { type: 'read', node: 'n1' }, { type: 'read', node: 'n1' }],
      cluster: { requestEveryMs: 4000, route: (request) => (request as { node: string }).node },
    })
    expect(replies).toEqual([{ type: 'add_ok' }, { type: 'read_ok', value: [7] }, { type: 'read_ok', value: [7] }])
  })

  test.each([
    ['no-message', /^node 'n0' wrote a line that is not a message: .*\n {2}"hello"\n/],
    ['unknown-node', /^node 'n0' sent a message to 'n9', which is not a node\n.*\n {2}The nodes are n0; /],
    ['exit', /^node 'n0' exited: exit status 3/],
    ['no-init', /^node 'n0' answered init by nothing, not by init_ok/],
  ])('fail an execution with the mistake %s', (mistake, message) => {
    const run = () => execute(fixture('wrong.mjs', mistake), { nodes: 1, requests: [echo(1)] })
    expect(run).toThrow(message)
  })
})

describe.skipIf(!PYTHON && process.env.CI === undefined)('nodes in Python', () => {
  test('that look for input without a wait are idle while nothing happens, and time passes for them', () => {
    const options = { nodes: 2, requests: [echo('a')], cluster: { steps: 20, ...toFirst } }
    const first = execute(fixture('polling.py'), options)
    expect(first.replies).toEqual([{ type: 'echo_ok', echo: 'a' }])
    expect(first.log).toContain('"kind":"send"')
    expect(first.nowMs).toBeGreaterThan(2000)
    expect(execute(fixture('polling.py'), options)).toEqual(first)
  })

  test('sleep, and wait for conditions and queues, as long as they ask for', () => {
    const { replies } = execute(fixture('sleeping.py'), {
      nodes: 1,
      requests: ['queue', 'sleep', 'condition'].map(echo),
      cluster: { requestEveryMs: 1000 },
    })
    const woke = (replies as { echo: [string, number] }[]).map((reply) => reply.echo)
    expect(woke).toEqual([
      ['queue', 12],
      ['sleep', 9],
      ['condition', 12],
    ])
  })
})

describe('a workload', () => {
  const run = (name: WorkloadName, node: string, requests: readonly MaelstromRequest[], requestEveryMs = 10) => {
    const { system, requests: _, ...cluster } = workload(name, fixture(node), { nodes: 2 })
    return executeCluster(system() as System, requests, { ...cluster, requestEveryMs } as Partial<ClusterOptions>)
  }

  test('passes if its nodes converge', () => {
    const { replies, nowMs } = run('g-set', 'gossip.mjs', [
      { type: 'add', element: 1, node: 'n0' },
      { type: 'add', element: 2, node: 'n1' },
      { type: 'read', node: 'n0' },
    ])
    expect(replies).toEqual([{ type: 'add_ok' }, { type: 'add_ok' }, { type: 'read_ok', value: [1] }])
    expect(nowMs).toBeGreaterThan(5000)
  })

  test('fails if its nodes do not', () => {
    const write = (value: number, node: string) => ({ type: 'write', key: 0, value, node })
    const requests = [write(1, 'n0'), write(2, 'n1'), { type: 'read', key: 0, node: 'n0' }]
    expect(() => run('lin-kv', 'own-store.mjs', requests)).toThrow(
      'the history is not linearizable (model cas-register)',
    )
  })

  test('makes requests of its own, which norn fuzz draws', async () => {
    const file = `
      import { cluster } from 'norn/cluster'
      import { workload } from 'norn/maelstrom'
      cluster('nodes', workload('lin-kv', ${JSON.stringify(fixture('own-store.mjs'))}, { nodes: 1, requests: 3 }))
    `
    const here = project({ 'kv.fuzz.ts': file })
    const { status, stdout } = await here.norn('fuzz', 'kv.fuzz.ts', '--runs', '5', '--seed', '1')
    expect(stdout).toContain('5 executions')
    expect(status).toBe(0)
  })

  test('has a name that norn knows', () => {
    expect(() => workload('lin-kvs' as WorkloadName, ['node'])).toThrow("did you mean 'lin-kv'?")
  })
})

test('wrong options are refused by name', () => {
  const wrong = (options: object) => () => maelstrom(['node', 'a.js'], options as MaelstromOptions)
  expect(wrong({ node: 3 })).toThrow("unknown option 'node'; did you mean 'nodes'?")
  expect(wrong({ nodes: 0 })).toThrow('nodes must be a positive integer or an array of names, not 0')
  expect(wrong({ services: ['kv'] })).toThrow('services: ')
  expect(wrong({ sleepMs: -1 })).toThrow('sleepMs must be a number of milliseconds above 0, not -1')
  expect(() => maelstrom([])).toThrow("the command must be an array of strings, such as ['python3', 'echo.py']")
})
