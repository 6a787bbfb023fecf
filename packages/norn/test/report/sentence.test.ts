/** The sentence on top of a report: which two operations it names, and when it names none. */

import { describe, expect, it } from 'vitest'
import type { Choice } from '../../src/contract/choice.ts'
import type { StartingFrame } from '../../src/contract/explanation.ts'
import { subjectOf } from '../../src/contract/subject.ts'
import type { Note, TraceEvent } from '../../src/contract/trace.ts'
import { sentenceOf } from '../../src/report/sentence.ts'

/** A step a line: label, event, kind, resource; where it was started: file:line, its callers after `<`. */
function execution(text: string) {
  const origins = new Map<string, StartingFrame>()
  const notes: Note[] = []
  const trace: TraceEvent[] = []
  for (const [atUs, line] of text.trim().split('\n').entries()) {
    const [, steps = '', source] = /^(.*?)(?: \((.*)\))?$/.exec(line.trim())!
    const [label = '', event = '', kind = '', resource = '', outcome = 'ok'] = steps.split(' ')
    const frames = (source?.split(' < ') ?? []).map((at) => {
      const [file = '', number] = at.split(':')
      return { file, line: Number(number), column: 1, functionName: '' }
    })
    if (frames.length > 0) origins.set(label, { ...frames[0]!, callers: frames.slice(1) })
    const chain = label.slice(0, label.lastIndexOf(':'))
    if (event === 'set') notes.push({ event, label, chain, at: trace.length, atUs, place: '', subject: kind })
    else trace.push({ label, chain, event: event as TraceEvent['event'], kind, resource, outcome, atUs, delayUs: 0 })
  }
  return { trace, notes, origins }
}

const label = '0:1 open effect'
const choice: Choice = { kind: 'latency', label, min: 0, max: 9, value: 1, subject: subjectOf('latency', label)! }

/** Of an execution and its steps in the order, by number, of a passing one. */
function sentence(
  failing: string,
  passing: readonly number[] | string,
  { lane = 'schedule' as 'schedule' | 'input', value = 1 } = {},
) {
  const lines = failing.trim().split('\n')
  const text = typeof passing === 'string' ? passing : passing.map((at) => lines[at]!).join('\n')
  const nearest = {
    ...execution(text),
    change: { lane, choice: { ...choice, value }, value: 1 - value },
    inputText: '',
  }
  return sentenceOf({ ...execution(failing), nearest })
}

const LOST_UPDATE = `
  0:1 effect read bookings.json (store.ts:12)
  0/0.1:1 effect read bookings.json (store.ts:12)
  0:2 effect write bookings.json (store.ts:19)
  0/0.1:2 effect write bookings.json (store.ts:19)`

describe('accesses of one file', () => {
  it('where both tasks read before either writes', () => {
    expect(sentence(LOST_UPDATE, [0, 2, 1, 3])).toBe(
      'Two tasks read bookings.json (store.ts:12) before either wrote it (store.ts:19).',
    )
  })

  it('where both read before either writes, though the passing execution only hides it from a reader', () => {
    const read = `${LOST_UPDATE}\n  0/0.2:1 effect read bookings.json (store.ts:30)`
    expect(sentence(read, [0, 1, 2, 4, 3], { value: 0 })).toContain('Two tasks read bookings.json')
  })

  it('have the places of both tasks, and the caller in the own code of a library', () => {
    const check = `
      0:1 effect access a (node_modules/mk/index.js:9 < app.ts:4)
      0/0.1:1 effect access a (node_modules/mk/index.js:9 < app.ts:5)
      0:2 effect mkdir a (node_modules/mk/index.js:13)
      0/0.1:2 effect mkdir a EEXIST (node_modules/mk/index.js:13)`
    expect(sentence(check, [0, 2, 1, 3])).toBe(
      'Two tasks checked a (mk/index.js:9 ← app.ts:4 and mk/index.js:9 ← app.ts:5) before either made it (mk/index.js:13).',
    )
  })

  it('where a task removes what another one has made, rather than the reads that part first', () => {
    const removed = `
      0:1 effect stat work.lock (lock.ts:3)
      0/0.1:1 effect stat work.lock (lock.ts:3)
      0/0.1:2 effect open work.lock (lock.ts:9)
      0:2 effect unlink work.lock (lock.ts:5)`
    expect(sentence(removed, [1, 0, 3, 2])).toBe(
      'Open work.lock (lock.ts:9) came before unlink work.lock (lock.ts:5). In the other order it passes.',
    )
  })

  it('are none if both read, if the paths differ, or if one follows from the other', () => {
    const reads = LOST_UPDATE.replaceAll('write', 'read')
    expect(sentence(reads, [0, 2, 1, 3])).toBeUndefined()
    expect(sentence(LOST_UPDATE.replace('write bookings.json', 'write b.json'), [0, 2, 1, 3])).not.toContain(
      'Two tasks',
    )
    const again = LOST_UPDATE.replaceAll('0/0.1:', '0/2.1:')
    expect(sentence(again, [0, 2, 1, 3])).not.toContain('Two tasks')
  })
})

const TIMERS = `
  0:1 timer timer (app.ts:3)
  0/0.1:1 effect stat a (app.ts:7)
  0/0.1:1 callback stat a (app.ts:7)
  0:2 effect open b (app.ts:4)`

describe('steps in another order', () => {
  it('are named where the two executions part, without what follows from them', () => {
    expect(sentence(TIMERS, [1, 2, 0, 3])).toBe(
      'The timer (app.ts:3) came before stat a (app.ts:7). In the other order it passes.',
    )
  })

  it('may be a timer that the passing execution clears, if it was pending in both', () => {
    const expected = 'The timer (app.ts:3) came before stat a (app.ts:7). In the other order it passes.'
    expect(sentence(`0:0 set 0:1\n${TIMERS.trim()}`, [0, 2, 3])).toBe(expected)
    expect(sentence(TIMERS.replace('0:2 effect', '0:1 set 0:1\n  0:2 effect'), [1, 2])).toBeUndefined()
  })

  it('are not named if the passing execution delays what the failing one does not: that may hide the fault', () => {
    expect(sentence(TIMERS, [1, 2, 0, 3], { value: 0 })).toBeUndefined()
  })

  it('are not named if a step passes many others, as any of these may decide', () => {
    const many = `${TIMERS}\n  0/0.2:1 effect stat c (app.ts:8)\n  0/0.3:1 effect stat d (app.ts:9)`
    expect(sentence(many, [1, 2, 4, 5, 0, 3])).toBeUndefined()
  })

  it('are not named if an outcome differs before, a step is missing, or a place is unknown', () => {
    const failed = TIMERS.replace('0:1 timer', '0:9 sync stat x ENOENT (app.ts:1)\n  0:1 timer')
    expect(
      sentence(failed, failed.replace(' ENOENT', ' ok').replace(/( +0:1.*\n)((?:.*\n){2})/, '$2$1')),
    ).toBeUndefined()
    expect(sentence(TIMERS, [1, 2, 3])).toBeUndefined()
    expect(sentence(TIMERS.replace(' (app.ts:3)', ''), [1, 2, 0, 3])).toBeUndefined()
  })

  it('are not named if the passing execution has another input, or both are at one place', () => {
    expect(sentence(TIMERS, [1, 2, 0, 3], { lane: 'input' })).toBeUndefined()
    expect(sentence(TIMERS.replace('app.ts:3', 'app.ts:7'), [1, 2, 0, 3])).toBeUndefined()
  })
})

/** Of an execution and its steps, by number, whose order decides. */
function deciding(
  text: string,
  [first, second, after]: readonly [readonly number[], readonly number[], number?],
  inputText?: string,
) {
  const steps = execution(text)
  const of = (each: readonly number[]) => each.map((at) => ({ step: steps.trace[at]!, execution: steps }))
  const order = { first: of(first), second: of(second), ...(after === undefined ? {} : { after: of([after]) }) }
  return sentenceOf({ ...steps, deciding: { ...order, failed: 9, passed: 9, inputText } })
}

describe('what other executions tell against', () => {
  type Tried = readonly [order: readonly number[], ended: 'passed' | 'failed' | 'otherwise']
  const of = (failing: string, passes: readonly number[]) => {
    const steps = (by: readonly number[]) => execution(by.map((at) => failing.trim().split('\n')[at]!).join('\n'))
    const change = { lane: 'schedule', choice: { ...choice, value: 1 }, value: 0 } as const
    const nearest = { ...steps(passes), change, inputText: '' }
    return (...tried: readonly Tried[]) => {
      const around = tried.map(([order, ended]) => ({ traced: steps(order), ended }))
      return sentenceOf({ ...execution(failing), nearest, around })
    }
  }
  const around = of(TIMERS, [1, 2, 0, 3])
  const ofUpdate = of(LOST_UPDATE, [0, 2, 1, 3])

  it('is not claimed: one passes in the order of the failure, and one fails in the other one', () => {
    expect(around([[0, 1, 2, 3], 'passed'], [[1, 2, 0, 3], 'failed'])).toBeUndefined()
    expect(around([[1, 2, 0, 3], 'failed'], [[1, 2, 0, 3], 'passed'], [[0, 1, 2, 3], 'failed'])).toBe(
      'The timer (app.ts:3) came before stat a (app.ts:7). In this order all that were tried failed, in the other one 1 of 2.',
    )
  })

  it('is not claimed of two tasks if one passes in which both read before either writes', () => {
    expect(ofUpdate([[0, 1, 2, 3], 'passed'])).toMatch(/^Read .* came before write /)
    expect(ofUpdate([[0, 1, 2, 3], 'failed'])).toContain('Two tasks')
  })

  it('is claimed if they tell nothing else', () => {
    const expected = 'The timer (app.ts:3) came before stat a (app.ts:7). In the other order it passes.'
    expect(around([[0, 1, 2, 3], 'failed'], [[1, 2, 0, 3], 'passed'])).toBe(expected)
    expect(around([[0, 1, 2, 3], 'passed'])).toBe(expected)
    expect(around([[0, 1, 2, 3], 'otherwise'], [[1, 2, 0, 3], 'otherwise'])).toBe(expected)
  })
})

describe('an order that decides all executions around the failure', () => {
  it('is named, with the input if that is another one', () => {
    expect(deciding(TIMERS, [[0], [2]])).toBe(
      'The timer (app.ts:3) came before the callback of stat a (app.ts:7). In the other order it passes.',
    )
    expect(deciding(TIMERS, [[0], [1]], 'pause_ms = 1')).toBe(
      'With pause_ms = 1 it fails if the timer (app.ts:3) comes before stat a (app.ts:7), and passes in the other order.',
    )
  })

  it('may be that of a step between two others', () => {
    expect(deciding(TIMERS, [[0], [2], 3])).toBe(
      'The timer (app.ts:3) came between open b (app.ts:4) and the callback of stat a (app.ts:7). Before or after both it passes.',
    )
    expect(deciding(TIMERS, [[0], [2], 3], 'pause_ms = 1')).toBe(
      'With pause_ms = 1 it fails if the timer (app.ts:3) comes between open b (app.ts:4) and the callback of stat a (app.ts:7), ' +
        'and passes before or after both.',
    )
    expect(deciding(TIMERS, [[0], [2], 0])).toBeUndefined()
  })

  it('names what a step follows from, if nothing of the program started it', () => {
    const ended = TIMERS.replace('stat a (app.ts:7)\n  0:2', 'stat a\n  0:2').replace(
      '  0:2',
      '  0/0.1:2 callback end\n  0:2',
    )
    expect(deciding(ended, [[0], [3]])).toContain('before the callback of end (after app.ts:7)')
  })

  it('is of two operations at one place, if they access different files', () => {
    const renames = '0:1 effect rename a.1 (lib.js:5)\n0/0.1:1 effect rename a.2 (lib.js:5)'
    expect(deciding(renames, [[0], [1]])).toContain('Rename a.1 (lib.js:5) came before rename a.2 (lib.js:5)')
    expect(deciding(renames.replace('a.2', 'a.1'), [[0], [1]])).toBeUndefined()
  })

  it('is of two tasks that overlap, or pass one after the other', () => {
    const gets = ['0:1 callback get a (app.ts:1)', '0/0.1:1 callback get b (app.ts:1)']
    const sets = ['0:2 callback set a (app.ts:2)', '0/0.1:2 callback set b (app.ts:2)']
    const text = [...gets, ...sets].join('\n')
    expect(
      deciding(text, [
        [0, 1],
        [2, 3],
      ]),
    ).toBe(
      'The callback of get a (app.ts:1) and the callback of get b (app.ts:1) came before the callback of set a (app.ts:2) ' +
        'and the callback of set b (app.ts:2). One task after the other passes.',
    )
  })

  it('is not named if no place is known, or both leave a file as it is', () => {
    expect(deciding(TIMERS.replace(' (app.ts:3)', ''), [[0], [1]])).toBeUndefined()
    const opened = '0:1 effect open a (app.ts:1)\n0/0.1:1 effect close a (app.ts:2)'
    expect(deciding(opened, [[0], [1]])).toBeUndefined()
  })
})
