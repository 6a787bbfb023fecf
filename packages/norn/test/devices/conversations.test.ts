import { describe, expect, test } from 'vitest'
import type { Conversation, Unit } from '../../src/devices/device.ts'
import { mariadbProtocol } from '../../src/devices/mariadb/conversation.ts'
import { CAPABILITY, COMMAND, command as mariadbCommand, number, packet } from '../../src/devices/mariadb/packets.ts'
import { postgresProtocol } from '../../src/devices/postgres/conversation.ts'
import { errorMessage, int32, message, query } from '../../src/devices/postgres/messages.ts'
import { blockingOf } from '../../src/devices/redis/blocking.ts'
import { redisProtocol } from '../../src/devices/redis/conversation.ts'
import { command, words } from '../../src/devices/redis/resp.ts'

const int16 = (value: number) => Buffer.from([value >> 8, value & 255])
const value = (text: string | null) =>
  text === null ? int32(-1) : Buffer.concat([int32(Buffer.byteLength(text)), Buffer.from(text)])

const startup = message('', int32(0x30000), 'user', 'ada', Buffer.from([0]))
const parse = (name: string, sql: string) => message('P', name, sql, int16(0))
const bind = (statement: string, ...values: readonly (string | null)[]) =>
  message('B', '', statement, int16(0), int16(values.length), ...values.map(value), int16(0))
const execute = message('E', '', int32(0))
const sync = message('S')

const shown = (units: readonly Unit[]) => units.map(({ name, text, bytes }) => [name, text, bytes.length])

/** The units must not depend on how the bytes are cut. */
function inPieces(conversation: () => Conversation, bytes: Buffer): void {
  const whole = shown(conversation().units(bytes))
  for (let cut = 1; cut < bytes.length; cut++) {
    const reader = conversation()
    const units = [...reader.units(bytes.subarray(0, cut)), ...reader.units(bytes.subarray(cut))]
    expect(shown(units)).toEqual(whole)
  }
}

describe('a client of PostgreSQL', () => {
  const { conversation } = postgresProtocol

  test('speaks in units that the server answers, told as SQL with its values', () => {
    const select = 'SELECT *\n  FROM accounts WHERE name = $1 AND balance > $2'
    const bytes = Buffer.concat([
      startup,
      query('BEGIN;'),
      parse('', select),
      bind('', "o'neil", null),
      message('D', 'P'),
      execute,
      sync,
      message('X'),
    ])
    expect(conversation().units(bytes)).toMatchObject([
      { name: 'connects', text: 'connects' },
      { name: 'BEGIN', text: 'BEGIN' },
      {
        name: 'SELECT * FROM accounts WHERE name = $1 AND balance > $2',
        text: "SELECT * FROM accounts WHERE name = 'o'neil' AND balance > NULL",
      },
      { name: 'leaves' },
    ])
    inPieces(conversation, bytes)
  })

  test('names a statement when it prepares it, and executes it by its name', () => {
    const reader = conversation()
    reader.units(Buffer.concat([startup, parse('s1', 'DELETE FROM a WHERE id = $1'), sync]))
    expect(reader.units(Buffer.concat([bind('s1', '7'), execute, bind('s1', '8'), execute, sync]))).toMatchObject([
      { text: 'DELETE FROM a WHERE id = 7; DELETE FROM a WHERE id = 8' },
    ])
  })

  test('asks for encryption before it names itself', () => {
    const reader = conversation()
    expect(reader.units(message('', int32(80_877_103)))).toMatchObject([{ text: 'asks for encryption' }])
    expect(reader.answer(Buffer.from('N'))).toBe('no encryption')
    expect(reader.units(startup)).toMatchObject([{ text: 'connects' }])
  })

  test.each([
    [[message('C', 'UPDATE 1'), message('Z', Buffer.from('I'))], 'UPDATE 1'],
    [[message('D', int16(2), value('7'), value(null)), message('C', 'SELECT 1')], '(7, NULL)'],
    [
      [message('D', int16(1), value('a')), message('D', int16(1), value('b')), message('C', 'SELECT 2')],
      "2 rows: ('a'), …",
    ],
    [[errorMessage('ERROR', '40001', 'could not serialize')], 'ERROR 40001 could not serialize'],
  ])('hears answers in words: %#', (messages, text) => {
    expect(conversation().answer(Buffer.concat(messages))).toBe(text)
  })
})

describe('a client of Redis', () => {
  const { conversation } = redisProtocol

  test('speaks in commands; a transaction that comes in one piece is one', () => {
    const bytes = Buffer.concat([
      command('SET', 'stock', '1'),
      command('multi'),
      command('INCR', 'n'),
      command('exec'),
      Buffer.from('PING\r\n'),
    ])
    expect(conversation().units(bytes)).toMatchObject([
      { name: 'SET stock', text: 'SET stock 1' },
      { name: 'multi; INCR n; exec', text: 'multi; INCR n; exec' },
      { text: 'PING' },
    ])
    const apart = conversation()
    expect([...apart.units(command('multi')), ...apart.units(command('exec'))]).toHaveLength(2)
  })

  test('hears answers in words', () => {
    const answer = '*3\r\n$1\r\na\r\n$-1\r\n:7\r\n-ERR no\r\n%1\r\n+x\r\n_\r\n'
    expect(conversation().answer(Buffer.from(answer))).toBe('[a, (nil), 7], ERROR ERR no, [x, (nil)]')
  })

  test.each([
    [['BLPOP', 'q', '2.5'], ['BLPOP', 'q', '0'], 2_500_000],
    [['blmpop', '1', '1', 'q', 'LEFT'], ['blmpop', '0', '1', 'q', 'LEFT'], 1_000_000],
    [['XREAD', 'BLOCK', '100', 'STREAMS', 's', '$'], ['XREAD', 'BLOCK', '0', 'STREAMS', 's', '$'], 100_000],
    [['BRPOP', 'q', '0'], ['BRPOP', 'q', '0'], undefined],
    [['BRPOP', 'q', 'no'], ['BRPOP', 'q', 'no'], undefined],
  ])('waits by its own clock: %s', (given, sent, patienceUs) => {
    const blocking = blockingOf(given.map((word) => Buffer.from(word)))!
    expect(words(blocking.bytes).map(String)).toEqual(sent)
    expect(blocking.patienceUs).toBe(patienceUs)
  })

  test('does not wait with commands that do not', () => {
    expect(blockingOf(words(command('XREAD', 'STREAMS', 's', '0')))).toBeUndefined()
    expect(blockingOf(words(command('GET', 'block')))).toBeUndefined()
  })
})

describe('a client of MariaDB', () => {
  const { conversation } = mariadbProtocol
  const login = packet(1, number(CAPABILITY.protocol41, 4), number(0, 4), number(45, 1), Buffer.alloc(23), 'ada', '')
  const text = (value: string) => Buffer.concat([number(value.length, 1), Buffer.from(value)])
  const column = (name: string, type: number) =>
    Buffer.concat([
      text('def'),
      text(''),
      text('t'),
      text('t'),
      text(name),
      text(name),
      Buffer.from([12, 45, 0, 0, 0, 0, 0, type, 0, 0, 0]),
    ])
  const [OK, EOF] = [Buffer.from([0, 2, 0, 2, 0, 0, 0]), Buffer.from([254, 0, 0, 2, 0])]

  test('speaks in commands', () => {
    const bytes = Buffer.concat([
      login,
      mariadbCommand(COMMAND.query, 'SELECT *\n  FROM accounts;'),
      mariadbCommand(COMMAND.prepare, 'DELETE FROM accounts'),
      mariadbCommand(COMMAND.closeStatement, number(1, 4)),
      mariadbCommand(COMMAND.quit),
    ])
    expect(
      conversation()
        .units(bytes)
        .map(({ text }) => text),
    ).toEqual(['connects', 'SELECT * FROM accounts', 'prepare DELETE FROM accounts', '', 'leaves'])
    inPieces(conversation, bytes)
  })

  test('its server answers with counts, rows and errors, however they are cut', () => {
    const rows = [packet(1, number(2, 1)), packet(2, column('id', 3)), packet(3, column('name', 253)), packet(4, EOF)]
    const answers = [
      packet(0, Buffer.from([10]), '10.11', Buffer.alloc(40)),
      packet(2, OK),
      packet(1, OK),
      Buffer.concat([
        ...rows,
        packet(5, text('1'), text('ada')),
        packet(6, text('2'), Buffer.from([0xfb])),
        packet(7, EOF),
      ]),
      packet(1, Buffer.from('\xff\xbd\x04', 'latin1'), '#40001Deadlock found'),
    ]
    for (const step of [1, 5, 1000]) {
      const reader = conversation()
      const said: string[] = []
      for (const [at, bytes] of answers.entries()) {
        if (at === 1) reader.units(login)
        if (at > 1) reader.units(mariadbCommand(COMMAND.query, 'SELECT'))
        const parts: string[] = []
        for (let from = 0; from < bytes.length; from += step)
          parts.push(reader.answer(bytes.subarray(from, from + step)))
        said.push(parts.filter((part) => part !== '').join())
      }
      expect(said).toEqual([
        '',
        'connected',
        '2 changed',
        "2 rows: (1, 'ada'), …",
        'ERROR 1213 (40001) Deadlock found\0',
      ])
    }
  })
})
