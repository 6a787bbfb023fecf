import { describe, expect, test } from 'vitest'
import {
  checkLinearizable,
  type History,
  HistoryRecorder,
  historyLines,
  MODELS,
  type ModelInput,
  parseHistory,
  readingFor,
  record,
} from '../../src/index.ts'

/** Answers when told to. */
class SlowStore {
  readonly #values = new Map<string, number>()
  readonly waiting: (() => void)[] = []

  async put(key: string, value: number): Promise<void> {
    await new Promise<void>((resolve) => this.waiting.push(resolve))
    this.#values.set(key, value)
  }

  async get(key: string): Promise<number | undefined> {
    return this.#values.get(key)
  }

  async fails(): Promise<never> {
    throw new Error('no')
  }

  size(): number {
    return this.#values.size
  }
}

const METHODS = {
  get: (key: string) => ({ f: 'get', key }),
  put: (key: string, value: number) => ({ f: 'put', key, value }),
}

describe('record', () => {
  test('numbers calls and returns in their order, and gives concurrent calls processes of their own', async () => {
    const store = new SlowStore()
    const { client, history } = record(store, METHODS)
    const put = client.put('a', 1)
    expect(await client.get('a')).toBeUndefined()
    store.waiting[0]!()
    await put
    expect(await client.get('a')).toBe(1)
    expect(history().operations).toEqual([
      { process: 0, input: { f: 'put', key: 'a', value: 1 }, outcome: 'ok', call: 0, return: 3 },
      { process: 1, input: { f: 'get', key: 'a' }, outcome: 'ok', call: 1, return: 2 },
      { process: 0, input: { f: 'get', key: 'a' }, output: 1, outcome: 'ok', call: 4, return: 5 },
    ])
    expect(checkLinearizable(history(), MODELS.kv).verdict).toBe('ok')
  })

  test('an operation that has not ended, or has thrown, is unknown unless the option says that it failed', async () => {
    const methods = { fails: () => ({ f: 'get', key: 'x' }), put: METHODS.put }
    for (const outcome of ['unknown', 'fail'] as const) {
      const { client, history } = record(new SlowStore(), methods, { outcome: () => outcome })
      await expect(client.fails()).rejects.toThrow('no')
      void client.put('a', 1)
      expect(history().operations.map((each) => each.outcome)).toEqual([outcome, 'unknown'])
      expect(history().operations.map((each) => each.process)).toEqual(outcome === 'fail' ? [0, 0] : [0, 1])
    }
  })

  test('a named process runs one operation at a time', async () => {
    const { as, history } = record(new SlowStore(), METHODS)
    const alice = as('alice')
    void alice.put('a', 1)
    expect(() => alice.get('a')).toThrow(
      'process alice calls an operation before its last one has ended: use a process for each',
    )
    await as('bob').get('a')
    expect(history().operations.map((each) => each.process)).toEqual(['alice', 'bob'])
  })

  test('calls other methods, also synchronous ones, without a record', () => {
    const { client, history } = record(new SlowStore(), METHODS)
    expect(client.size()).toBe(0)
    expect(history().operations).toEqual([])
  })

  test('records synchronous methods as operations that nothing overlaps', () => {
    const { client, history } = record({ add: (_value: number) => {}, read: () => 3 })
    client.add(3)
    expect(client.read()).toBe(3)
    expect(checkLinearizable(history() as History, MODELS.counter).verdict).toBe('ok')
  })

  test('copies values, which the program may change', async () => {
    const list = [1]
    const { client, history } = record({ read: async () => list })
    await client.read()
    list.push(2)
    expect(history().operations[0]!.output).toEqual([1])
  })

  test('refuses what it cannot record', () => {
    expect(() => record({ look: () => 1 })).toThrow('say what its methods are')
    const object = { get: 3 as unknown as () => number }
    expect(() => record(object, { get: () => 1 })).toThrow('record: get is not a method of the object')
  })
})

describe('historyLines', () => {
  test('is read back as the same history', async () => {
    const store = new SlowStore()
    const { as, history } = record(store, { ...METHODS, fails: () => ({ f: 'get', key: 'a' }) })
    const put = as(0).put('a', 1)
    await as(1).get('a')
    // It goes on after an unknown outcome.
    await as(1)
      .fails()
      .catch(() => {})
    await as(1).get('a')
    store.waiting[0]!()
    await put
    const lines = historyLines(history())
    expect(lines.split('\n').slice(0, 2)).toEqual([
      '{"process":0,"type":"invoke","f":"put","key":"a","value":1}',
      '{"process":1,"type":"invoke","f":"get","key":"a","value":null}',
    ])
    const read = parseHistory(lines, readingFor('kv')).operations
    const essential = (operations: History['operations']) =>
      operations.map(({ process, input, output, outcome }) => ({ process, input, output: output ?? null, outcome }))
    expect(essential(read)).toEqual(essential(history().operations))
    const order = (operations: History['operations']) => operations.map((a) => operations.map((b) => a.return < b.call))
    expect(order(read)).toEqual(order(history().operations))
  })

  test('writes compare-and-set and transactions as Jepsen does', () => {
    const operation = (input: ModelInput | unknown[], output: unknown) =>
      ({ process: 0, input, output, outcome: 'ok', call: 0, return: 1 }) as const
    const lines = (input: ModelInput | unknown[], output?: unknown) =>
      historyLines({ operations: [operation(input, output)] })
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).value)
    expect(lines({ f: 'cas', from: 1, to: 2 })).toEqual([
      [1, 2],
      [1, 2],
    ])
    expect(lines([['r', 'x', null]], [['r', 'x', [1]]])).toEqual([[['r', 'x', null]], [['r', 'x', [1]]]])
  })
})

describe('HistoryRecorder', () => {
  test('retires a process whose operation may still take effect, and takes another', () => {
    const recorder = new HistoryRecorder()
    const first = recorder.call('a')
    recorder.end(first, { outcome: 'unknown' })
    recorder.end(recorder.call('b'), { outcome: 'fail' })
    recorder.call('c')
    const { operations } = recorder.history()
    expect(operations.map(({ process, outcome }) => [process, outcome])).toEqual([
      [0, 'unknown'],
      [1, 'fail'],
      [1, 'unknown'],
    ])
    expect([0, 1, 2].map((process) => recorder.isFree(process))).toEqual([false, false, true])
  })

  test('gives an operation without a process one that nobody named', () => {
    const recorder = new HistoryRecorder()
    recorder.call('a', 0)
    recorder.end(recorder.call('b', 1), { outcome: 'ok' })
    recorder.call('c')
    recorder.call('d')
    expect(recorder.history().operations.map(({ process }) => process)).toEqual([0, 1, 2, 3])
  })

  test('tells its watch of calls and known ends as they happen', async () => {
    const seen: unknown[] = []
    const { client } = record(new SlowStore(), METHODS, {
      watch: {
        called: ({ input }, index) => seen.push(['called', index, input]),
        ended: ({ outcome, output }, index) => seen.push(['ended', index, outcome, output]),
      },
    })
    const put = client.put('a', 1)
    await client.get('a')
    client.waiting[0]!()
    await put
    expect(seen).toEqual([
      ['called', 0, { f: 'put', key: 'a', value: 1 }],
      ['called', 1, { f: 'get', key: 'a' }],
      ['ended', 1, 'ok', undefined],
      ['ended', 0, 'ok', undefined],
    ])
  })

  test('what its watch throws rejects the call', async () => {
    const watch = {
      called: () => {},
      ended: () => {
        throw new Error('illegal')
      },
    }
    await expect(record(new SlowStore(), METHODS, { watch }).client.get('a')).rejects.toThrow('illegal')
  })
})
