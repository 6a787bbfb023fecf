/** Reports that show what decides: what a library does to its timers, and where a passing execution parts. */

import { describe, expect, it, test } from 'vitest'
import type { Choice, Lane } from '../../src/contract/choice.ts'
import type { ExecutionResult } from '../../src/contract/execution.ts'
import type { Explanation, PassingExecution, StartingFrame } from '../../src/contract/explanation.ts'
import { subjectOf } from '../../src/contract/subject.ts'
import type { Note, TraceEvent } from '../../src/contract/trace.ts'
import { failureText, stepsText } from '../../src/report/failure.ts'
import { PLAIN } from '../../src/report/style.ts'

const chainOf = (label: string) => label.slice(0, label.lastIndexOf(':'))

/**
 * Steps by lines: `0:1 effect unlink a.lock @50 +10` is an event; `0:1 clear 0:7 @50 (lib.js:9)` a
 * note about the timer that runs as step 0:7, of 50 ms unless set otherwise: `0:1 set 0:7 100 @50`.
 * `0:1 resolve p null @50` tells that a promise, whose place is `p`, is resolved with null.
 */
function explained(text: string, places: Record<string, string> = {}) {
  const trace: TraceEvent[] = []
  const notes: Note[] = []
  const origins = new Map<string, StartingFrame>()
  const place = (name: string, at: string) => {
    const [innermost, ...callers] = at.split(' < ').map((each) => {
      const [file = '', line] = each.split(':')
      return { file, line: Number(line), column: 1, functionName: '' }
    })
    origins.set(name, { ...innermost!, callers })
  }
  for (const [name, at] of Object.entries(places)) place(name, at)
  for (const line of text.trim().split('\n')) {
    const parts = /^(\S+) (\w+)(?: (.*?))? @(\d+)(?: \+(\d+))?(?: \((.*)\))?$/.exec(line.trim())
    if (parts === null) throw new Error(line)
    const [, label = '', event, rest = '', at, late = '0', source] = parts
    const [kind = '', resource = ''] = rest.split(' ')
    const common = { label, chain: chainOf(label), atUs: Number(at) }
    if (['set', 'clear', 'refresh', 'unref', 'abort', 'resolve', 'reject'].includes(event!)) {
      const name = `note ${notes.length}`
      notes.push({
        ...common,
        event: event as Note['event'],
        at: trace.length,
        place: name,
        subject: kind,
        ...(resource?.match(/^\D/) ? { value: resource } : { ms: Number(resource || 50) }),
      })
      if (source !== undefined) place(name, source)
      if (event === 'set' && source !== undefined) place(kind, source)
      continue
    }
    if (source !== undefined) place(label, source)
    const outcome = event === 'effect' ? 'ok' : ''
    trace.push({ ...common, event: event as TraceEvent['event'], kind, resource, delayUs: Number(late), outcome })
  }
  return { trace, notes, origins }
}

function latency(label: string, value: number): Choice {
  return { kind: 'latency', label, min: 0, max: 20_000, value, subject: subjectOf('latency', label)! }
}

function report(
  failing: Omit<Explanation, 'nearest'>,
  nearest?: PassingExecution,
  { schedule = [], inputText = '', all = false }: { schedule?: Choice[]; inputText?: string; all?: boolean } = {},
): string {
  const result: ExecutionResult = {
    verdict: 'failed',
    failure: { kind: 'error', errorName: 'Error', message: 'no', stack: 'Error: no', frames: [] },
    choices: { input: [], schedule, fault: [], length: 0 },
    ...{ inputText, inputChoices: 0, points: 0, chains: 1, durationUs: 0 },
  }
  const explanation = { ...failing, ...(nearest === undefined ? {} : { nearest }) }
  const text = { property: 'p', result, explanation, found: 'found', inputTitle: 'input', commands: [], all }
  const [, shown = ''] = failureText(text, PLAIN).split(/^ {2}(?=interleaving|fails under)/m)
  return shown
}

const changed = (lane: Lane, choice: Choice, value: number) => ({ change: { lane, choice, value }, inputText: '' })

const BREAKER = `
  0:0 start body @0
  0:0 set 0:1 1 @0 (app.ts:5)
  0:0 set 0/0.1:1 1 @0 (app.ts:5)
  0:1 timer timer @1000
  0:1 set 0:2 100 @1000 (lib.js:142)
  0/0.1:1 timer timer @1000
  0/0.1:1 clear 0:2 @1000 (lib.js:190)
  0/0.1:1 set 0:3 20 @1000 (app.ts:9)
  0:3 timer timer @21000
  0:3 settled rejected @21000`

describe('the report of a breaker that clears its timer', () => {
  const fails = { ...latency('flag', 1), kind: 'value' as const }
  const passing = explained(BREAKER.replace(/.* clear .*\n/, ''))

  it('names the clear as the step at which a passing execution parts', () => {
    const nearest = { ...passing, ...changed('input', fails, 0), inputText: 'calls = 2\nsecond = fine' }
    expect(report(explained(BREAKER), nearest, { inputText: 'calls = 2\nsecond = fails' })).toMatchInlineSnapshot(`
      "fails under the default schedule
             ms  A B
           1.00  ◷    1 ms timer fires                       app.ts:5
           1.00  ◔    sets a 100 ms timer                    lib.js:142
           1.00  │ ◷  1 ms timer fires                       app.ts:5
        ▶  1.00  │ ⊘  clears the 100 ms timer of lib.js:142  lib.js:190
          21.00  ◷    20 ms timer fires                      app.ts:9
          21.00  ■    the body fails

        ▶ nearest passing execution: second = fine
          it has here: sets a 20 ms timer (app.ts:9)

          ms: virtual time
          A, B, …: one task each, steps that follow from one another"
    `)
  })

  it('shows the clear without a passing execution, too', () => {
    expect(report(explained(BREAKER))).toContain('⊘  clears the 100 ms timer of lib.js:142  lib.js:190')
  })

  it('names the duration of a timer of which only the end is noted, as of a later run of an interval', () => {
    expect(report(explained(BREAKER.replace(/.* set 0:2 .*\n/, '')))).toContain('⊘  clears the 50 ms timer')
  })

  it('has every step if asked', () => {
    const all = report(explained(BREAKER), undefined, { all: true })
    expect(all.match(/sets a \d+ ms timer/g)).toEqual(['1', '1', '100', '20'].map((ms) => `sets a ${ms} ms timer`))
    expect(all).toContain('the event loop starts')
  })
})

describe('notes', () => {
  const lines = (text: string) => {
    const [, ...steps] = report(explained(text)).split('\n\n')[0]!.split('\n').slice(1)
    return steps
  }

  it('of what Node does to timers of its own are left out', () => {
    const steps = lines('0:0 set 0:1 @0\n0:0 clear 0:1 @0\n0:8 timer timer @50\n0:9 timer timer @60')
    expect(steps).toEqual(['    0.05  ◷  timer fires', '    0.06  ◷  timer fires'])
  })

  it('tell a timer that is refreshed, one that never fires, and an abort', () => {
    expect(
      lines(`
        0:0 set 0:1 1500 @0 (lib.js:1)
        0:0 set 0:2 @0 (lib.js:2)
        0:0 unref 0:2 @0 (lib.js:3)
        0:0 refresh 0:1 @10 (lib.js:4)
        0:0 abort @20 (lib.js:5)
        0:1 timer timer @1500000`),
    ).toEqual([
      '       0.00  ◔  sets a 1.5 s timer                     lib.js:1',
      '       0.00  ◔  sets a 50 ms timer                     lib.js:2',
      '       0.01  ↻  refreshes the 1.5 s timer of lib.js:1  lib.js:4',
      '       0.02  ⊗  aborts a signal                        lib.js:5',
      '    1500.00  ◷  1.5 s timer fires                      lib.js:1',
    ])
  })

  it('name the caller where a line is called from several places', () => {
    expect(
      lines(`
        0:0 set 0:1 10 @0 (a/sleep.ts:5 < a/sleep.ts:7 < a/jobs.ts:20)
        0:0 set 0:2 20 @0 (a/sleep.ts:5 < a/sleep.ts:7 < a/jobs.ts:30)
        0:1 timer timer @10000
        0:2 timer timer @20000`),
    ).toEqual([
      '    10.00  ◷  10 ms timer fires  sleep.ts:5 ← jobs.ts:20',
      '    20.00  ◷  20 ms timer fires  sleep.ts:5 ← jobs.ts:30',
    ])
  })
})

describe('the report of a fetch whose abort ends it', () => {
  const FETCH = `
    0:0 start body @0
    0:0 set 0:1 2 @0 (app.ts:5)
    0/0.1:1 effect read a.json @0 (app.ts:8)
    0/0.1:1 resolve log undefined @100 (log.js:9)
    0:1 timer timer @2000
    0:1 abort @2000 (app.ts:5)
    0:1 resolve fetch undefined @2000 (cache.js:36)
    0:2 reject line AbortError @2000 (cache.js:50)
    0/0.1:2 effect close a.json @2050 (app.ts:8)
    0:3 settled rejected @3000`
  const places = { fetch: 'cache.js:46', log: 'log.js:3', line: 'cache.js:50' }
  const settlements = (text: string) => text.match(/^.*(?:resolves|rejects) a promise.*$/gm) ?? []
  const passing = FETCH.replace(/.*(?:fetch|line) .*\n/g, '').replace(/(.*timer @.*\n.*\n)(.*close.*\n)/, '$2$1')
  const nearest = {
    ...explained(passing, places),
    ...changed('schedule', latency('0/0.1:1 read effect', 10), 0),
  }

  it('shows the promise that the passing execution does not settle there, and none that both do', () => {
    expect(settlements(report(explained(FETCH, places), nearest))).toEqual([
      '  + 2.00  │ ⊕  resolves a promise of cache.js:46 with undefined  cache.js:36',
    ])
  })

  it('shows all that another line made, without a passing execution', () => {
    expect(settlements(report(explained(FETCH, places)))).toHaveLength(2)
  })

  it('shows the first ones that a step settles, which the others follow', () => {
    const more = ['a', 'b', 'c', 'd'].map((name, at) => `0:2 resolve ${name} null @2000 (cache.js:6${at})`)
    const shown = report(explained(FETCH.replace(/.*reject.*/, more.join('\n')), places))
    expect(shown).toContain('cache.js:62')
    expect(shown).not.toContain('cache.js:63')
  })

  it('adds no callers to the lines of other steps', () => {
    const settledThere = FETCH.replace('(cache.js:36)', '(app.ts:8 < app.ts:20)')
    const read = { '0/0.1:1': 'app.ts:8 < app.ts:30', '0/0.1:2': 'app.ts:8 < app.ts:30' }
    const shown = report(explained(settledThere.replaceAll('(app.ts:8)', ''), { ...places, ...read }))
    expect(shown).toMatch(/read a\.json +app\.ts:8$/m)
  })

  it('shows every one if asked', () => {
    const all = settlements(report(explained(FETCH, places), nearest, { all: true }))
    expect(all.map((line) => line.trim().split(/ {2,}/).slice(-2))).toMatchInlineSnapshot(`
      [
        [
          "resolves a promise of log.js:3 with undefined",
          "log.js:9",
        ],
        [
          "resolves a promise of cache.js:46 with undefined",
          "cache.js:36",
        ],
        [
          "rejects a promise of cache.js:50 with AbortError",
          "cache.js:50",
        ],
      ]
    `)
  })

  it('names the callers of a line that makes several', () => {
    const made = { fetch: 'defer.js:2 < pool.js:10', log: 'defer.js:2 < pool.js:20' }
    expect(settlements(report(explained(FETCH, { ...places, ...made }))).join()).toMatch(/pool\.js:20 .*pool\.js:10 /s)
  })
})

describe('the nearest passing execution', () => {
  const RACE = `
    0:1 submit unlink a.lock @0
    0/0.1:1 submit open a.lock @0 (lock.ts:9)
    0/0.1:1 effect open a.lock @50
    0:1 effect unlink a.lock @60 +10
    0:1 settled rejected @70`
  const passing = explained(`
    0:1 submit unlink a.lock @0
    0/0.1:1 submit open a.lock @0 (lock.ts:9)
    0:1 effect unlink a.lock @50 (lock.ts:7)
    0/0.1:1 effect open a.lock @50
    0:1 settled fulfilled @70`)
  const said = (change: ReturnType<typeof changed>, failing = RACE) =>
    report(explained(failing), { ...passing, ...change })
      .split('\n')
      .filter((line) => line.startsWith('  ▶ n') || line.startsWith('    it has'))

  it.each([
    ['effect', 10, 0, 'without the delay of unlink a.lock'],
    ['effect', 1010, 1009, 'unlink a.lock is delayed by 1.009 ms, not 1.01 ms'],
    ['callback', 2000, 1000, 'the callback of unlink a.lock is delayed by 1.00 ms, not 2.00 ms'],
    ['effect', 0, 5000, 'unlink a.lock is delayed by 5.00 ms'],
  ])('names the %s that it delays by another time, %i us to %i us', (point, was, value, text) => {
    expect(said(changed('schedule', latency(`0:1 unlink ${point}`, was), value))).toEqual([
      `  ▶ nearest passing execution: ${text}`,
      '    it has here: unlink a.lock takes effect (lock.ts:7)',
    ])
  })

  it('names the fault that it does not meet', () => {
    const subject = subjectOf('fault', '0:1 unlink')!
    const fault: Choice = { kind: 'fault', label: '0:1 unlink', min: 0, max: 2, value: 1, subject }
    const failing = RACE.replace('0:1 effect', '0:1 fault unlink a.lock @60\n    0:1 effect')
    expect(said(changed('fault', fault, 0), failing)[0]).toMatch(/: without the fault of unlink a\.lock$/)
  })

  it('says nothing if it has the same steps in the same order', () => {
    const same = explained(RACE.replace('rejected', 'fulfilled'))
    const change = changed('schedule', latency('0:1 unlink effect', 10), 0)
    expect(report(explained(RACE), { ...same, ...change })).not.toContain('▶')
  })

  it('shows where it parts, and what it lacks, however long the execution is', () => {
    const before = Array.from({ length: 60 }, (_, at) => `0:${at} effect write a${at}.txt @${at}`)
    const after = Array.from({ length: 60 }, (_, at) => `0:${at + 100} effect write b${at}.txt @${at + 100}`)
    const failing = [...before, '0:70 effect rename a.txt @70', ...after, '0:190 settled rejected @200']
    failing.splice(100, 0, '0:80 effect unlink a.txt @140')
    const without = failing.filter((line) => !/rename|unlink/.test(line))
    const change = changed('schedule', latency('0:70 rename effect', 10), 0)
    const lines = report(explained(failing.join('\n')), { ...explained(without.join('\n')), ...change }).split('\n')
    expect(lines.filter((line) => /^ {2}[▶+] +\d/.test(line)).map((line) => line.trim())).toEqual([
      '▶ 0.07  ●  rename a.txt',
      '+ 0.14  ●  unlink a.txt',
    ])
    expect(lines.filter((line) => line.includes('left out'))).toHaveLength(3)
    expect(lines.length).toBeLessThan(45)
  })
})

test('the steps of an execution that passes are shown if asked', () => {
  const { trace, notes, origins } = explained('0:0 start body @0\n0:0 settled fulfilled @10')
  const result = { verdict: 'passed' as const, choices: { input: [], schedule: [], fault: [], length: 0 } }
  const counts = { inputChoices: 0, points: 0, chains: 1, durationUs: 0 }
  expect(stepsText({ ...result, ...counts }, { trace, notes, origins }, PLAIN)).toMatch(/start[\s\S]*the body is done/)
})
