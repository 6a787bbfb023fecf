/** Oracles over recordings and over clusters, outside of norn's own processes. */
import { describe, expect, test } from 'vitest'
import type { ClusterOptions } from '../../src/cluster/definition.ts'
import { actors, scenario } from '../../src/cluster.ts'
import {
  type HistoryViolation,
  isolation,
  linearizable,
  MODELS,
  record,
  UndecidedHistory,
} from '../../src/history/index.ts'
import { firstFailure, SimulatedExecutor, shrunkFrom } from '../cluster/simulated.ts'

/** A primary that answers before its copy has what was written; reads go to the copy. */
const copied: Omit<ClusterOptions, 'requests' | 'system'> & { system: ClusterOptions['system'] } = {
  system: () =>
    actors({
      primary: (node) => ({
        onRequest({ value }: { value: number }, id: number) {
          node.send('copy', value)
          node.reply(id, 'written')
        },
      }),
      copy: (node) => {
        let held: number | null = null
        return {
          onMessage(value: number) {
            held = value
          },
          onRequest: (_: unknown, id: number) => node.reply(id, held),
        }
      },
    }),
  route: (request) => ((request as { f: string }).f === 'write' ? 'primary' : 'copy'),
  steps: 40,
}
const write = (value: number) => ({ f: 'write', value })
const read = { f: 'read' }

function thrownBy(run: () => unknown): Error {
  try {
    run()
  } catch (error) {
    return error as Error
  }
  throw new Error('it has thrown nothing')
}

describe('a cluster', () => {
  test('fails at the first illegal reply, not at its end', async () => {
    const requests = [write(1), read, write(2), read, write(3), read]
    const executor = new SimulatedExecutor({ ...copied, requests, invariant: linearizable(MODELS.register) })
    const { failure, cluster } = await firstFailure(executor, 1)
    expect(failure).toMatchObject({ errorName: 'HistoryViolation' })
    const replies = cluster!.log.filter(({ kind, node }) => kind === 'reply' && node === 'copy')
    expect(cluster!.log.at(-1)).toBe(replies.at(-1))
    expect(cluster!.log.filter(({ kind }) => kind === 'request').length).toBeLessThan(requests.length)
  })

  test.each(['invariant', 'check'] as const)('shrinks to a history of few operations: %s', async (when) => {
    const requests = [write(3), read, write(1), read, write(2), read, write(4), read]
    const { result, requests: left } = await shrunkFrom(
      {
        ...copied,
        [when]: linearizable(MODELS.register),
        requests: (tape) => requests.filter((_, index) => tape.draw('input', `keep ${index}`, 0, 1) === 1),
      },
      1,
    )
    expect(left.length).toBeLessThanOrEqual(3)
    expect(left.at(-1)).toEqual(read)
    expect(result.failure!.message).toContain('the history is not linearizable (model register)')
  })

  test('a request without a reply may have taken effect, at any time', () => {
    const silent = () =>
      actors({
        a: (node) => ({
          onRequest: (request: { f: string; seen: number }, id: number) =>
            request.f === 'read' && node.reply(id, request.seen),
        }),
      })
    const seen = (...values: (number | null)[]) => {
      const oracle = linearizable(MODELS.register)
      const s = scenario({ system: silent, invariant: oracle })
      s.request('a', write(1))
      for (const value of values) s.request('a', { f: 'read', seen: value })
    }
    seen(null, null, 1, 1)
    expect(() => seen(1, null)).toThrow('the history is not linearizable')
  })

  test('a definite error of Maelstrom had no effect; timeout and crash may have had one', () => {
    const answers = (code: number) => () =>
      actors({
        a: (node) => ({
          onRequest({ type }: { type: string }, id: number) {
            node.reply(id, type === 'write' ? { type: 'error', code } : { type: 'read_ok', value: 1 })
          },
        }),
      })
    const run = (code: number) => {
      const s = scenario({ system: answers(code), check: linearizable(MODELS['cas-register']) })
      s.request('a', { type: 'write', key: 'x', value: 1 })
      s.request('a', { type: 'read', key: 'x' })
      s.end()
    }
    for (const code of [0, 13]) run(code)
    for (const code of [11, 22, 30]) expect(() => run(code)).toThrow('no order explains read("x") = 1')
  })

  test('an own reading of requests and replies', () => {
    const system = () =>
      actors({
        a: (node) => ({
          onRequest: (request: unknown, id: number) => node.reply(id, request === 'get' ? { error: 'busy' } : 'set'),
        }),
      })
    const oracle = linearizable(MODELS.register, {
      input: (request: string) => (request === 'ping' ? undefined : request === 'get' ? read : write(Number(request))),
      end: (reply) =>
        (reply as { error?: string }).error === undefined ? { outcome: 'ok', output: reply } : { outcome: 'fail' },
    })
    const s = scenario({ system, invariant: oracle })
    for (const request of ['1', 'get', 'ping']) s.request('a', request)
    s.end()
    expect(() => {
      const s = scenario({ system, invariant: linearizable(MODELS.register) })
      s.request('a', 'get')
    }).toThrow("request 0 is not an operation of a model, such as { f: 'write', value: 1 }: pass the option `input`")
  })

  test('sessions have a process each; whoever waits, or never learned an outcome, does not go on', () => {
    const system = () =>
      actors({
        a: (node) => ({
          onRequest: ({ reply }: { reply?: unknown }, id: number) => reply !== undefined && node.reply(id, reply),
        }),
      })
    const oracle = linearizable(MODELS['cas-register'], {
      consistency: 'sequential',
      process: ({ request }) => (request as { client: string }).client,
    })
    const s = scenario({ system, check: oracle })
    s.request('a', { client: 'ada', ...write(1) })
    s.request('a', { client: 'ada', ...write(2), reply: { type: 'error', code: 13 } })
    s.request('a', { client: 'ada', ...read, reply: 1 })
    s.request('a', { client: 'ada', ...read, reply: 2 })
    s.request('a', { client: 'bob', ...read, reply: 2 })
    s.end()
    s.request('a', { client: 'ada', ...read, reply: 1 })
    const violation = thrownBy(() => s.end()) as HistoryViolation
    expect(violation.message).toMatch('the history is not sequentially consistent (model cas-register)')
    expect(violation.history.operations.map(({ process }) => process)).toEqual([
      'ada',
      'ada/2',
      'ada/3',
      'ada/3',
      'bob',
      'ada/3',
    ])
  })

  test('sequential consistency and sessions need to know who made a request', () => {
    const start = (check: ReturnType<typeof linearizable>) => scenario({ ...copied, check }).end()
    expect(() => start(linearizable(MODELS.register, { consistency: 'sequential' }))).toThrow(
      'sequential consistency keeps the order of each process: pass the option `process`',
    )
    expect(() => start(isolation('list-append', { consistency: 'strong-session-serializable' }))).toThrow(
      'strong-session-serializable keeps the order of each process',
    )
  })

  test('transactions that lose an update', () => {
    const system = () =>
      actors({ a: (node) => ({ onRequest: ({ reply }: { reply: unknown }, id: number) => node.reply(id, reply) }) })
    const end = (reply: unknown) => ({ outcome: 'ok', output: reply }) as const
    const input = ({ txn }: { txn: unknown }) => txn
    const run = (consistency: 'read-committed' | 'snapshot-isolation') => {
      const s = scenario({ system, invariant: isolation('list-append', { consistency, input, end }) })
      for (const element of [1, 2]) {
        const txn = (seen: unknown) => [
          ['r', 'x', seen],
          ['append', 'x', element],
        ]
        s.request('a', { txn: txn(null), reply: txn([]) })
      }
      s.request('a', { txn: [['r', 'x', null]], reply: [['r', 'x', [1, 2]]] })
      s.end()
    }
    run('read-committed')
    expect(() => run('snapshot-isolation')).toThrow(
      'the history is not snapshot-isolation (lost-update):\nlost-update: ',
    )
  })
})

describe('a recording', () => {
  /** Forgets what it is given. */
  const forgetful = () => ({ async write(_: number) {}, read: async () => 0 as number | null })

  test('is checked as a whole, by a function or by its method', async () => {
    const recording = record(forgetful())
    await recording.client.write(1)
    linearizable(MODELS.register).check(recording)
    await recording.client.read()
    for (const check of [linearizable(MODELS.register), linearizable(MODELS.register).check]) {
      expect(thrownBy(() => check(recording)).message).toContain('no order explains read() = 0')
      expect(() => check(recording.history())).toThrow('no order explains read() = 0')
    }
  })

  test('is shown with the operations that cannot be ordered, and over time', async () => {
    const { as, history } = record(forgetful())
    await as('ada').write(1)
    await as('bob').read()
    expect(thrownBy(() => linearizable(MODELS.register)(history())).message.split('\n')).toEqual([
      'the history is not linearizable (model register):',
      'no order explains read() = 0 by process bob: no operation before it leads to a state in which it is possible',
      'the longest orders of what had returned before it lead to the state 1',
      'process ada  ├─ write(1) ─┤',
      'process bob                  ├─ read() = 0 ─┤',
    ])
  })

  test('is checked while it is made, if asked for: the first illegal operation rejects', async () => {
    const { client } = record(forgetful(), undefined, { check: linearizable(MODELS.register) })
    await client.write(1)
    await expect(client.read()).rejects.toThrow('no order explains read() = 0')
  })

  test('a violation has the kind of failure in its first line, and values below', async () => {
    const messages = [1, 2].map(async (value) => {
      const recording = record(forgetful())
      await recording.client.write(value)
      await recording.client.read()
      const { name, message } = thrownBy(() => linearizable(MODELS.register)(recording))
      return `${name}: ${message.split('\n')[0]}`
    })
    expect(new Set(await Promise.all(messages))).toEqual(
      new Set(['HistoryViolation: the history is not linearizable (model register):']),
    )
  })

  test('is undecided at a bound, which is no pass', async () => {
    const recording = record(forgetful())
    await Promise.all(Array.from({ length: 9 }, (_, value) => recording.client.write(value)))
    await recording.client.read()
    const oracle = linearizable(MODELS.register, { steps: 1 })
    expect(() => oracle(recording)).toThrow(UndecidedHistory)
    const { client } = record(forgetful(), undefined, { check: oracle })
    await expect(Promise.all([1, 2, 3].map((value) => client.write(value))).then(() => client.read())).rejects.toThrow(
      UndecidedHistory,
    )
  })

  test('refuses what is no oracle, model, consistency or history', () => {
    expect(() => linearizable('register' as never)).toThrow('model must be an ObjectModel, such as MODELS.register')
    expect(() => isolation('list-append', { consistency: 'best' as never })).toThrow('unknown consistency: best')
    expect(() => linearizable(MODELS.register)(undefined as never)).toThrow('an oracle checks a history, a recording')
    expect(() => record(forgetful(), undefined, { check: (() => {}) as never })).toThrow('`check` must be an oracle')
  })
})
