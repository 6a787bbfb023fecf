/** Where two executions part, and which steps one has that the other lacks. */

import { describe, expect, it } from 'vitest'
import type { Note, TraceEvent } from '../../../src/contract/trace.ts'
import { differenceOf, stepsOf, type TraceStep } from '../../../src/world/trace/trace-difference.ts'

/** `0:1 effect unlink`: label, event, kind. */
function step(text: string, atUs: number): TraceStep {
  const [label = '', event, kind = ''] = text.split(' ')
  const chain = label.slice(0, label.lastIndexOf(':'))
  return { event: event as TraceEvent['event'], label, chain, kind, resource: '', atUs, delayUs: 0, outcome: '' }
}

const steps = (...texts: string[]) => texts.map((text, index) => step(text, index))
const slower = (each: readonly TraceStep[]) => each.map((one) => ({ ...one, atUs: one.atUs + 1000 }))

const RACE = steps(
  '0:0 start body',
  '0:1 effect open',
  '0/0.1:1 effect unlink',
  '0:2 effect write',
  '0:2 settled rejected',
)

describe('two executions', () => {
  it('with the same steps do not differ, whenever those happen and however the bodies end', () => {
    expect(differenceOf(RACE, slower(RACE))).toBeUndefined()
    expect(differenceOf(RACE, [...RACE.slice(0, -1), step('0:2 settled fulfilled', 4)])).toBeUndefined()
  })

  it('part where two steps are swapped; one of them has moved', () => {
    const [start, open, unlink, write, end] = RACE
    const difference = differenceOf([start!, unlink!, open!, write!, end!], RACE)
    expect(difference).toMatchObject({ parting: 1, added: new Set() })
    expect(difference!.moved.size).toBe(1)
  })

  it('part at the step that only one has', () => {
    expect(differenceOf(RACE, RACE.toSpliced(2, 1))).toEqual({ parting: 2, added: new Set([2]), moved: new Set() })
    expect(differenceOf(RACE.toSpliced(2, 1), RACE)).toEqual({ parting: 2, added: new Set(), moved: new Set() })
  })

  it('part where the first goes on, or waits for what only the second has, but not where it throws', () => {
    const more = [...RACE.slice(0, -1), step('0:3 effect close', 5), step('0:3 settled fulfilled', 6)]
    expect(differenceOf(more, RACE)!.parting).toBe(4)
    expect(differenceOf(RACE.with(-1, step('0:2 settled idle', 4)), more)!.parting).toBe(4)
    expect(differenceOf(RACE, more)).toBeUndefined()
  })

  it('keep steps of equal names apart by their ordinals', () => {
    const again = steps('0:1 timer timer', '0:1 timer timer', '0:1 timer timer')
    expect(differenceOf(again, again.slice(1))).toMatchObject({ parting: 2, added: new Set([2]) })
  })
})

describe('notes', () => {
  const note = (at: number, event: Note['event'], ms = 50): Note => {
    return { event, at, atUs: 0, label: '0:0', chain: '0', place: `note ${at}`, subject: '0:9', ms }
  }
  const trace = steps('0:0 start body', '0:1 timer timer') as TraceEvent[]

  it('stand between the events where they were taken', () => {
    const notes = [note(1, 'set'), note(1, 'clear'), note(2, 'unref')]
    expect(stepsOf({ trace, notes }).map(({ event }) => event)).toEqual(['start', 'set', 'clear', 'timer', 'unref'])
  })

  it('count as steps, but not how long a timer lasts', () => {
    const set = stepsOf({ trace, notes: [note(1, 'set')] })
    expect(differenceOf(set, stepsOf({ trace, notes: [note(1, 'set', 70)] }))).toBeUndefined()
    const cleared = stepsOf({ trace, notes: [note(1, 'set'), note(1, 'clear')] })
    expect(differenceOf(cleared, set)).toEqual({ parting: 2, added: new Set([2]), moved: new Set() })
  })
})
