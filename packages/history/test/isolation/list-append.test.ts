import { describe, expect, test } from 'vitest'
import { HistoryError } from '../../src/history/history-error.ts'
import type { Transaction } from '../../src/history/transaction.ts'
import { checkIsolation, type IsolationOptions } from '../../src/isolation/check.ts'
import { type Given, history, txn } from './histories.ts'

const check = (transactions: readonly Transaction[], options: Partial<IsolationOptions> = {}) =>
  checkIsolation(transactions, { workload: 'list-append', consistency: 'strict-serializable', ...options })

/** What was found, and the weakest models that it breaks. */
const found = (...transactions: readonly Given[]) => {
  const { verdict, anomalies, weakest } = check(history(...transactions))
  return { verdict, types: [...new Set(anomalies.map(({ type }) => type))].sort(), weakest }
}
const aborted = (text: string) => txn(text, { outcome: 'fail' })
const unknown = (text: string) => txn(text, { outcome: 'unknown' })

describe('anomalies', () => {
  test.for<[string, readonly Given[], types: string[], weakest: string[]]>([
    [
      'G0: writes of two keys in opposite orders',
      ['append x 1, append y 1', 'append x 2, append y 2', 'r x [1 2], r y [2 1]'],
      ['G0'],
      ['read-uncommitted'],
    ],
    [
      'G1c: writes in opposite orders, where one transaction may have aborted',
      ['append x 1, append y 1', unknown('append x 2, append y 2'), 'r x [1 2], r y [2 1]'],
      ['G1c'],
      ['read-committed'],
    ],
    [
      'G1c: two transactions that read from each other',
      ['append x 1, r y [1]', 'append y 1, r x [1]'],
      ['G1c'],
      ['read-committed'],
    ],
    [
      'G1c: one overwrites what it is read by',
      ['append x 1, r y [1]', 'append x 2, append y 1', 'r x [1 2]'],
      ['G1c'],
      ['read-committed'],
    ],
    [
      'G-single: a read that sees half of a transaction',
      ['append x 1, append y 1', 'r x [1], r y nil'],
      ['G-single'],
      ['consistent-view', 'repeatable-read'],
    ],
    [
      'G-single: a read that cannot be repeated',
      ['append x 1', 'r x nil, r x [1]'],
      ['G-single', 'internal'],
      ['read-atomic', 'consistent-view', 'repeatable-read'],
    ],
    [
      'internal: appends of one transaction in another order',
      ['append x 1, append x 2, append x 3', 'r x [2 1 3]'],
      ['internal'],
      ['read-atomic'],
    ],
    [
      'G-nonadjacent: a long fork',
      ['append x 1', 'append y 1', 'r x [1], r y nil', 'r x nil, r y [1]'],
      ['G-nonadjacent'],
      ['repeatable-read', 'snapshot-isolation'],
    ],
    ['G2-item: write skew', ['r x nil, append y 1', 'r y nil, append x 1'], ['G2-item'], ['repeatable-read']],
    ['G1a: a read of an aborted append', [aborted('append x 1'), 'r x [1]'], ['G1a'], ['read-committed']],
    [
      'G1b: a read of an append before the last',
      ['append x 1, append x 2', 'r x [1]'],
      ['G-single', 'G1b'],
      ['read-committed'],
    ],
    [
      'dirty-update: an append upon an aborted one',
      [aborted('append x 1'), 'append x 2', 'r x [1 2]'],
      ['G1a', 'dirty-update'],
      ['read-committed'],
    ],
    [
      'dirty-update: with an unknown outcome between',
      [aborted('append x 1'), unknown('append x 2'), 'append x 3', 'r x [1 2 3]'],
      ['G1a', 'dirty-update'],
      ['read-committed'],
    ],
    [
      'lost-update: two appends upon one version',
      ['r x nil, append x 1', 'r x nil, append x 2', 'r x [1 2]'],
      ['G-single', 'lost-update'],
      ['cursor-stability', 'update-atomic'],
    ],
    [
      'lost-update: though nobody reads the appends',
      ['append x 1', 'r x [1], append x 2', 'r x [1], append x 3'],
      ['G2-item', 'lost-update'],
      ['cursor-stability', 'update-atomic'],
    ],
    [
      'duplicate-elements: an element twice',
      ['append x 1', 'append x 2', 'r x [1 2 1]'],
      ['duplicate-elements'],
      ['read-uncommitted'],
    ],
    [
      'incompatible-order: neither read a prefix of the other',
      ['append x 1', 'append x 2', 'r x [1 2]', 'r x [2]'],
      ['incompatible-order'],
      ['read-committed'],
    ],
    ['internal: a read without the own append', ['append x 1, r x nil'], ['internal'], ['read-atomic']],
    [
      'internal: a read that forgets what was read',
      ['append x 1', 'append x 2', 'r x [1 2], r x [1]'],
      ['G-single', 'internal'],
      ['read-atomic', 'consistent-view', 'repeatable-read'],
    ],
    ['future-read: a read of an own later append', ['r x [1], append x 1'], ['future-read'], ['read-committed']],
    ['garbage-read: an element nobody appended', ['r x [7]'], ['garbage-read'], ['read-committed']],
    [
      'a read of a version of a transaction of unknown outcome',
      [unknown('append x 1, append y 1'), 'r x [1], r y nil'],
      ['G-single'],
      ['consistent-view', 'repeatable-read'],
    ],
  ])('%s', ([, transactions, types, weakest]) => {
    expect(found(...transactions)).toEqual({ verdict: 'illegal', types, weakest })
  })

  test.for<[string, readonly Given[], types: string[], weakest: string[]]>([
    [
      'G0-process',
      [
        txn('append x 1', { process: 0, call: 0, return: 1 }),
        txn('append x 2', { process: 0, call: 1, return: 2 }),
        txn('r x [2 1]', { call: 0, return: 9 }),
      ],
      ['G0-process'],
      ['strong-session-read-uncommitted'],
    ],
    [
      'G0-realtime',
      [
        txn('append x 1', { call: 0, return: 1 }),
        txn('append x 2', { call: 2, return: 3 }),
        txn('r x [2 1]', { call: 0, return: 9 }),
      ],
      ['G0-realtime'],
      ['strong-read-uncommitted'],
    ],
    [
      'G1c-process',
      [txn('r x [1]', { process: 0, call: 0, return: 1 }), txn('append x 1', { process: 0, call: 1, return: 2 })],
      ['G1c-process'],
      ['strong-session-read-committed'],
    ],
    [
      'G1c-realtime',
      [txn('r x [1]', { call: 0, return: 1 }), txn('append x 1', { call: 2, return: 3 })],
      ['G1c-realtime'],
      ['strong-read-committed'],
    ],
    [
      'G-single-process',
      [txn('append x 1', { process: 0, call: 0, return: 1 }), txn('r x nil', { process: 0, call: 1, return: 2 })],
      ['G-single-process'],
      ['strong-session-snapshot-isolation'],
    ],
    [
      'G-single-realtime: a stale read',
      [txn('append x 1', { call: 0, return: 1 }), txn('r x nil', { call: 2, return: 3 })],
      ['G-single-realtime'],
      ['strong-snapshot-isolation'],
    ],
    [
      'G-nonadjacent-process: a long fork between sessions',
      [
        txn('append x 1', { process: 0, call: 0, return: 1 }),
        txn('r y nil', { process: 0, call: 1, return: 2 }),
        txn('append y 1', { process: 1, call: 0, return: 1 }),
        txn('r x nil', { process: 1, call: 1, return: 2 }),
      ],
      ['G-nonadjacent-process'],
      ['strong-session-snapshot-isolation'],
    ],
    [
      // Intervals have no such fork with two edges of real time only: one of the reads were after both appends.
      'G-nonadjacent-realtime: a long fork, one half of it by real time',
      [
        txn('append x 1', { call: 0, return: 1 }),
        txn('r y nil', { call: 2, return: 3 }),
        'append y 1',
        'r y [1], r x nil',
      ],
      ['G-nonadjacent-realtime'],
      ['strong-snapshot-isolation'],
    ],
    [
      'G2-item-process',
      [
        txn('append x 1', { process: 9, call: 0, return: 2 }),
        txn('r y nil', { process: 9, call: 2, return: 3 }),
        'append y 1, r x nil',
      ],
      ['G2-item-process'],
      ['strong-session-serializable'],
    ],
    [
      'G2-item-realtime',
      [txn('append x 1', { call: 0, return: 1 }), txn('r y nil', { call: 2, return: 3 }), 'append y 1, r x nil'],
      ['G2-item-realtime'],
      ['strict-serializable'],
    ],
  ])('%s', ([, transactions, types, weakest]) => {
    expect(found(...transactions)).toEqual({ verdict: 'illegal', types, weakest })
  })
})

describe('what is legal', () => {
  test.for<[string, readonly Given[]]>([
    ['no transaction', []],
    [
      'transactions one after another',
      [
        txn('append x 1', { call: 0, return: 1 }),
        txn('r x [1], append x 2, r x [1 2]', { call: 2, return: 3 }),
        txn('r x [1 2]', { call: 4, return: 5 }),
      ],
    ],
    ['an append that reads and appends, never read', ['r x nil, append x 1', 'r x nil']],
    ['an aborted append that is not read', [aborted('append x 1'), 'r x nil']],
    [
      'an unknown outcome that took effect late',
      [
        txn('append x 1', { outcome: 'unknown', call: 0 }),
        txn('r x nil', { call: 1, return: 2 }),
        txn('r x [1]', { call: 3, return: 4 }),
      ],
    ],
    [
      'an unknown outcome that did not take effect',
      [
        txn('append x 1, append y 1', { outcome: 'unknown', call: 0 }),
        txn('r x nil, append y 2', { call: 1, return: 2 }),
        txn('r y [2]', { call: 3, return: 4 }),
      ],
    ],
    ['intervals that touch', [txn('append x 1', { call: 0, return: 1 }), txn('r x nil', { call: 1, return: 2 })]],
    ['own appends between reads', ['append x 1', 'r x [1], append x 2, append x 3, r x [1 2 3], append x 4']],
  ])('%s', ([, transactions]) => {
    expect(check(history(...transactions))).toMatchObject({ verdict: 'ok', anomalies: [], impossible: [], weakest: [] })
  })

  test('an anomaly that the consistency asked for allows is found, and does not count', () => {
    const skew = history('r x nil, append y 1', 'r y nil, append x 1')
    const { verdict, anomalies } = check(skew, { consistency: 'snapshot-isolation' })
    expect(verdict).toBe('ok')
    expect(anomalies).toMatchObject([{ type: 'G2-item', isForbidden: false, transactions: [0, 1] }])
    expect(check(skew, { consistency: 'serializable' }).verdict).toBe('illegal')
  })

  test('the order of processes and of real time counts if the consistency asked for promises it', () => {
    const stale = history(
      txn('append x 1', { process: 0, call: 0, return: 1 }),
      txn('r x nil', { process: 1, call: 2, return: 3 }),
    )
    const session = stale.map((one) => ({ ...one, process: 0 }))
    const types = (given: readonly Transaction[], consistency: IsolationOptions['consistency']) =>
      check(given, { consistency }).anomalies.map(({ type }) => type)
    expect(types(stale, 'strict-serializable')).toEqual(['G-single-realtime'])
    expect(types(stale, 'strong-session-serializable')).toEqual([])
    expect(types(session, 'strong-session-serializable')).toEqual(['G-single-process'])
    expect(types(session, 'serializable')).toEqual([])
  })

  test('reads that contradict each other do not blame read uncommitted', () => {
    // By the longest read of x alone, the appends of x and y were a cycle of writes.
    const transactions = history('append x 1, append y 1', 'append x 2, append y 2', 'r x [1 2], r y [2 1]', 'r x [2]')
    expect(check(transactions, { consistency: 'read-uncommitted' }).verdict).toBe('ok')
    expect(check(transactions, { consistency: 'read-committed' }).verdict).toBe('illegal')
  })
})

describe('input', () => {
  const error = (transactions: readonly Given[], options?: Partial<IsolationOptions>) => {
    try {
      check(history(...transactions), options)
    } catch (thrown) {
      if (thrown instanceof HistoryError) return thrown.message
      throw thrown
    }
    return undefined
  }

  test('an element appended twice to a key is refused, with both lines', () => {
    expect(
      error([txn('append x 1', { line: 3 }), txn('append y 1', { line: 4 }), txn('append x 1', { line: 8 })]),
    ).toBe(
      'line 8: 1 is appended to key x a second time (first by the transaction of line 3); ' +
        'a list-append history needs a different value in each append of a key',
    )
  })

  test('a write in a list-append history is refused', () => {
    expect(error([txn('w x 1', { line: 2 })])).toBe(
      'line 2: not a micro-operation of list-append: ["w" "x" 1]; expected ["r", key, value] or ["append", key, value]',
    )
  })

  test('a read that returns no list is refused', () => {
    expect(error([txn('r x 4', { line: 2 })])).toBe(
      'line 2: a read of list-append must return a list or nil: 4 of key x',
    )
  })

  test('an unknown model is refused', () => {
    expect(() => check([], { consistency: 'best' as never })).toThrow(
      /unknown consistency: best; one of read-uncommitted,/,
    )
  })

  test('an unknown workload is refused', () => {
    expect(() => check([], { workload: 'lists' as never })).toThrow('unknown workload: lists; one of list-append, rw-')
  })

  test('an operation that is no transaction is refused', () => {
    const operation = { ...txn('r x nil', { line: 2 }), input: { f: 'read' } as never, output: undefined as never }
    expect(error([operation])).toBe('line 2: a transaction must be a list of micro-operations, not {f: "read"}')
  })

  test('transactions in any order of calls; results name the given indices', () => {
    const [first, second] = history(txn('append x 1', { call: 0, return: 1 }), txn('r x nil', { call: 2, return: 3 }))
    const { anomalies } = check([second!, first!])
    expect(anomalies).toMatchObject([{ type: 'G-single-realtime', transactions: [1, 0] }])
  })

  test('keys and elements are equal by value', () => {
    const one: Transaction = {
      process: 0,
      input: [['append', ['k', 1], { a: 1, b: 2 }]],
      output: [['append', ['k', 1], { a: 1, b: 2 }]],
      outcome: 'ok',
      call: 0,
      return: 1,
    }
    const two: Transaction = {
      process: 1,
      input: [['r', ['k', 1], null]],
      output: [['r', ['k', 1], [{ b: 2, a: 1 }]]],
      outcome: 'ok',
      call: 2,
      return: 3,
    }
    expect(check([one, two, { ...two, process: 2, output: [['r', ['k', 1], [{ a: 1, b: 2 }]]] }]).verdict).toBe('ok')
    expect(check([one, { ...two, output: [['r', ['k', '1'], []]] }]).verdict).toBe('ok')
    expect(check([one, { ...two, output: [['r', ['k', 1], []]] }]).verdict).toBe('illegal')
  })
})

describe('bounds', () => {
  const many = history(...Array.from({ length: 2000 }, (_, at) => `append x ${at}`))

  test('past the bound of memory the verdict is unknown', () => {
    const { verdict, reason } = check(many, { memoryMb: 0.05 })
    expect(verdict).toBe('unknown')
    expect(reason).toMatch(
      /^memory: \d+ MB needed to index the writes, beside the history, and 1 MB left; raise the bound$/,
    )
    expect(check(many, { memoryMb: 16 }).verdict).toBe('ok')
  })

  test('past the budget of time the verdict is unknown', () => {
    expect(check(many, { budgetMs: -1 })).toMatchObject({
      verdict: 'unknown',
      reason: expect.stringMatching(/^time: /),
    })
  })

  test('many reads of a version before many appends that nobody reads take few edges', () => {
    const readers = Array.from({ length: 3000 }, () => 'r x nil')
    const appends = Array.from({ length: 3000 }, (_, at) => `append x ${at}`)
    const both = ['r x nil, append x 10000, append y 1', 'r y nil, r x nil, append z 1', 'r x nil, append x 10001']
    expect(check(history(...readers, ...appends), { memoryMb: 16 }).verdict).toBe('ok')
    expect(found(...readers, ...both.slice(0, 2), ...appends)).toMatchObject({ verdict: 'ok' })
    expect(found(...readers, ...both, ...appends)).toMatchObject({ types: ['G2-item', 'lost-update'] })
  })
})

describe('explanations', () => {
  const explained = (...transactions: readonly Given[]) =>
    check(history(...transactions))
      .anomalies.map(({ explanation }) => explanation)
      .join('\n\n')

  test('a cycle, transaction by transaction', () => {
    expect(
      explained(
        txn('append x 5, append y 1', { line: 1, process: 3, call: 0, return: 1 }),
        txn('r y [1], r x nil', { line: 2, process: 4, call: 0, return: 1 }),
      ),
    ).toMatchInlineSnapshot(`
      "G-single: a cycle, T1 before T2 before T1:
      - T1 comes before T2: T1 appended 1 to y, and T2 read it
      - but T2 comes before T1: T2 read x as [] and did not see 5, which T1 appended
        T1: line 1, process 3: append x 5, append y 1
        T2: line 2, process 4: r y [1], r x nil"
    `)
  })

  test('sessions and real time', () => {
    expect(
      explained(
        txn('append x 1', { process: 0, call: 0, return: 1 }),
        txn('r y [1]', { process: 0, call: 2, return: 5 }),
        txn('append y 1', { process: 1, call: 3, return: 4 }),
        txn('r x nil', { process: 2, call: 6, return: 7 }),
      ),
    ).toMatchInlineSnapshot(`
      "G-single-realtime: a cycle, T1 before T2 before T1:
      - T1 comes before T2: T1 returned before T2 was called
      - but T2 comes before T1: T2 read x as [] and did not see 1, which T1 appended
        T1: process 0: append x 1
        T2: process 2: r x nil"
    `)
  })

  test('what is wrong with single reads', () => {
    expect(
      explained(
        aborted('append x 1'),
        'append x 2, append x 3',
        'r x [1 2]',
        'append y 1, r y nil',
        'r z [1], append z 1',
        'append w 1',
        'append w 2',
        'r w [1 2]',
        'r w [2]',
        'r v nil, append v 1',
        'r v nil, append v 2',
      ),
    ).toMatchInlineSnapshot(`
      "G1a: T1 read 1 in x, which T2 appended; but T2 aborted
        T1: process 2: r x [1 2]
        T2: process 0, aborted: append x 1

      G1b: T1 read x up to 2, an append of T2 that is not the last of T2 to this key
        T1: process 2: r x [1 2]
        T2: process 1: append x 2, append x 3

      internal: T1 read y as [], which disagrees with its own append of 1 before
        T1: process 3: append y 1, r y nil

      future-read: T1 read 1 in z before it appended it
        T1: process 4: r z [1], append z 1

      incompatible-order: T1 read w as [2], T2 as [1 2]: neither is a prefix of the other
        T1: process 8: r w [2]
        T2: process 7: r w [1 2]

      dirty-update: T1 appended 2 to x after 1, which T2 appended; but T2 aborted
        T1: process 1: append x 2, append x 3
        T2: process 0, aborted: append x 1

      lost-update: T1 and T2 read v as [], and each then wrote v
        T1: process 9: r v nil, append v 1
        T2: process 10: r v nil, append v 2

      G-single: a cycle, T1 before T2 before T1:
      - T1 comes before T2: T1 appended 2 to x, and T2 read it
      - but T2 comes before T1: T2 read x as [1 2] and did not see 3, which T1 appended (no read shows it, so it follows all that reads show)
        T1: process 1: append x 2, append x 3
        T2: process 2: r x [1 2]

      G2-item: a cycle, T1 before T2 before T1:
      - T1 comes before T2: T1 read v as [] and did not see 2, which T2 appended
      - but T2 comes before T1: T2 read v as [] and did not see 1, which T1 appended
        T1: process 9: r v nil, append v 1
        T2: process 10: r v nil, append v 2"
    `)
  })
})
