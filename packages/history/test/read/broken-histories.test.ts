/** What is wrong with a history is said with its place, and ends the command with status 2. */
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { HistoryError } from '../../src/history/history-error.ts'
import { type ModelName, readingFor } from '../../src/models/inputs.ts'
import { readHistory } from '../../src/read/read-history.ts'
import { transactionReading } from '../../src/read/transactions.ts'
import { command, file } from '../cli/command.ts'

const event = (type: string, value: string, process: number | string = 0, f = 'txn') =>
  `{:process ${process}, :type :${type}, :f :${f}, :value ${value}}\n`
const called = (value: string, process?: number) => event('invoke', value, process)
const ok = (value: string, process?: number) => event('ok', value, process)
const txn = (value: string, process?: number) => called(value, process) + ok(value, process)
const read = (f: string, called_: string, returned: string) =>
  event('invoke', called_, 0, f) + event('ok', returned, 0, f)
const json = (value: string) => `{"process":0,"type":"invoke","f":"txn","value":${value}}\n`
const log = (...fields: readonly string[]) => `INFO  jepsen.util - ${fields.join('\t')}\n`

const DEEP = 100_000
const LONG = 17 * 2 ** 20

type Case = readonly [what: string, content: string | Uint8Array, message: string]

const ANY_WORKLOAD: readonly Case[] = [
  ['an empty file', '', 'no event: expected a history of Jepsen in EDN, JSON lines or a log of Jepsen'],
  ['blank lines', ' \n\n', 'no event'],
  ['comments only', '; nothing\n; at all\n', 'no event'],
  ['an empty vector', '[]\n', 'no event'],
  ['faults only', event('info', 'nil', ':nemesis', 'start'), 'no event'],
  ['prose', 'Dear reader,\nno events here\n', 'no event, found "Dear reader,": expected'],
  ['a number', '5\n', 'no event, found "5"'],
  [
    'an object of another kind',
    '{"name":"x"}\n',
    'line 1: not an event: expected the fields process, type, f and value',
  ],
  ['a compressed file', gzipSync(txn('[[:r x nil]]')), 'compressed with gzip: decompress it'],
  ['an image', Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0), 'line 1: not UTF-8: found the byte 0x89'],
  ['UTF-16', Buffer.from(`\ufeff${txn('[[:r x nil]]')}`, 'utf16le'), 'line 1: not UTF-8: found the byte 0xff'],
  [
    'Latin-1 in a later line',
    Buffer.concat([Buffer.from(txn('[[:r "é" nil]]')), Buffer.from(called('[[:r "é" nil]]'), 'latin1')]),
    'line 3: not UTF-8: found the byte 0xe9; expected a text in UTF-8',
  ],

  [
    'a vector that ends early',
    called('[[:append x 1]]').slice(0, 50),
    'line 1, column 46: `[` is not closed: expected `]`',
  ],
  ['an event that ends early', `${txn('[[:r x nil]]')}{:process 0, :type`, 'line 3, column 1: `{` is not closed'],
  ['a map that is not closed', called('[]').replace('}', '') + ok('[]'), 'line 1, column 1: `{` is not closed'],
  ['an array that is not closed', `[${txn('[[:r x nil]]')}`, 'line 1, column 1: `[` is not closed: expected `]`'],
  [
    'a wrong bracket',
    called('[[:r x nil)]'),
    'line 1, column 55: expected `]` for the `[` in line 1, column 46, found `)`',
  ],
  ['a bracket too many', called('[]]'), 'line 1, column 47: expected `}` for the `{` in line 1, column 1, found `]`'],
  ['a bracket too many between events', `${txn('[]')}}\n`, 'line 3, column 1: expected an event'],
  ['a key without a value', '{:process}\n', 'line 1, column 10: expected a value for the key process, found `}`'],
  ['a string that is not closed', called('["x]'), 'line 1, column 46: a string that is not closed'],
  ['JSON with a comma too many', json('[["r","x",null],]'), 'line 1, column 64: expected a value, found `]`'],
  ['JSON with a word', json('NaN'), 'line 1, column 48: expected a value, found `NaN`'],
  ['JSON lines that end early', `${json('[["r","x",null]]')}{"process":0,`, 'line 2, column 1: `{` is not closed'],
  ['a log value that ends early', log('0', ':invoke', ':txn', '[[:r x'), 'line 1, column 37: `[` is not closed'],
  ['a log line without a type', log('0', 'invoke', ':txn', 'nil'), 'line 1: an event without a process or a type'],
  ['a log line that ends early', log('0', ':invoke'), 'line 1: an event without the field f'],

  [
    'vectors deep inside each other',
    called('['.repeat(DEEP)),
    'line 1, column 244: brackets inside each other more than 200 deep',
  ],
  [
    'arrays deep inside each other',
    json('['.repeat(DEEP)),
    'line 1, column 247: brackets inside each other more than 200 deep',
  ],
  ['brackets and nothing else', '['.repeat(DEEP), 'line 1, column 2: expected an event'],
  ['tags and nothing else', called('#a '.repeat(DEEP)), 'line 1, column 300045: expected a value, found `}`'],
  ['discarded values and nothing else', '#_ '.repeat(DEEP), 'the text ends'],
  ['a long event', called(`"${'a'.repeat(LONG)}"`), 'line 1: an event longer than 16 MB'],
  [
    'a long line of a log',
    `${log('0', ':invoke', ':txn', '[]')}${'x'.repeat(LONG)}`,
    'line 2: a line longer than 16 MB',
  ],
  ['white space and nothing else', ' '.repeat(LONG), 'line 1: a line longer than 16 MB'],

  ['a return without a call', ok('[[:r x nil]]'), 'line 1: process 0 returns from txn, which it has not called'],
  [
    'two returns',
    txn('[[:r x nil]]') + ok('[[:r x nil]]'),
    'line 3: process 0 returns from txn, which it has not called',
  ],
  [
    'two calls at once',
    called('[[:r x nil]]') + called('[[:r x nil]]'),
    'line 2: process 0 calls txn before its txn has ended, called in line 1; a process runs one operation at a time',
  ],
  [
    'another type',
    event('done', '[[:r x nil]]'),
    'line 1: the field type is "done": expected invoke, ok, fail or info',
  ],
  ['no type', '{:process 0, :f :txn}\n', 'line 1: an event without the field type: expected invoke, ok, fail or info'],
  ['no function', '{:process 0, :type :invoke}\n', 'line 1: an event without the field f'],
  ['no process', '{:type :invoke, :f :txn}\n', 'line 1: an event without the field process'],
  [
    'a process that is a map',
    event('invoke', '[]', '{}'),
    'line 1: the field process is {}: expected a number or a name',
  ],
]

const LIST_APPEND: readonly Case[] = [
  ['no steps', called('nil'), 'line 1: txn is not a transaction: expected a value such as [[:append 9 2] [:r 9 nil]]'],
  ['another step', called('[[:inc x 1]]'), 'line 1: a transaction has the step ["inc","x",1]: expected [:r key value]'],
  ['a step of another workload', called('[[:w x 1]]'), 'line 1: not a micro-operation of list-append'],
  ['an append of nothing', called('[[:append x]]'), 'line 1: the step ["append","x"] writes no value'],
  [
    'a read of no list',
    called('[[:r x nil]]') + ok('[[:r x 3]]'),
    'line 2: a read of list-append must return a list or nil: 3',
  ],
  [
    'another value',
    called('[[:append x 1]]') + ok('[[:append x 2]]'),
    'line 2: the transaction returns other steps than it was called with in line 1',
  ],
  [
    'other steps',
    called('[[:r x nil]]') + ok('[[:r y nil]]'),
    'line 2: the transaction returns other steps than it was called with in line 1',
  ],
  [
    'a duplicate append',
    txn('[[:append x 1]]') + txn('[[:append x 1]]'),
    'line 3: 1 is appended to key x a second time (first by the transaction of line 1)',
  ],
  ['a duplicate append at once', txn('[[:append x 1] [:append x 1]]'), 'line 1: 1 is appended to key x a second time'],
  ['an operation of an object', read('read', 'nil', 'nil'), 'line 1: read is not a transaction'],
]

const MODELS: readonly (readonly [ModelName, ...Case])[] = [
  [
    'register',
    'another operation',
    read('pop', 'nil', 'nil'),
    'line 1: pop is not an operation of the model register: expected read, write',
  ],
  ['register', 'a transaction', txn('[[:r x nil]]'), 'line 1: txn is not an operation of the model register'],
  [
    'cas-register',
    'a compare-and-set of one value',
    read('cas', '3', '3'),
    'line 1: cas takes a value [from to] in the model cas-register, found 3',
  ],
  [
    'counter',
    'an addition of a text',
    read('add', '"x"', 'nil'),
    'line 1: add takes a number in the model counter, found "x"',
  ],
  [
    'counter',
    'a large number',
    read('add', '9007199254740993', 'nil'),
    'line 1: add takes a number in the model counter, found "9007199254740993"',
  ],
  [
    'counter',
    'a read of nothing',
    read('read', 'nil', 'nil'),
    'line 2: read returns a number in the model counter, found null',
  ],
  ['set', 'a read of a number', read('read', 'nil', '5'), 'line 2: read returns an array in the model set, found 5'],
  ['kv', 'no key', read('get', 'nil', '5'), 'line 1: get of the model kv has no key'],
]

async function refused(content: string | Uint8Array, ...asked: readonly string[]) {
  const path = file(content)
  const { status, errors, output } = await command('check', path, ...asked)
  expect(output).toBe('')
  expect(errors.replace(path, 'FILE')).toMatch(/^norn-history: FILE: /)
  expect(errors.length).toBeLessThan(600)
  expect(status).toBe(2)
  return errors
}

describe('is refused with status 2 and its place', () => {
  test.for(ANY_WORKLOAD)('%s', async ([, content, message]) =>
    expect(await refused(content, '--isolation', 'list-append')).toContain(message),
  )
  test.for(LIST_APPEND)('list-append: %s', async ([, content, message]) =>
    expect(await refused(content, '--isolation', 'list-append')).toContain(message),
  )
  test.for(MODELS)('%s: %s', async ([model, , content, message]) =>
    expect(await refused(content, '--model', model)).toContain(message),
  )
  test('rw-register: a write of what registers begin with', async () =>
    expect(await refused(called('[[:w x nil]]'), '--isolation', 'rw-register')).toContain('line 1: the step'))
})

/** A generator of numbers below a bound; a Lehmer generator modulo a prime. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed * 48_271 + 1
  return (below) => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
}

const GOOD: readonly (readonly [ModelName | 'transactions', string])[] = [
  ['transactions', txn('[[:append 1 1] [:r 2 nil]]') + called('[[:r 1 nil]]', 1) + ok('[[:r 1 [1]]]', 1)],
  ['transactions', `[${txn('[[:w :x 1] [:r "y" #{1 \\a}]]')}]`],
  [
    'transactions',
    `${json('[["append","x",1],["r",2,null]]')}${json('[["append","x",1],["r",2,[1]]]').replace('invoke', 'ok')}`,
  ],
  [
    'register',
    event('info', '{:a [1 #inst "2020"]}', ':nemesis', 'start') + read('write', '3', '3') + read('read', 'nil', '3'),
  ],
  ['cas-register', read('cas', '[3 4]', '[3 4]') + read('write', '5', '5').replaceAll('{', '#jepsen.history.Op{')],
  ['kv', read('get', '["x" nil]', '["x" nil]') + read('put', '["é" "☃"]', '["é" "☃"]')],
  ['register', log('0', ':invoke', ':write', '[1 2]') + log('0', ':ok', ':write', '[1 2]')],
]

const PIECES = '[](){}#_:;"\\,\t\n\r 0-9.eNM/^~@nil\0\x7f\xff☃'

/** Changes, drops, repeats or moves bytes, some times. */
function mutated(bytes: Uint8Array, below: (bound: number) => number): Uint8Array {
  let text = [...bytes]
  for (let times = 1 + below(3); times > 0; times--) {
    const at = below(text.length + 1)
    const length = 1 + below(below(2) === 0 ? 3 : 40)
    const piece = [...Buffer.from(PIECES.charAt(below(PIECES.length)))]
    switch (below(6)) {
      case 0:
        text.splice(at, length)
        break
      case 1:
        text.splice(at, 0, ...piece)
        break
      case 2:
        text.splice(at, 1, ...piece)
        break
      case 3:
        text.splice(below(text.length + 1), 0, ...text.slice(at, at + length))
        break
      case 4:
        text.splice(at, 1, below(256))
        break
      case 5:
        text = text.slice(0, at)
    }
  }
  return Uint8Array.from(text)
}

test('a damaged history is read or refused, in whatever chunks it comes', async () => {
  const below = randomFrom(7)
  let refusals = 0
  for (let round = 0; round < 2100; round++) {
    const [kind, text] = GOOD[round % GOOD.length]!
    const damaged = mutated(Buffer.from(text), below)
    const outcome = async (chunk: number) => {
      const chunks: Uint8Array[] = []
      for (let at = 0; at < damaged.length; at += chunk) chunks.push(damaged.subarray(at, at + chunk))
      try {
        return await readHistory<unknown, unknown>(
          chunks,
          kind === 'transactions' ? transactionReading : readingFor(kind),
        )
      } catch (error) {
        if (!(error instanceof HistoryError))
          throw new Error(JSON.stringify(Buffer.from(damaged).toString()), { cause: error })
        return error.message
      }
    }
    const whole = await outcome(damaged.length + 1)
    if (typeof whole === 'string') refusals++
    expect(await outcome(1 + below(9)), JSON.stringify(Buffer.from(damaged).toString())).toEqual(whole)
  }
  expect(refusals).toBeGreaterThan(1000)
  expect(refusals).toBeLessThan(2060)
})
