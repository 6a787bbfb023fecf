import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { command, file, folder } from './command.ts'

/** Two transactions that each miss the write of the other. */
const WRITE_SKEW = `{:process 0, :type :invoke, :f :txn, :value [[:r x nil] [:append y 1]]}
{:process 1, :type :invoke, :f :txn, :value [[:r y nil] [:append x 1]]}
{:process 0, :type :ok, :f :txn, :value [[:r x []] [:append y 1]]}
{:process 1, :type :ok, :f :txn, :value [[:r y []] [:append x 1]]}
{:process 2, :type :invoke, :f :txn, :value [[:r x nil] [:r y nil]]}
{:process 2, :type :ok, :f :txn, :value [[:r x [1]] [:r y [1]]]}
`

const ONE = `{:process 0, :type :invoke, :f :txn, :value [[:r x nil]]}
{:process 0, :type :ok, :f :txn, :value [[:r x []]]}
`

const withoutTime = (text: string) => text.replace(/\(\d+\.\d\d s\)/, '(0.00 s)')

describe('check --isolation', () => {
  test('explains each anomaly, transaction by transaction, and says which models hold', async () => {
    const { status, output } = await command('check', file(WRITE_SKEW), '--isolation', 'list-append')
    expect(withoutTime(output)).toMatchInlineSnapshot(`
      "✗ not serializable: 3 transactions by 3 processes, 2 keys (0.00 s)

        G2-item: a cycle, T1 before T2 before T1:
        - T1 comes before T2: T1 read x as [] and did not see 1, which T2 appended
        - but T2 comes before T1: T2 read y as [] and did not see 1, which T1 appended
          T1: lines 1 and 3, process 0: r x [], append y 1
          T2: lines 2 and 4, process 1: r y [], append x 1

        Ruled out: repeatable-read, serializable, strong-session-serializable, strict-serializable
        Weakest ruled out: repeatable-read
        Strongest not ruled out: snapshot-isolation
      "
    `)
    expect(status).toBe(1)
  })

  test('a weaker model allows it', async () => {
    const path = file(WRITE_SKEW)
    const asked = ['--isolation', 'list-append', '--consistency', 'snapshot-isolation']
    const { status, output } = await command('check', path, ...asked)
    expect(status).toBe(0)
    expect(output).toContain('✓ satisfies snapshot-isolation: 3 transactions by 3 processes, 2 keys')
    expect(output).toContain('Found, but snapshot-isolation allows it:')
  })

  test('a model whose anomalies are not all sought is not said to hold beside one', async () => {
    const asked = ['--isolation', 'list-append', '--consistency', 'update-serializable']
    const { status, output } = await command('check', file(WRITE_SKEW), ...asked)
    expect(status).toBe(3)
    expect(output).toContain('? unknown whether update-serializable: G2-item found')
  })

  test('--json has the transactions with their lines, and the cycle', async () => {
    const { status, output } = await command('check', file(WRITE_SKEW), '--isolation', 'list-append', '--json')
    expect(status).toBe(1)
    expect(JSON.parse(output)).toMatchObject({
      type: 'result',
      result: 'illegal',
      consistency: 'serializable',
      weakestRuledOut: ['repeatable-read'],
      strongestNotRuledOut: ['snapshot-isolation'],
      counts: { 'G2-item': 1 },
      anomalies: [
        {
          type: 'G2-item',
          forbidden: true,
          transactions: [
            { process: 0, line: 1, returnLine: 3, outcome: 'ok' },
            { process: 1, line: 2, returnLine: 4 },
          ],
          cycle: [
            { line: 1, edge: 'rw', key: 'x', value: 1 },
            { line: 2, edge: 'rw', key: 'y', value: 1 },
          ],
        },
      ],
    })
  })

  test('--html writes a page', async () => {
    const path = join(folder(), 'page.html')
    const asked = ['--isolation', 'list-append', '--html', path]
    expect((await command('check', file(WRITE_SKEW), ...asked)).status).toBe(1)
    expect(readFileSync(path, 'utf8')).toContain('G2-item')
  })

  test.for([
    [['--memory-mb', '1'], 'memory: more than 1 MB with '],
    [['--time', '1ms'], 'time: the budget is used up with '],
  ] as const)('%s, once reached, leaves it unknown', async ([args, reason]) => {
    const path = file(ONE.repeat(5000))
    const { status, output } = await command('check', path, '--isolation', 'list-append', '--json', ...args)
    expect(status).toBe(3)
    expect(JSON.parse(output)).toMatchObject({ result: 'unknown', reason: expect.stringContaining(reason) })
  })

  test.for([
    [['--consistency', 'linearizable'], '--consistency linearizable: with --isolation expected read-uncommitted, '],
    [['--sequential-keys'], '--sequential-keys and --linearizable-keys are for --isolation rw-register'],
    [['--html', 'no-such-folder/page.html'], '--html no-such-folder/page.html: no such folder: no-such-folder'],
    [['--html', '.'], '--html .: expected a file, found a folder'],
    [['--model', 'kv'], '--model and --isolation exclude each other: choose one'],
  ] as const)('%s is refused', async ([args, message]) => {
    const { status, errors } = await command('check', file(WRITE_SKEW), '--isolation', 'list-append', ...args)
    expect(errors).toContain(message)
    expect(status).toBe(2)
    expect(existsSync('no-such-folder')).toBe(false)
  })

  test('what is promised of keys is refused with a model', async () => {
    const { status, errors } = await command('check', file(WRITE_SKEW), '--model', 'kv', '--sequential-keys')
    expect(errors).toContain('--sequential-keys and --linearizable-keys are for --isolation rw-register')
    expect(status).toBe(2)
  })
})
