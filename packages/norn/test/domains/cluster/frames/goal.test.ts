/** Key frames as feedback: driven by lists of steps that reach a code of digits, without any cluster. */

import { expect, test } from 'vitest'
import { quotasOf } from '../../../../src/cluster/faults/faults.ts'
import { StepCodes } from '../../../../src/cluster/steps.ts'
import { type Directed, FramesGoal } from '../../../../src/domains/cluster/frames/goal.ts'
import { Archive, ArchivedExecution } from '../../../../src/domains/cluster/search/archive.ts'
import { chance } from '../../../../src/tape/chance.ts'

const CODES = new StepCodes({ nodes: ['a', 'b', 'c'], network: {}, quotas: quotasOf({}) })
const STEPS = 10

/** At which steps a code of digits comes, each after the one before. */
function reach(code: readonly number[], steps: readonly number[]): number[] {
  const at: number[] = []
  for (const [ordinal, step] of steps.entries()) if (step === code[at.length]) at.push(ordinal)
  return at
}

function keptOf(steps: readonly number[]) {
  const base = { input: [], schedule: [], fault: [], spans: [], length: 0 }
  const kept = new ArchivedExecution({ input: { from: 'tape' }, base, steps, others: [], codes: CODES })
  return { kept, left: (count: number) => count }
}

/** Searches for a code, 1 to 4 being as likely; keeps what each execution was asked for and what it ran. */
function search(seed: number, code: readonly number[], executions: number) {
  const frames = code.map((digit, at) => `${at}: ${digit}`)
  const [goal, archive, draws] = [new FramesGoal([{ name: 'code', frames }], 1), new Archive(), chance(seed)]
  const asked: Directed[] = []
  const ran: (readonly number[])[] = []
  while (asked.length < executions && !goal.isDone) {
    const directed = goal.next(archive, draws)
    asked.push(directed)
    const from = directed.candidate ?? directed.cell?.kept.steps.slice(0, directed.cell.at) ?? []
    const more = Array.from({ length: STEPS }, () => (directed.candidate === undefined ? draws.integer(1, 4) : 0))
    const made = keptOf([...from, ...more])
    ran.push(made.kept.steps)
    const at = reach(code, made.kept.steps)
    for (const { feature, after } of goal.observe([{ name: 'code', frames, steps: at }], asked.length, () => made)) {
      const cell = archive.hit(feature)
      if (cell === undefined || after < cell.at) archive.reach(feature, made.kept, after)
    }
  }
  return { goal, asked, ran }
}

/** How many digits the steps reach that an execution continues from. */
function levelOf(directed: Directed, code: readonly number[]): number {
  if (directed.candidate !== undefined || directed.cell === undefined) return 0
  return reach(code, directed.cell.kept.steps.slice(0, directed.cell.at)).length
}

test('half of the executions continue from the furthest frame, some always from the start', () => {
  const code = [1, 2, 9]
  const late = search(3, code, 400).asked.slice(100)
  const share = (level: number) => late.filter((directed) => levelOf(directed, code) === level).length / late.length
  expect(share(2)).toBeGreaterThan(0.4)
  expect(share(0)).toBeGreaterThan(0.15)
  expect(share(0) + share(1) + share(2)).toBe(1)
})

test('a frame is returned to by several ways, which take turns', () => {
  const { asked } = search(4, [1, 9], 400)
  const ways = asked.slice(200).flatMap((directed) => (directed.candidate === undefined && directed.cell) || [])
  expect(new Set(ways).size).toBeGreaterThan(4)
})

test('what is found is shrunk to the steps that it needs, and tells in which execution it was found', () => {
  const code = [1, 2, 3, 4, 1, 2]
  const { goal, asked } = search(1, code, 2_000)
  const foundAt = asked.findIndex(({ candidate }) => candidate !== undefined)
  expect(goal.isDone).toBe(true)
  expect(goal.states).toMatchObject([{ reached: code.length, directed: foundAt, foundAt }])
  expect(goal.found('code')!.pieces).toEqual(code.map((digit) => [digit]))
})

test('a goal that is not reached says how far it came, and why it may never get further', () => {
  const goal = new FramesGoal([{ name: 'two', frames: ['one', 'other'] }], 0.5)
  goal.observe([{ name: 'two', frames: ['one', 'other'], steps: [3], doubt: 'its predicate threw' }], 1, () =>
    keptOf([1, 1, 1, 1]),
  )
  goal.observe([{ name: 'two', frames: ['one', 'other'], steps: [], doubt: 'of one that came less far' }], 2, () =>
    keptOf([]),
  )
  expect(goal).toMatchObject({ isDone: false, share: 0.5 })
  expect(goal.states).toMatchObject([{ reached: 1, doubt: 'its predicate threw' }])
})

test('key frames that no file has are those that the first execution shows', () => {
  const goal = new FramesGoal([], 0.5)
  expect(goal).toMatchObject({ isDone: false, share: 0 })
  goal.observe(undefined, 1, () => keptOf([]))
  expect(goal).toMatchObject({ isDone: false, share: 0 })
  goal.observe([{ name: 'x', frames: ['x'], steps: [] }], 2, () => keptOf([]))
  expect(goal).toMatchObject({ isDone: false, share: 0.5 })
  expect(new FramesGoal([], 0.5).observe([], 1, () => keptOf([]))).toEqual([])
})

test('a candidate whose execution shows nothing is rejected', () => {
  const goal = new FramesGoal([], 0.5)
  goal.observe([{ name: 'x', frames: ['x'], steps: [1] }], 1, () => keptOf([5, 6]))
  const [archive, draws] = [new Archive(), chance(1)]
  const first = goal.next(archive, draws)
  goal.observe(undefined, 2, () => keptOf([]))
  expect(goal.next(archive, draws)).not.toEqual(first)
  expect(goal.found('x')!.pieces).toEqual([[5, 6]])
})

test('the same seed asks for the same executions', () => {
  expect(search(6, [4, 3, 2, 1, 4, 3], 200).ran).toEqual(search(6, [4, 3, 2, 1, 4, 3], 200).ran)
})
