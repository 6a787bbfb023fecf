/**
 * The space-time diagram in the terminal: what a row looks like, what stands beside it, and how
 * long logs are cut.
 */
import { describe, expect, it } from 'vitest'
import type { LogEntry } from '../../src/cluster/log.ts'
import type { Diagram } from '../../src/report/diagram/diagram.ts'
import { spaceTime } from '../../src/report/diagram/space-time.ts'
import { diagramText } from '../../src/report/diagram/text.ts'
import { TEXT_ROOM } from '../../src/report/diagram/text-cluster.ts'
import { PLAIN, type Style, terminalStyle } from '../../src/report/style.ts'
import { chanceLog, entry, failing, stepsOf } from './event-logs.ts'

const ABC = ['a', 'b', 'c']

function linesOf(diagram: Diagram, width: number, style = PLAIN): string[] {
  const { lines, below } = diagramText(diagram, style, width)
  return [...lines, '', ...below]
}

interface More {
  readonly nodes?: readonly string[]
  readonly departures?: ReadonlySet<number>
  readonly failure?: string
}

function draw(log: readonly (string | LogEntry)[], more: More = {}, width = 71): string[] {
  const { nodes = ABC, departures, failure } = more
  const entries = log.map((each) => (typeof each === 'string' ? entry(each) : each))
  const record = { nodes, log: entries, steps: stepsOf(departures) }
  return linesOf(spaceTime(record, failing(failure), { room: TEXT_ROOM }), width)
}

/** Without what stands below: messages under way and the legend. */
function rows(...call: Parameters<typeof draw>): string[] {
  const lines = draw(...call)
  return lines.slice(0, lines.indexOf(''))
}

const columnsOf = (line: string) => [...line].length

describe('what a row looks like', () => {
  it('messages are arrows to where they are handled, numbered where they are sent', () => {
    expect(
      rows([
        '0@1 request a #0 {"set":"x"}',
        '0@1 send a>b #0 {"type":"Put"}',
        '0@1 send a>c #1 {"type":"Put"}',
        '1@2 deliver a>c #1 {"type":"Put"}',
        '1@2 send c>a #2 {"type":"Ack"}',
        '2@3 deliver c>a #2 {"type":"Ack"}',
        "2@3 reply a #0 'x' 7",
        '2@3 event a \'everything is done\' {"n":1}',
        '3@4 deliver a>b #0 {"type":"Put"}',
      ]),
    ).toEqual([
      '  step  ms  a     b     c',
      '     0   1  ◇     │     │  request 0: set=x  → #0 #1',
      '     1   2  ├─────┼─────▶  #1 Put  → #2',
      '     2   3  ◀─────┼─────┤  #2 Ack  replies 7 to request 0',
      '            │     │     │  • everything is done n=1',
      '     3   4  ├─────▶     │  #0 Put',
    ])
  })

  it('crosses are losses, bars crashes and restarts: between them there is no line', () => {
    expect(
      rows(
        [
          '0@1 send a>b #0 {"type":"Put"}',
          '0@1 send a>c #2 {"type":"Put"}',
          '0@1 send c>c #1 {"type":"Self"}',
          '1@1.5 lost a>c #2 \'drop\' {"type":"Put"}',
          '2@2 crash b',
          '3@3 lost a>b #0 \'down\' {"type":"Put"}',
          '4@3 deliver c>c #1 {"type":"Self"}',
          '5@4 restart b',
        ],
        {},
        73,
      ),
    ).toEqual([
      '  step    ms  a     b     c',
      '     0  1.00  ●     │     │  a sends #0 Put  → #2',
      '        1.00  │     │     ●  c sends #1 Self',
      '     1  1.50  ├─────┼────✗│  #2 Put is lost: dropped',
      '     2  2.00  │     ┻     │  b crashes',
      '     3  3.00  ├────✗      │  #0 Put is lost: b is down',
      '     4  3.00  │           ↻  #1 Self',
      '     5  4.00  │     ┳     │  b restarts',
    ])
  })

  it('a message of a node that is down comes out of nowhere, and one that comes twice is dashed', () => {
    expect(
      rows(['0@1 crash a', '1@2 deliver a>c #0 1', '2@2 duplicate c>b #1 1', "3@3 timeout b 'beat'"]).slice(1),
    ).toEqual([
      '     0   1  ┻     │     │  a crashes',
      '     1   2  ──────┼─────▶  #0 1',
      '     2   2        │+╌╌╌╌┤  #1 is duplicated',
      '     3   3        ◷     │  timer beat fires',
    ])
  })

  it('the network parts in numbered groups, heals, and becomes calm', () => {
    expect(rows(['0@1 partition [["a","c"],["b"]]', '1@2 heal', '2@2 calm']).slice(1)).toEqual([
      '     0   1  1═════2═════1  the network partitions: a c | b',
      '     1   2  ╪═════╪═════╪  the network heals',
      '         2  ┼╌╌╌╌╌┼╌╌╌╌╌┼  fault-free phase from here on',
    ])
  })

  it('departures of the schedule are marked, but none in the calm; the failure stands below the last row', () => {
    const log = ["3@1 timeout a 'x'", "4@1 timeout b 'x'", '5@2 calm', "5@3 timeout c 'x'"]
    expect(rows(log, { departures: new Set([4, 5]), failure: 'two leaders\u001b[31m' }).slice(1)).toEqual([
      '     3   1  ◷     │     │  timer x fires',
      '◆    4   1  │     ◷     │  timer x fires',
      '         2  ┼╌╌╌╌╌┼╌╌╌╌╌┼  fault-free phase from here on',
      '         3  │     │     ◷  timer x fires',
      '            │     │     │  ✗ two leaders\\u001b[31m',
    ])
  })

  it('events that are quiet are left out, other entries of their name are not', () => {
    const log = ["0@1 timeout a 'step'", "0@1 event a 'step'", "0@1 event a 'elected'"].map(entry)
    const { rows } = spaceTime({ nodes: ABC, log, steps: [], quiet: ['step'] }, undefined)
    expect(rows).toMatchObject([{ text: 'timer step fires', more: [{ text: '• elected' }] }])
  })

  it('a failure that says what only below its first line is told with that line', () => {
    const told = (message: string) => spaceTime({ nodes: ABC, log: [], steps: [] }, failing(message)).failure
    expect(told('Expected values to be equal:\n\n2 !== 1\n')).toBe('Expected values to be equal: 2 !== 1')
    expect(told('two leaders\n  in term 1')).toBe('two leaders')
    expect(told('')).toBe('error')
  })
})

describe('what stands around it', () => {
  it('names that do not fit side by side stand below each other', () => {
    const nodes = ['master', 'worker', 'standby', 'w', 'x', 'y', 'z']
    expect(rows(["0@1 timeout w 'x'"], { nodes }, 65).slice(0, -1)).toEqual([
      '            master',
      '            │  worker',
      '            │  │  standby',
      '  step  ms  │  │  │  w  x  y  z',
    ])
  })

  it('of many long names the columns have letters', () => {
    const nodes = Array.from({ length: 9 }, (_, index) => `server${index}`)
    const lines = draw(["0@1 timeout server8 'x'"], { nodes })
    expect(lines[0]).toBe('  step  ms  A  B  C  D  E  F  G  H  I')
    expect(lines.join('\n')).toContain('  A server0  B server1  C server2  D server3  E server4')
  })

  it('of more nodes than columns, those that do least share the last one', () => {
    const nodes = Array.from({ length: 40 }, (_, index) => `n${index}`)
    const lines = draw(["0@1 timeout n39 'x'", '1@2 deliver n20>n39 #1 1'], { nodes })
    expect(lines.join('\n')).toContain('n39')
    expect(lines.join('\n')).toMatch(/\d\d others/)
  })

  it('messages that were neither handled nor lost are named, the oldest first', () => {
    const sends = ['0@1 send a>b #0 {"type":"Put"}', '0@1 send a>c #1 {"type":"Get"}', '0@1 send a>b #2 {"type":"Put"}']
    const lines = draw([...sends, '1@2 duplicate a>b #2 {"type":"Put"}', '2@2 deliver a>b #2 {"type":"Put"}'], {}, 90)
    expect(lines).toContain('  in flight: #0 a→b Put, #1 a→c Get, #2 a→b Put')
  })

  it('the legend holds what is drawn, and no more', () => {
    const legend = draw(['0@1 crash a', '1@2 restart a']).at(-1)
    expect(legend).toBe('  ┻ crash  ┳ restart  ms: virtual time')
  })
})

describe('long logs', () => {
  it('starts are one line, and so is what looks alike on end', () => {
    const spins = Array.from({ length: 30 }, (_, index) => [
      `${index}@2 deliver a>a #${index} {"type":"Spin","n":${index}}`,
      `${index}@2 send a>a #${index + 1} {"type":"Spin","n":${index + 1}}`,
    ])
    const starts = ['-1@0 start a', '-1@0 send a>a #0 {"type":"Spin"}', '-1@0 start b', '-1@0 start c']
    expect(rows([...starts, ...spins.flat(), '30@3 crash b'])).toEqual([
      '  step  ms  a     b     c',
      '            ┊     ┊     ┊  3 nodes start → #0',
      '     0   2  ↻     │     │  #0 Spin n=0  → #1',
      '            ┊     ┊     ┊  … 24 deliveries a→a',
      ...[25, 26, 27, 28, 29].map((n) => `    ${n}   2  ↻     │     │  #${n} Spin n=${n}  → #${n + 1}`),
      '    30   3  │     ┻     │  b crashes',
    ])
  })

  it('departures, the chains that lead to what was said, and the end stay; routine goes', () => {
    const log: string[] = []
    for (let step = 0; step < 100; step++) {
      if (step === 20) log.push('20@20 drop a>b #900'.replace('drop', 'lost'))
      else if (step === 40) log.push('40@40 request a #0 1', '40@40 send a>b #901 {"type":"Put"}')
      else if (step === 50) log.push('50@50 deliver a>b #901 {"type":"Put"}', '50@50 send b>c #902 {"type":"Put"}')
      else if (step === 60) log.push('60@60 deliver b>c #902 {"type":"Put"}', "60@60 event c 'stored' 1")
      else log.push(`${step}@${step} deliver ${ABC[step % 3]}>${ABC[(step + 1) % 3]} #${step} {"type":"Ping"}`)
    }
    const shown = rows(log, { departures: new Set([20]) }, 70)
    const steps = shown.flatMap((line) => /^. +(\d+) +\d/.exec(line)?.[1] ?? [])
    expect(steps).toEqual(expect.arrayContaining(['20', '40', '50', '60', '99']))
    expect(shown.length).toBeLessThan(40)
    const folded = shown.flatMap((line) => [...line.matchAll(/… (\d+) deliver/g)].map((match) => Number(match[1])))
    expect(folded.reduce((sum, count) => sum + count, 0) + steps.length).toBe(100)
  })

  it('the last six rows stay, even where departures before them take all the room', () => {
    const log = Array.from({ length: 120 }, (_, step) => `${step}@${step} deliver a>b #${step} {"type":"Ping"}`)
    const departures = new Set(Array.from({ length: 100 }, (_, step) => step))
    const shown = rows(log, { departures }, 70)
    const steps = shown.flatMap((line) => /^.? +(\d+) +\d/.exec(line)?.[1] ?? [])
    expect(steps.slice(-6)).toEqual(['114', '115', '116', '117', '118', '119'])
  })

  it('every departure is shown, as long as anybody would read them', () => {
    const departures = new Set(Array.from({ length: 60 }, (_, index) => index * 7))
    const log = chanceLog(ABC, 2000, 3)
    const shown = draw(log, { departures }, 100)
    const inLog = new Set(log.filter(({ step }) => departures.has(step)).map(({ step }) => step))
    expect(shown.filter((line) => line.startsWith('◆')).length).toBe(inLog.size)
    expect(draw(log, { departures: new Set(log.map(({ step }) => step)) }, 100).length).toBeLessThan(400)
  })

  it.each([
    [3, 20, 60],
    [7, 400, 76],
    [7, 10_000, 76],
    [16, 100, 76],
    [40, 400, 76],
    [40, 400, 116],
  ])('%i nodes and %i entries fit %i columns', (count, entries, width) => {
    const nodes = Array.from({ length: count }, (_, index) => `a rather long name ${index}`)
    for (const seed of [1, 2, 3]) {
      for (const line of draw(chanceLog(nodes, entries, seed), { nodes, failure: 'x'.repeat(500) }, width)) {
        expect(columnsOf(line)).toBeLessThanOrEqual(width)
      }
    }
  })

  it('colours change nothing but colours', () => {
    const log = chanceLog(ABC, 300, 5)
    const diagram = spaceTime({ nodes: ABC, log, steps: stepsOf([4, 9]) }, failing('no'), { room: TEXT_ROOM })
    const drawn = (style: Style) => linesOf(diagram, 90, style).join('\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
    expect(drawn(terminalStyle(true)).replace(/\u001b\[\d+m/g, '')).toBe(drawn(PLAIN))
  })

  it('an empty log has nothing to show but its nodes', () => {
    expect(rows([])).toEqual(['  step  ms  a     b     c'])
  })
})
