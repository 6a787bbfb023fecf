/** What objects hold at first. */
import { describe, expect, test } from 'vitest'
import { command, file } from './command.ts'

const events = (f: string, called: string, returned: string) =>
  `{:process 0, :type :invoke, :f :${f}, :value ${called}}\n{:process 0, :type :ok, :f :${f}, :value ${returned}}\n`

describe('--initial', () => {
  test.for([
    ['--model', 'register', '0', events('read', 'nil', '0')],
    ['--model', 'cas-register', '0', events('cas', '[0 1]', '[0 1]') + events('read', 'nil', '1')],
    ['--model', 'counter', '5', events('add', '1', '1') + events('read', 'nil', '6')],
    ['--model', 'kv', 'blue', events('get', '["x" nil]', '["x" "blue"]')],
    ['--isolation', 'rw-register', '0', events('txn', '[[:r x nil] [:w x 1]]', '[[:r x 0] [:w x 1]]')],
  ] as const)('%s %s starts with %s', async ([option, checked, initial, history]) => {
    const path = file(history)
    expect(await command('check', path, option, checked)).toMatchObject({ status: 1 })
    expect(await command('check', path, option, checked, '--initial', initial)).toMatchObject({ status: 0 })
  })

  test('is refused where objects do not hold one value', async () =>
    expect(await command('check', file(''), '--model', 'queue', '--initial', '0')).toMatchObject({
      status: 2,
      errors: 'norn-history: --initial is for register, cas-register, counter, kv, rw-register\n',
    }))
})
