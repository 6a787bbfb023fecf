import { describe, expect, test } from 'vitest'
import { HistoryError } from '../../src/history/history-error.ts'
import { checkIsolation, type IsolationOptions } from '../../src/isolation/check.ts'
import { type Given, history, txn } from './histories.ts'

const check = (transactions: readonly Given[], options: Partial<IsolationOptions> = {}) =>
  checkIsolation(history(...transactions), { workload: 'rw-register', consistency: 'strict-serializable', ...options })

const found = (transactions: readonly Given[], options?: Partial<IsolationOptions>) => {
  const { verdict, anomalies, weakest } = check(transactions, options)
  return { verdict, types: [...new Set(anomalies.map(({ type }) => type))].sort(), weakest }
}
const aborted = (text: string) => txn(text, { outcome: 'fail' })
const after = (text: string, call: number, process?: number) => txn(text, { call, return: call + 0.5, process })

describe('anomalies', () => {
  test.for<[string, readonly Given[], types: string[], weakest: string[]]>([
    ['G1c: two transactions that read from each other', ['w x 1, r y 1', 'w y 1, r x 1'], ['G1c'], ['read-committed']],
    [
      'G-single: a read that sees half of a transaction',
      ['w x 1, w y 1', 'r x 1, r y nil'],
      ['G-single'],
      ['consistent-view', 'repeatable-read'],
    ],
    [
      'G-single: a read that cannot be repeated',
      ['w x 1', 'r x nil, r x 1'],
      ['G-single', 'internal'],
      ['read-atomic', 'consistent-view', 'repeatable-read'],
    ],
    [
      'G-nonadjacent: a long fork',
      ['w x 1', 'w y 1', 'r x 1, r y nil', 'r x nil, r y 1'],
      ['G-nonadjacent'],
      ['repeatable-read', 'snapshot-isolation'],
    ],
    ['G2-item: write skew', ['r x nil, w y 1', 'r y nil, w x 1'], ['G2-item'], ['repeatable-read']],
    ['G1a: a read of an aborted write', [aborted('w x 1'), 'r x 1'], ['G1a'], ['read-committed']],
    ['G1b: a read of a write before the last', ['w x 1, w x 2', 'r x 1'], ['G1b'], ['read-committed']],
    [
      'lost-update: two writes upon one version',
      ['w x 1', 'r x 1, w x 2', 'r x 1, w x 3'],
      ['G2-item', 'lost-update'],
      ['cursor-stability', 'update-atomic'],
    ],
    ['internal: a read without the own write', ['w x 1, r x nil'], ['internal'], ['read-atomic']],
    [
      'internal: two reads of values that nobody wrote',
      ['r x 7, r x 8'],
      ['garbage-read', 'internal'],
      ['read-committed'],
    ],
    ['future-read: a read of an own later write', ['r x 1, w x 1'], ['future-read'], ['read-committed']],
    ['garbage-read: a value nobody wrote', ['r x 7'], ['garbage-read'], ['read-committed']],
    [
      'cyclic-versions: each write follows a read of the other',
      ['r x 1, w x 2', 'r x 2, w x 1'],
      ['G1c', 'cyclic-versions'],
      ['read-committed'],
    ],
    [
      'G-single-realtime: a stale read',
      [after('w x 1', 0), after('r x nil', 1)],
      ['G-single-realtime'],
      ['strong-snapshot-isolation'],
    ],
    [
      'G-single-process: a session that forgets its write',
      [txn('w x 1', { process: 0, call: 0, return: 1 }), txn('r x nil', { process: 0, call: 1, return: 2 })],
      ['G-single-process'],
      ['strong-session-snapshot-isolation'],
    ],
    [
      'an unknown outcome of which a part was read',
      [txn('w x 1, w y 1', { outcome: 'unknown' }), 'r x 1, r y nil'],
      ['G-single'],
      ['consistent-view', 'repeatable-read'],
    ],
  ])('%s', ([, transactions, types, weakest]) => {
    expect(found(transactions)).toEqual({ verdict: 'illegal', types, weakest })
  })
})

describe('orders of versions that the caller promises', () => {
  // Nobody reads before writing: data alone do not say which write of x came first.
  const blind = [after('w x 1, w y 1', 0, 0), after('w x 2', 1, 0), after('r x 1, r y 1', 2, 1)]

  test('without one nothing is known to be wrong', () => {
    expect(found(blind).verdict).toBe('ok')
  })

  test('keys that are sequentially consistent follow each process', () => {
    expect(found(blind, { sequentialKeys: true })).toMatchObject({ types: ['G-single-realtime'] })
    const opposite = [
      after('w x 1, w y 1', 0, 0),
      after('w x 2, w y 2', 0, 1),
      after('r x 2', 1, 0),
      after('r y 1', 1, 1),
    ]
    expect(found(opposite, { sequentialKeys: true })).toMatchObject({ types: ['G0'], weakest: ['read-uncommitted'] })
    const own = [after('w x 1', 0, 0), after('w x 2', 1, 0), after('r x 2', 2, 1), after('r x 1', 3, 1)]
    expect(found(own, { sequentialKeys: true })).toMatchObject({
      types: ['cyclic-versions'],
      weakest: ['strong-session-snapshot-isolation'],
    })
  })

  test.for(['serializable', 'read-uncommitted'] as const)(
    'a broken promise is illegal, but is not one of %s',
    (consistency) => {
      const own = [after('w x 1', 0, 0), after('w x 2', 1, 0), after('r x 1', 2, 0)]
      const { verdict, impossible, anomalies } = check(own, { consistency, sequentialKeys: true })
      expect({ verdict, isBlamed: impossible.includes(consistency), anomalies }).toMatchObject({
        verdict: 'illegal',
        isBlamed: false,
        anomalies: [{ type: 'cyclic-versions', isForbidden: true }],
      })
      expect(check(own, { consistency }).verdict).toBe('ok')
    },
  )

  test('keys that are linearizable follow real time', () => {
    const others = blind.map((one, process) => ({ ...one, process }))
    expect(found(others, { sequentialKeys: true }).verdict).toBe('ok')
    expect(found(others, { linearizableKeys: true })).toMatchObject({
      types: ['cyclic-versions'],
      weakest: ['strong-snapshot-isolation'],
    })
  })
})

describe('what is legal', () => {
  test.for<[string, readonly Given[], Partial<IsolationOptions>?]>([
    ['transactions one after another', [after('w x 1', 0), after('r x 1, w x 2, r x 2', 1), after('r x 2', 2)]],
    ['an aborted write that is not read', [aborted('w x 1'), 'r x nil']],
    [
      'many writes upon the initial version, by those that read it and others',
      [
        'r x nil, w x 1',
        ...Array.from({ length: 40 }, (_, at) => `r x nil, w y ${at}`),
        ...Array.from({ length: 40 }, (_, at) => `w x ${at + 2}`),
      ],
    ],
    ['an initial value of the store', ['r x 0', 'r x 0, w x 1', 'r x 1'], { initial: 0 }],
    [
      'with all orders',
      [after('w x 1', 0, 0), after('r x 1', 1, 1), after('w x 2', 2, 1), after('r x 2', 3, 0)],
      { sequentialKeys: true, linearizableKeys: true },
    ],
  ])('%s', ([, transactions, options]) => {
    expect(check(transactions, options)).toMatchObject({ verdict: 'ok', anomalies: [], impossible: [] })
  })
})

test('a value written twice, or the initial one, is refused with its line', () => {
  expect(() => check([txn('w x 1', { line: 1 }), txn('w x 1', { line: 2 })])).toThrow(
    new HistoryError(
      '1 is written to key x a second time (first by the transaction of line 1); ' +
        'a rw-register history needs a different value in each write of a key',
      2,
    ),
  )
  expect(() => check([txn('w x nil', { line: 1 })])).toThrow(/^line 1: nil is written to key x, and is what registers/)
  expect(() => check([txn('w x 0', { line: 1 })], { initial: 0 })).toThrow(/^line 1: 0 is written to key x/)
})

test('explanations', () => {
  const { anomalies } = check([
    'w x 1, w y 1',
    'r x 1, r y nil',
    'r z nil, w z 1',
    'r z 1, w z 2, w v 1',
    'r z 1, r v 1, w u 1',
    aborted('w a 1'),
    'r a 1',
    'r b 1, w b 2',
    'r b 2, w b 1',
  ])
  expect(anomalies.map(({ explanation }) => explanation).join('\n\n')).toMatchInlineSnapshot(`
    "cyclic-versions: the versions 2, 1 of b would each come before the others, by transactions that read one version and wrote the next
      T1: process 7: r b 1, w b 2
      T2: process 8: r b 2, w b 1

    G1a: T1 read a as 1, which T2 wrote; but T2 aborted
      T1: process 6: r a 1
      T2: process 5, aborted: w a 1

    G1c: a cycle, T1 before T2 before T1:
    - T1 comes before T2: T1 wrote 2 to b, and T2 read it
    - but T2 comes before T1: T2 wrote 1 to b, and T1 read it
      T1: process 7: r b 1, w b 2
      T2: process 8: r b 2, w b 1

    G-single: a cycle, T1 before T2 before T1:
    - T1 comes before T2: T1 wrote 1 to x, and T2 read it
    - but T2 comes before T1: T2 read y as nil, before its first write, and T1 wrote 1 to it
      T1: process 0: w x 1, w y 1
      T2: process 1: r x 1, r y nil

    G-single: a cycle, T1 before T2 before T1:
    - T1 comes before T2: T1 wrote 1 to v, and T2 read it
    - but T2 comes before T1: T2 read z as 1, and T1 read 1 and then wrote 2
      T1: process 3: r z 1, w z 2, w v 1
      T2: process 4: r z 1, r v 1, w u 1"
  `)
})

test('an explanation says what a register began with', () => {
  const { anomalies } = check(['r x 0, w y 1', 'r y 0, w x 2'], { initial: 0 })
  expect(anomalies[0]!.explanation).toContain('T1 read x as 0, before its first write, and T2 wrote 2 to it')
})
