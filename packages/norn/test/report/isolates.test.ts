/** The diagram of threads and child processes: a lane each, a row for each message where it arrives. */
import { describe, expect, it } from 'vitest'
import type { IsolateName, Messaging, Passed } from '../../src/contract/messaging.ts'
import type { Note, TraceEvent } from '../../src/contract/trace.ts'
import { type InterleavingInput, interleaving } from '../../src/report/diagram/interleaving.ts'
import { StepTexts } from '../../src/report/diagram/step-text.ts'
import { diagramSvg } from '../../src/report/diagram/svg.ts'
import { diagramText } from '../../src/report/diagram/text.ts'
import { nearestText } from '../../src/report/nearest.ts'
import { PLAIN } from '../../src/report/style.ts'

const MAIN: IsolateName = { kind: 'body', number: 0, file: '', parent: 0, place: '' }
const worker = (number: number): IsolateName => ({ kind: 'worker', number, file: 'work.cjs', parent: 0, place: '' })

/** `a callback message`: the step of a name, event, kind. */
function event(text: string, at: number): TraceEvent {
  const [label = '', event, ...kind] = text.split(' ')
  const fields = { chain: label, resource: '', atUs: at * 10, delayUs: 0, outcome: 'ok' }
  return { event: event as TraceEvent['event'], label, kind: kind.join(' '), ...fields }
}

const message = (text: string, from: number, to: number, sentIn: string): Passed => ({
  what: 'message',
  text,
  from,
  to,
  sentIn,
})

interface Told {
  readonly isolates?: number
  readonly passed: Record<string, Passed>
  /** Steps that a worker runs. */
  readonly runs?: Record<string, number>
  readonly routine?: readonly string[]
}

function messagingOf({ isolates = 1, passed, runs = {}, routine = [] }: Told): Messaging {
  const receivers = Object.entries(passed).flatMap(([label, { to }]) => (to ? [[label, to] as const] : []))
  const makers = Object.entries(passed).flatMap(([label, { from }]) => (from > 0 ? [[label, from] as const] : []))
  const runners = new Map([...makers.map(([label]) => [label, 0] as const), ...receivers, ...Object.entries(runs)])
  const all = [MAIN, ...Array.from({ length: isolates }, (_, index) => worker(index + 1))]
  return {
    isolates: all,
    makers: new Map(makers),
    runners,
    passed: new Map(Object.entries(passed)),
    routine: new Set(routine),
  }
}

function inputOf(told: Told, events: readonly string[], notes: readonly Note[] = []): InterleavingInput {
  return { trace: events.map(event), notes, origins: new Map(), messaging: messagingOf(told) }
}

const START: Passed = { what: 'start', text: 'workerData: 7', from: 0, to: 1, sentIn: 'body' }
const EXIT: Passed = { what: 'exit', text: 'exits with code 0', from: 1, to: 0, sentIn: 'w' }
const linesOf = (input: InterleavingInput, width?: number) => diagramText(interleaving(input), PLAIN, width).lines

const ANSWERED = inputOf(
  { passed: { w: START, ask: message("'ask'", 0, 1, 'body'), answer: message('{ n: 1 }', 1, 0, 'ask') } },
  [
    'body start body',
    'w submit message',
    'w effect message',
    'ask submit message',
    'ask effect message',
    'w callback message',
    'ask callback message',
    'answer submit message',
    'answer effect message',
    'answer callback message',
  ],
)

describe('messages', () => {
  it('have one row, where they arrive, an arrow from the sender, a number and their content', () => {
    expect(linesOf(ANSWERED)).toEqual([
      '  ms  main  worker 1 work.cjs',
      '0.05  ├─────▶                  starts, workerData: 7',
      "0.06  ├─────▶                  #1 'ask'  → #2",
      '0.09  ◀─────┤                  #2 { n: 1 }',
    ])
  })

  it('rise in the drawing from the row that sent them', () => {
    const { rows, lanes, parties } = interleaving(ANSWERED)
    expect(rows.map(({ lane, arrow }) => [parties[lanes[lane!]!.party!], arrow?.sent])).toEqual([
      ['worker 1 work.cjs', undefined],
      ['worker 1 work.cjs', undefined],
      ['main', 1],
    ])
    expect(diagramSvg(interleaving(ANSWERED), 'p')).toContain('worker 1 work.cjs')
  })

  it('name the step of their arrival, also where another one is received beside them, but not of an exit', () => {
    const events = ['a callback message', 'w callback exit']
    const beside = (label: string, subject: string): Note => {
      return { event: 'receive', at: 1, atUs: 10, label, chain: '', place: 'n', subject }
    }
    const passed = {
      a: message("'own'", 1, 0, 'w'),
      b: message("'beside'", 1, 0, 'w'),
      last: message("'last'", 1, 0, 'w'),
      w: EXIT,
    }
    const input = inputOf({ passed }, events, [beside('a', 'b'), beside('w', 'last')])
    const texts = new StepTexts(input)
    expect(input.trace.map((step) => texts.nounOf(step))).toEqual([
      "the arrival of 'own' from worker 1 to main",
      "the arrival of 'last' from worker 1 to main",
    ])
  })

  it('that nobody receives are said to be sent', () => {
    const input = inputOf({ passed: { ask: message("'ask'", 0, 1, 'body') }, runs: { x: 1 } }, [
      'ask submit message',
      'ask effect message',
    ])
    expect(linesOf(input)).toEqual(['  ms  main', "0.01  ◌     sends 'ask'"])
  })

  it('that a thread left behind are received before its exit is heard of', () => {
    const note: Note = { event: 'receive', at: 2, atUs: 10, label: 'end', chain: '', place: 'n', subject: 'last' }
    const events = ['last effect message', 'end callback thread exit']
    const input = inputOf({ passed: { last: message("'bye'", 1, 0, 'w'), end: EXIT } }, events, [note])
    expect(linesOf(input).slice(1)).toEqual([
      "0.01  ◀─────┤                  #1 'bye'",
      '0.01  ◀─────┤                  exits with code 0',
    ])
  })

  it('of ports within one thread keep their chains, with their content', () => {
    const input = inputOf({ isolates: 0, passed: { a: message("'hello'", 0, 0, 'body') } }, [
      'a effect message',
      'a callback message',
    ])
    expect(linesOf(input)).toEqual(['  ms', "0.00  ●  sends 'hello'"])
  })
})

describe('what follows from the rest', () => {
  it('has no row: what Node says to itself, and ports that close with a thread', () => {
    const input = inputOf({ passed: {}, routine: ['up', 'end'] }, [
      'up effect message',
      'up callback message',
      'end effect close port',
      'end callback close port',
    ])
    expect(linesOf(input)).toEqual(['ms'])
    expect(linesOf({ ...input, all: true })).toHaveLength(5)
  })

  it('ports that the program closes at one moment have one row', () => {
    const close = (name: string) => ({ ...event(`${name} effect close port`, 0) })
    const trace = [close('a'), close('b'), close('c'), event('a callback close port', 1)]
    expect(linesOf({ ...inputOf({ passed: {}, runs: { x: 1 } }, []), trace }).slice(1)).toEqual([
      '0.00  ●     closes 3 ports',
    ])
  })
})

describe('a loop', () => {
  const rounds = Array.from({ length: 40 }, (_, round) => [`m${round}`, round] as const)
  const looping = (text: (round: number) => string) => {
    const passed = Object.fromEntries(rounds.map(([label, round]) => [label, message(text(round), 1, 0, 'w')]))
    return linesOf(
      inputOf(
        { passed },
        rounds.map(([label]) => `${label} callback message`),
      ),
    )
  }

  it('of messages that differ by numbers has one round and a count', () => {
    expect(looping((round) => `{ round: ${round} }`).slice(1)).toEqual([
      '0.00  ◀─────┤                  #1 { round: 0 }',
      '   … one like this 39 more times, until 0.39 ms',
    ])
  })

  it('of equal messages says so', () => {
    expect(looping(() => "'tick'").at(-1)).toBe('   … the same 39 more times, until 0.39 ms')
  })
})

describe('names', () => {
  const starts = (isolates: number) => {
    const labels = Array.from(
      { length: isolates },
      (_, index) => [`w${index + 1}`, { ...START, to: index + 1 }] as const,
    )
    return inputOf(
      { isolates, passed: Object.fromEntries(labels) },
      labels.map(([label]) => `${label} callback message`),
    )
  }

  it('get shorter where there is little room; the notes say what runs', () => {
    const { lines, below } = diagramText(interleaving(starts(2)), PLAIN, 60)
    expect(lines[0]).toBe('  ms  main  worker 1  worker 2')
    expect(below).toContain('worker 1, worker 2: work.cjs')
  })

  it('are initials where there are many, and the last ones share a lane', () => {
    const head = linesOf(starts(14))[0]!
    expect(head).toMatch(/^ {2}ms {2}main {2}w1 {2}w2 .* w11 {2}others$/)
  })
})

describe('the row that decides', () => {
  const two = (second: readonly string[], order: readonly string[]) => {
    const passed = {
      w: START,
      v: { ...START, to: 2 },
      get1: message("'get'", 1, 0, 'w'),
      get2: message("'get'", 2, 0, 'v'),
      set: message("'set'", 1, 0, 'w'),
    }
    return inputOf({ isolates: 2, passed }, [
      'w callback message',
      ...second,
      ...order.map((label) => `${label} callback message`),
      'end settled rejected',
    ])
  }
  const passing = (other: InterleavingInput) =>
    ({
      ...other,
      inputText: '',
      change: { lane: 'input', choice: { kind: 'value', label: '', min: 0, max: 1, value: 1 }, value: 0 },
    }) as const

  it('is the message that came in between, not the creation of a thread', () => {
    const failing = two(['v submit message', 'v effect message', 'v callback message'], ['get1', 'get2', 'set'])
    const nearest = nearestText({ ...failing, inputText: '' }, passing(two([], ['get1', 'set'])), PLAIN)!
    const lines = linesOf({ ...failing, difference: nearest.difference })
    expect(lines.find((line) => line.startsWith('▶'))).toContain("#2 'get'")
    expect(nearest.lines[1]).toBe("  it has here: 'set' from worker 1 to main")
  })

  it('is none where nothing but the creation of a thread differs', () => {
    const failing = two(['v callback message'], ['get1'])
    const nearest = nearestText({ ...failing, inputText: '' }, passing(two([], ['get1'])), PLAIN)!
    expect(linesOf({ ...failing, difference: nearest.difference }).some((line) => line.startsWith('▶'))).toBe(false)
  })
})
