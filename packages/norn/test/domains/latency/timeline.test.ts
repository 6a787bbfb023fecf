/**
 * The timeline, held against a model: each operation takes effect at a moment of its own, moved by
 * its latency.
 */
import { expect, test } from 'vitest'
import type { Choice } from '../../../src/contract/choice.ts'
import type { Moment } from '../../../src/contract/observation.ts'
import { subjectOf } from '../../../src/contract/subject.ts'
import { drawSteps, Timeline } from '../../../src/domains/latency/timeline.ts'
import { chance } from '../../../src/tape/chance.ts'

/**
 * In the model an operation takes effect `atUs` after the start, plus its latency; of two at once
 * the first declared is first.
 */
interface Operation {
  readonly step: string
  readonly atUs: number
}

const choiceOf = ({ step }: Operation, point = 'effect'): Choice<number> => latency(`${step} write ${point}`)

function latency(label: string, max = 20_000): Choice<number> {
  const subject = subjectOf('latency', label)
  return { kind: 'latency', label, min: 0, max, value: 0, ...(subject === undefined ? {} : { subject }) }
}

const chainOf = (step: string) => step.slice(0, step.lastIndexOf(':'))

/** The operations in the order in which they take effect, some of them late. */
function orderOf(operations: readonly Operation[], lateBy: ReadonlyMap<string, number>): string[] {
  const when = ({ step, atUs }: Operation) => atUs + (lateBy.get(step) ?? 0)
  return [...operations].sort((a, b) => when(a) - when(b)).map(({ step }) => step)
}

function timelineOf(operations: readonly Operation[], point: Moment['point'] = 'effect'): Timeline {
  return new Timeline(operations.map(({ step, atUs }) => ({ step, chain: chainOf(step), point, atUs, dueUs: atUs })))
}

/**
 * Operations of chains of their own, at times drawn by chance, no two of them within three
 * microseconds.
 */
function operationsOf(seed: number): Operation[] {
  const draws = chance(seed)
  let atUs = 1000
  return Array.from({ length: draws.integer(2, 8) }, (_, at) => {
    atUs += draws.coin(0.5) ? draws.integer(8, 12) : draws.integer(8, 3000)
    return { step: `0/${at}.1:1`, atUs }
  })
}

const SEEDS = Array.from({ length: 80 }, (_, seed) => seed)

test('a distance moves one operation past so many others, later or earlier, and no further', () => {
  for (const seed of SEEDS) {
    const operations = operationsOf(seed)
    for (const [place, operation] of operations.entries()) {
      for (let steps = -3; steps <= 3; steps++) {
        if (steps === 0) continue
        const byUs = timelineOf(operations).distance(choiceOf(operation), steps)
        if (operations[place + steps] === undefined) {
          expect(byUs).toBeUndefined()
          continue
        }
        const order = orderOf(operations, new Map([[operation.step, byUs!]]))
        expect(order.indexOf(operation.step)).toBe(place + steps)
      }
    }
  }
})

test('toward another is just behind it, or behind one so many steps from it', () => {
  for (const seed of SEEDS) {
    const operations = operationsOf(seed)
    const timeline = timelineOf(operations)
    for (const [place, operation] of operations.entries()) {
      for (const [around, other] of operations.entries()) {
        for (let steps = -1; steps <= 4; steps++) {
          const target = operations[around + steps]
          const byUs = timeline.toward(choiceOf(operation), choiceOf(other), steps)
          if (target === undefined || around + steps === place) {
            expect(byUs).toBeUndefined()
            continue
          }
          const order = orderOf(operations, new Map([[operation.step, byUs!]]))
          expect(order[order.indexOf(operation.step) - 1]).toBe(target.step)
        }
      }
    }
  }
})

test('a task that is promoted comes before all that were just before it, which stay in their order', () => {
  for (const seed of SEEDS) {
    const tasks = operationsOf(seed)
    const timeline = timelineOf(tasks, 'timer')
    const schedule = tasks.map((task) => ({ ...choiceOf(task, 'timer'), max: 100_000 }))
    for (let from = 0; from < tasks.length; from++) {
      expect(timeline.taskOf(schedule[from]!)).toBe(from)
      for (let steps = 1; steps <= 3; steps++) {
        const promoted = timeline.promoted(schedule, from, steps)
        const target = tasks[from + steps]
        if (target === undefined) {
          expect(promoted).toBeUndefined()
          continue
        }
        const lateBy = new Map(promoted!.map(({ value }, at) => [tasks[at]!.step, Number(value)]))
        const order = tasks.map(({ step }) => step)
        const wanted = [...order.slice(0, from), target.step, ...order.slice(from, from + steps)]
        expect(orderOf(tasks, lateBy)).toEqual([...wanted, ...order.slice(from + steps + 1)])
      }
    }
  }
})

test('promoting holds back no step of the chain that the task continues', () => {
  const tasks = ['0:1', '0/1.1:1', '0:2'].map((step, at) => ({ step, atUs: 100 * at }))
  const schedule = tasks.map((task) => choiceOf(task, 'timer'))
  const promoted = timelineOf(tasks, 'timer').promoted(schedule, 0, 2)
  expect(promoted!.map(({ value }) => value)).toEqual([0, 101, 0])
})

test('effects stand among effects, callbacks and timers among each other', () => {
  const moments: Moment[] = [
    { step: '0:1', chain: '0', point: 'effect', atUs: 10, dueUs: 10 },
    { step: '0:1', chain: '0', point: 'callback', atUs: 20, dueUs: 20 },
    { step: '0:2', chain: '0', point: 'effect', atUs: 30, dueUs: 30 },
    { step: '0:3', chain: '0', point: 'timer', atUs: 45, dueUs: 45 },
  ]
  const timeline = new Timeline(moments)
  expect(timeline.distance(latency('0:1 open effect'), 1)).toBe(21)
  expect(timeline.distance(latency('0:1 open callback'), 1)).toBe(26)
  expect(timeline.distance(latency('0:3 wake timer'), -1)).toBe(-26)
  // What is no moment of the same line stands in it where its time is.
  expect(timeline.toward(latency('0:1 open effect'), latency('0:1 open callback'), 0)).toBe(21)
})

test('a choice that is about no moment, or none of this execution, has no distances', () => {
  const timeline = timelineOf([
    { step: '0:1', atUs: 1 },
    { step: '0:2', atUs: 2 },
  ])
  for (const label of ['0:1 Promise.race pick', '0:9 open effect', 'x.0', '', '0:1 open effect#1']) {
    const choice = latency(label)
    expect([timeline.distance(choice, 1), timeline.taskOf(choice)]).toEqual([undefined, undefined])
    expect(timeline.toward(choice, choiceOf({ step: '0:1', atUs: 1 }), 0)).toBeUndefined()
    expect(timeline.toward(choiceOf({ step: '0:1', atUs: 1 }), choice, 0)).toBeUndefined()
  }
})

test('steps go both ways, never nowhere, and not far', () => {
  const draws = chance(1)
  const steps = new Set(Array.from({ length: 500 }, () => drawSteps(draws)))
  expect([...steps].sort((a, b) => a - b)).toEqual([-3, -2, -1, 1, 2, 3])
})
