/**
 * The diagram: its columns, what gets a line, how what is late is marked, and how long ones are
 * cut.
 */

import { describe, expect, it } from 'vitest'
import type { Frame } from '../../src/contract/execution.ts'
import { subjectOf } from '../../src/contract/subject.ts'
import type { Note, TraceEvent } from '../../src/contract/trace.ts'
import type { Traffic, Transfer } from '../../src/contract/traffic.ts'
import { type InterleavingInput, interleaving } from '../../src/report/diagram/interleaving.ts'
import { diagramSvg } from '../../src/report/diagram/svg.ts'
import { diagramText } from '../../src/report/diagram/text.ts'
import { PLAIN } from '../../src/report/style.ts'

/**
 * `0:1 effect unlink a.txt @50 +10 → EEXIST`: label, event, kind, resource, time and lateness in
 * µs, outcome.
 */
function event(text: string): TraceEvent {
  const match = /^(\S+) (\w+) (\w+)(?: ([^@+→]\S*))? @(\d+)(?: \+(\d+))?(?: → ([\w ]+))?$/.exec(text)
  if (match === null) throw new Error(text)
  const [, label, name, kind, resource = '', at, late = '0', outcome = 'ok'] = match
  return {
    event: name as TraceEvent['event'],
    label: label!,
    chain: label!.slice(0, label!.lastIndexOf(':')),
    kind: kind!,
    resource,
    atUs: Number(at),
    delayUs: Number(late),
    outcome,
  }
}

const late = (label: string, us: number) => {
  const subject = subjectOf('latency', label)
  const choice = { kind: 'latency' as const, label, min: 0, max: 20_000, value: us }
  return subject === undefined ? choice : { ...choice, subject }
}

const diagram = (input: InterleavingInput, width?: number) => diagramText(interleaving(input), PLAIN, width).lines

function draw(events: readonly string[], schedule: ReturnType<typeof late>[] = [], origins: [string, Frame][] = []) {
  return diagram({ trace: events.map(event), notes: [], origins: new Map(origins), schedule })
}

const frame = (file: string, line: number): Frame => ({ file, line, column: 1, functionName: '' })

describe('what gets a line', () => {
  it('an effect stands for its submission, and for a callback that follows at once', () => {
    expect(
      draw([
        '0:0 start body @0',
        '0:1 submit open a.txt @0',
        '0:1 effect open a.txt @50',
        '0:1 callback open a.txt @50',
        '0:1 settled fulfilled @60',
      ]),
    ).toEqual(['  ms', '0.05  ●  open a.txt', '0.06  ■  the body is done'])
  })

  it('an injected fault stands for what it befalls', () => {
    expect(
      draw([
        '0:0 sync read config.json @10',
        '0:0 fault read config.json @10 → 3 of 10 bytes',
        '0:0 sync writeFile app.log @20',
        '0:0 fault write app.log @20 → ENOSPC',
        '0:1 fault write b.txt @50 → 1 of 2 bytes',
        '0:1 effect write b.txt @50',
        '0:2 fault open c.txt @90 → EMFILE',
        '0:2 effect open c.txt @90 +40 → EMFILE',
      ]),
    ).toEqual([
      '  ms',
      '0.01  ✗  injected: read config.json gave 3 of 10 bytes',
      '0.02  •  writeFile app.log',
      '0.02  ✗  injected ENOSPC: write app.log',
      '0.05  ✗  injected: write b.txt took 1 of 2 bytes',
      '0.09  ◆  injected EMFILE: open c.txt                    delayed by 0.04 ms',
    ])
  })

  it('a callback is told if something came between it and its effect', () => {
    expect(
      draw([
        '0:1 effect open a.txt @50',
        '0/0.1:1 effect open b.txt @50',
        '0:1 callback open a.txt @60',
        '0/0.1:1 callback open b.txt @70',
      ]),
    ).toEqual([
      '  ms  A B',
      '0.05  ●    open a.txt',
      '0.05  │ ●  open b.txt',
      '0.06  ○ │  open a.txt calls back',
      '0.07    ○  open b.txt calls back',
    ])
  })

  it('an error is told by its code', () => {
    expect(draw(['0:1 effect open a.txt @50 → EEXIST'])[1]).toBe('0.05  ●  open a.txt → EEXIST')
  })
})

describe('what is late', () => {
  it('is a program that is held up, and a transfer that stays half done', () => {
    expect(
      draw(
        [
          '0:0 start body @0',
          '0:0 stall timer @1200 +1200',
          '0:1 submit write a.txt @1200',
          '0:1 half write a.txt @1250',
          '0:1 effect write a.txt @3250 +2000',
          '0:1 callback write a.txt @3250',
          '0:1 settled fulfilled @3260',
        ],
        [late('0:0 timer stall', 1200), late('0:1 write tear', 2000)],
      ),
    ).toEqual([
      '  ms',
      '1.20  ◆  the program is stalled    delayed by 1.20 ms',
      '1.25  ◐  write a.txt is half done',
      '3.25  ◆  write a.txt               delayed by 2.00 ms',
      '3.26  ■  the body is done',
    ])
  })

  it('is shown where it was asked for, and where it took effect', () => {
    expect(
      draw(
        [
          '0:1 submit unlink lock @0',
          '0/0.1:1 submit open lock @0',
          '0/0.1:1 effect open lock @50',
          '0:1 effect unlink lock @1100 +1050',
          '0:1 settled rejected @1100',
        ],
        [late('0:1 unlink effect', 1050)],
        [
          ['0:1', frame('lock.ts', 7)],
          ['0/0.1:1', frame('lock.ts', 9)],
        ],
      ),
    ).toEqual([
      '  ms  A B',
      '0.00  ◇    unlink lock is submitted                      lock.ts:7',
      '0.05  │ ●  open lock                                     lock.ts:9',
      '1.10  ◆    unlink lock               delayed by 1.05 ms  lock.ts:7',
      '1.10  ■    the body fails',
    ])
  })

  it('is shown before the end if it has not come at all', () => {
    expect(
      draw(
        ['0:1 submit write a.txt @0', '0/0.1:1 effect open b.txt @50', '0/0.1:1 settled rejected @60'],
        [late('0:1 write effect', 5000), late('0:1 write callback', 300)],
      ),
    ).toEqual([
      '  ms  A B',
      '0.00  ◇    write a.txt is submitted',
      '0.05  │ ●  open b.txt',
      '   …  ◆ │  write a.txt has not taken effect yet  delayed by 5.00 ms',
      '0.06    ■  the body fails',
    ])
  })

  it('marks a timer that the loop woke late for', () => {
    expect(draw(['0:1 timer timer @12000'], [late('0:1 wake timer', 2000)])).toEqual([
      '   ms',
      '12.00  ◆  timer fires  delayed by 2.00 ms',
    ])
  })

  it('leaves out a choice that is no latency', () => {
    expect(draw(['0:1 effect open a.txt @50'], [late('chance seed', 7)])).toEqual(['  ms', '0.05  ●  open a.txt'])
  })
})

describe('columns', () => {
  it('one for each chain, in the order in which they appear, drawn through from its first step to its last', () => {
    expect(
      draw([
        '0:1 timer timer @1000',
        '0/0.1:1 timer timer @2000',
        '0/0.2:1 timer timer @3000',
        '0/0.1:2 timer timer @4000',
        '0:2 timer timer @5000',
      ]),
    ).toEqual([
      '  ms  A B C',
      '1.00  ◷      timer fires',
      '2.00  │ ◷    timer fires',
      '3.00  │ │ ◷  timer fires',
      '4.00  │ ◷    timer fires',
      '5.00  ◷      timer fires',
    ])
  })

  it('beyond twelve chains the last column is shared', () => {
    const lines = draw(Array.from({ length: 15 }, (_, chain) => `0/0.${chain}:1 timer timer @${chain}000`))
    expect(lines[0]).toBe('   ms  A B C D E F G H I J K L')
    expect(lines.at(-1)).toBe(`14.00  ${'  '.repeat(11)}◷  timer fires`)
  })
})

describe('sources and widths', () => {
  it('a package is named by its name, a long path by its end', () => {
    const lines = draw(
      ['0:1 timer timer @0', '0:2 timer timer @0'],
      [],
      [
        ['0:1', frame('a/node_modules/graceful-fs/graceful-fs.js', 12)],
        ['0:2', frame('packages/storage/engine/source/internal/journal/writer.ts', 3)],
      ],
    )
    expect(lines[1]).toBe('0.00  ◷  timer fires  graceful-fs/graceful-fs.js:12')
    expect(lines[2]).toBe('0.00  ◷  timer fires  …/internal/journal/writer.ts:3')
  })

  it('a text that is cut within a place keeps its line', () => {
    const trace = [event('0:1 effect open PoolOfConnectionsToOneDatabase.js:163 @50')]
    const lines = diagram({ trace, notes: [], origins: new Map(), schedule: [] }, 40)
    expect(lines[1]).toBe('0.05  ●  open PoolOfConnect…abase…:163')
    expect(
      diagram(
        { trace: [event(`0:1 effect open ${'a'.repeat(60)} @50`)], notes: [], origins: new Map(), schedule: [] },
        40,
      )[1],
    ).toMatch(/aa…$/)
  })

  it('stays below 120 columns where names are long', () => {
    const long = 'x'.repeat(200)
    const lines = draw(
      [`0:1 submit open ${long} @0`, `0/0.1:1 effect open ${long} @50`, `0:1 effect open ${long} @20000050 +1050`],
      [late('0:1 open effect', 1050)],
      [['0:1', frame(`${'folder/'.repeat(20)}file.ts`, 1234)]],
    )
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(116)
  })
})

describe('a long execution', () => {
  it('is cut down to its beginning, its end, and what surrounds the late steps', () => {
    const steps = Array.from({ length: 200 }, (_, index) => `0:${index} effect write ${index}.txt @${index * 50}`)
    steps[100] = '0:100 effect unlink a.txt @5000 +1000'
    const lines = draw(steps, [late('0:100 unlink effect', 1000)])
    const writes = (...at: string[]) => at.map((time) => `${time} ● write a.txt`)
    expect(
      lines.map((line) =>
        line
          .trim()
          .replace(/ +/g, ' ')
          .replace(/write \d+/, 'write a'),
      ),
    ).toEqual([
      'ms',
      ...writes('0.00', '0.05', '0.10', '0.15'),
      '… 93 steps left out',
      ...writes('4.85', '4.90', '4.95'),
      '5.00 ◆ unlink a.txt delayed by 1.00 ms',
      ...writes('5.05', '5.10', '5.15'),
      '… 86 steps left out',
      ...writes(...Array.from({ length: 10 }, (_, index) => (9.5 + index * 0.05).toFixed(2))),
    ])
  })
})

describe('lines that repeat', () => {
  const polls = (count: number, every = 1000) =>
    Array.from({ length: count }, (_, index) => `0:${index} timer timer @${(index + 1) * every}`)

  it('are told once, with how often and until when', () => {
    expect(draw([...polls(60), '0:60 settled steps @60010'])).toEqual([
      '   ms',
      ' 1.00  ◷  timer fires',
      '   … the same 59 more times, until 60.00 ms',
      '60.01  ■  the body has not settled within its limit of steps',
    ])
  })

  it('may be several that take turns', () => {
    const turns = polls(20).flatMap((poll, index) => [poll, `0:${index} effect read a.txt @${(index + 1) * 1000 + 50}`])
    expect(draw(turns)).toEqual([
      '   ms',
      ' 1.00  ◷  timer fires',
      ' 1.05  ●  read a.txt',
      '   … these 2 lines 19 more times, until 20.05 ms',
    ])
  })

  it('all have lines if they are few, delayed, or every step was asked for', () => {
    const late4 = [0, 1, 2, 3, 4].map((index) => late(`0:${index} wake timer`, 2000))
    expect(draw(polls(4))).toHaveLength(1 + 4)
    expect(draw(polls(5))).toHaveLength(1 + 2)
    expect(draw(polls(5), late4)).toHaveLength(1 + 5)
    const all = { trace: polls(60).map(event), notes: [], origins: new Map(), all: true }
    expect(diagram(all)).toHaveLength(1 + 60)
  })

  it('count among the steps left out of a long execution', () => {
    const writes = Array.from({ length: 60 }, (_, index) => `0:${index} effect write ${index}.txt @${index * 50}`)
    const lines = draw([...writes.slice(0, 30), ...polls(50, 10_000), ...writes.slice(30)])
    expect(lines.map((line) => line.trim())).toContain('… 96 steps left out')
  })
})

describe('notes and targets', () => {
  const trace = ['0:0 start body @0', '0:1 timer timer @10', '0:2 timer timer @20'].map(event)
  const note = (at: number, event: Note['event'], subject: string, value?: string): Note => ({
    ...{ event, at, atUs: at * 10, label: `0:${at}`, chain: '0', place: `note ${at}`, subject },
    ...(value === undefined ? {} : { value }),
  })

  it('have lines where they are reached, with the values of targets', () => {
    const notes = [note(1, 'note', 'cache hit'), note(2, 'target', 'queue', '3')]
    expect(diagram({ trace, notes, origins: new Map([['note 1', frame('a.ts', 4)]]) }).slice(1)).toEqual([
      '0.01  ▪  note cache hit   a.ts:4',
      '0.01  ◷  timer fires',
      '0.02  ▪  target queue: 3',
      '0.02  ◷  timer fires',
    ])
  })

  it('of a loop are folded, whatever the values', () => {
    const notes = Array.from({ length: 9 }, (_, value) => note(2, 'target', 'queue', `${value}`))
    expect(diagram({ trace, notes, origins: new Map() })).toContain('   … one like this 8 more times, until 0.02 ms')
  })
})

describe('over connections', () => {
  // The body (0) connects twice and asks; a server at :80 answers. A data step is a child of its sender.
  const events = [
    '0:0 start body @0',
    '0:1 submit connect 127.0.0.1:80 @0',
    '0:1 effect connect 127.0.0.1:80 @0',
    '0/0.1:1 submit accept 127.0.0.1:80 @0',
    '0/0.1:1 effect accept 127.0.0.1:80 @0',
    '0/0.1:1 callback accept 127.0.0.1:80 @10',
    '0:1 callback connect 127.0.0.1:80 @20',
    '0:2 submit data 127.0.0.1:80 @20',
    '0:2 effect data 127.0.0.1:80 @20',
    '0/1.1:1 submit data 127.0.0.1:80 @20',
    '0/1.1:1 effect data 127.0.0.1:80 @20',
    '0:2 callback data 127.0.0.1:80 @30',
    '0:3 submit open a.txt @30',
    '0/1.1:1 callback data 127.0.0.1:80 @90 +60',
    '0/1.1:2 submit open b.txt @90',
    '0:3 effect open a.txt @100',
    '0/1.1:2 effect open b.txt @110',
    '0:3 callback open a.txt @110',
    '0:4 submit data 127.0.0.1:9 @110',
    '0:4 effect data 127.0.0.1:9 @110',
    '0:4 callback data 127.0.0.1:9 @120',
    '0:4 settled fulfilled @130',
  ]
  const transfer = (label: string, to: 'client' | 'server', text: string, what: Transfer['what'] = 'bytes') => {
    return { label, what, connection: 0, to, text }
  }
  const traffic: Traffic = {
    connections: [{ server: '127.0.0.1:80', place: 'listen 127.0.0.1:80' }],
    transfers: [
      transfer('0:1', 'client', '', 'connection'),
      transfer('0/0.1:1', 'server', '', 'connection'),
      transfer('0:2', 'server', 'GET /a'),
      transfer('0/1.1:1', 'server', 'GET /b\u001b[2J'),
      transfer('0:4', 'client', '200 OK'),
    ],
    routine: new Set(),
    causes: new Map(
      [
        ['0:1', '0:0'],
        ['0/0.1:1', '0:0'],
        ['0:2', '0:1'],
        ['0/1.1:1', '0:1'],
        ['0:3', '0:2'],
        ['0/1.1:2', '0/1.1:1'],
        ['0:4', '0:3'],
      ].map(([step, label]) => [step!, { label: label!, forks: step!.endsWith('.1:1') }]),
    ),
  }
  const schedule = [
    { ...late('0/1.1:1 data callback', 60), subject: subjectOf('latency', '0/1.1:1 data callback') },
  ] as ReturnType<typeof late>[]
  const origins = new Map([['0:2', frame('packages/app/src/client.ts', 7)]])
  const input = { trace: events.map(event), notes: [], origins, schedule, traffic }

  it('clients and servers have columns of their own, and messages are arrows between them', () => {
    expect(diagram(input)).toEqual([
      '  ms  client  :80',
      '0.02  ◇            sends GET /b\\u001b[2J',
      '0.03  ├───────▶    GET /a                                     packages/app/src/client.ts:7',
      '0.09  ├───────┼─◆  GET /b\\u001b[2J        delayed by 0.06 ms',
      '0.10  │       ● │  open a.txt',
      '0.11  │       │ ●  open b.txt',
      '0.11  │       ○    open a.txt calls back',
      '0.12  ◀───────┤    200 OK',
      '0.13  ■            the body is done',
    ])
  })

  it('a narrow diagram has no folders, and cuts texts', () => {
    const lines = diagram(input, 62)
    expect(lines[2]).toMatch(/ {2}client\.ts:7$/)
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(75)
  })

  it('but of a file called index the folder in which it is', () => {
    const events = ['0:0 start body @0', '0:1 effect open a.txt @50', '0:2 effect open b.txt @90']
    const origins: [string, Frame][] = [
      ['0:1', frame('/a/node_modules/some-pool/dist/esm/smtp-pool/index.js', 9)],
      ['0:2', frame('/a/node_modules/some-pool/dist/esm/smtp-pool/connection.js', 7)],
    ]
    const lines = diagram({ trace: events.map(event), notes: [], origins: new Map(origins), schedule: [] }, 50)
    expect(lines.slice(1)).toEqual([
      expect.stringMatching(/ {2}smtp-pool\/index\.js:9$/),
      expect.stringMatching(/ {2}connection\.js:7$/),
    ])
  })

  it('in a narrow diagram a text without a note takes the place of the notes', () => {
    const long = transfer('0:4', 'client', 'HTTP/1.1 200 OK with a long reason')
    const transfers = [...traffic.transfers.filter(({ label }) => label !== '0:4'), long]
    const lines = diagram({ ...input, traffic: { ...traffic, transfers } }, 70)
    expect(lines.slice(3, 4)).toEqual(['0.09  ├───────┼─◆  GET /b\\u001b[2J  delayed by 0.06 ms'])
    expect(lines.slice(7, 8)).toEqual(['0.12  ◀───────┤    HTTP/1.1 200 OK with a long reason'])
  })

  it('a connection that a fault severs is reset at both ends by neither', () => {
    const severed = [
      '0:0 start body @0',
      '0:1 submit connect 127.0.0.1:80 @0',
      '0:1 effect connect 127.0.0.1:80 @0',
      '0/0.1:1 submit accept 127.0.0.1:80 @0',
      '0/0.1:1 effect accept 127.0.0.1:80 @0',
      '0/0.1:1 callback accept 127.0.0.1:80 @10',
      '0:1 callback connect 127.0.0.1:80 @20',
      '0:2 submit data 127.0.0.1:80 @20',
      '0:2 effect data 127.0.0.1:80 @20',
      '0:2 callback data 127.0.0.1:80 @30',
      '0:3 submit data 127.0.0.1:9 @30',
      '0:3 effect data 127.0.0.1:9 @30',
      '0:3 fault data 127.0.0.1:9 @30 → reset before it arrived',
      '0/2.1:1 submit reset 127.0.0.1:80 @30',
      '0/2.1:1 effect reset 127.0.0.1:80 @30',
      '0/2.2:1 submit reset 127.0.0.1:9 @30',
      '0/2.2:1 effect reset 127.0.0.1:9 @30',
      '0/2.1:1 callback reset 127.0.0.1:80 @40',
      '0/2.2:1 callback reset 127.0.0.1:9 @50',
      '0/2.2:2 submit open again.txt @50',
      '0/2.2:2 effect open again.txt @60',
    ]
    const transfers: Transfer[] = [
      ...traffic.transfers.slice(0, 3),
      transfer('0:3', 'client', '200 OK'),
      { ...transfer('0/2.1:1', 'server', '', 'reset'), isInjected: true },
      { ...transfer('0/2.2:1', 'client', '', 'reset'), isInjected: true },
    ]
    const causes: Traffic['causes'] = new Map(
      [
        ['0:1', '0:0'],
        ['0/0.1:1', '0:0'],
        ['0:2', '0:1'],
        ['0:3', '0:2'],
        ['0/2.1:1', '0:2'],
        ['0/2.2:1', '0:2'],
        ['0/2.2:2', '0/2.2:1'],
      ].map(([step, label]) => [step!, { label: label!, forks: step!.endsWith('.1:1') }]),
    )
    const both = {
      trace: severed.map(event),
      notes: [],
      origins: new Map(),
      traffic: { ...traffic, transfers, causes },
    }
    expect(diagram(both)).toEqual([
      '  ms  client  :80',
      '0.03  ├───────▶    GET /a',
      '0.03  │       ✗    injected: reset before it arrived: 200 OK',
      '0.04  │       ✗    the connection is reset',
      '0.05  ✗            the connection is reset',
      '0.06  ●            open again.txt',
    ])
  })

  it('servers with the same port are told by their hosts', () => {
    const connections = ['10.0.0.5:80', '10.0.0.6:80', '10.0.0.6:8080'].map((server) => ({ server, place: '' }))
    const transfers = traffic.transfers.map((each, index) => ({ ...each, connection: index % 3 }))
    const [head] = diagram({ ...input, traffic: { ...traffic, connections, transfers } })
    expect(head).toBe('  ms  client  :8080  10.0.0.5:80  10.0.0.6:80')
  })

  it('as an SVG is the same each time, and text never becomes markup', () => {
    const draw = () => diagramSvg(interleaving({ ...input, failure: 'a & b' }), '<script>')
    const svg = draw()
    expect(svg).toBe(draw())
    expect(svg).not.toContain('<script')
    expect(svg).not.toContain('\u001b')
    expect(svg.match(/marker-end/g)).toHaveLength(3)
  })
})
