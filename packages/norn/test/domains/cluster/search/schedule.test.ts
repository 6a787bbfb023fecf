import { expect, test } from 'vitest'
import { quotasOf } from '../../../../src/cluster/faults/faults.ts'
import { StepCodes } from '../../../../src/cluster/steps.ts'
import { choicesOf, performedOnly, scheduleOf } from '../../../../src/domains/cluster/search/schedule.ts'

const codes = new StepCodes({ nodes: ['a', 'b'], network: {}, quotas: quotasOf({}) })

const step = (ordinal: number, value: number) => ({
  kind: 'step' as const,
  label: String(ordinal),
  min: 0,
  max: codes.max,
  value,
})
const seed = { kind: 'seed' as const, label: 'chance seed', min: 0, max: 0xffff_ffff, value: 77 }

test('the steps of a recorded schedule are told from what else is in its lane, and become choices again', () => {
  const { steps, others } = scheduleOf([step(0, 3), seed, step(1, 0), step(2, 5)])
  expect(steps).toEqual([3, 0, 5])
  expect(others).toEqual([seed])
  expect(choicesOf({ steps, others }, codes)).toEqual([seed, step(0, 3), step(1, 0), step(2, 5)])
})

test('a step that was inserted moves the labels of those behind it', () => {
  const { steps, others } = scheduleOf([step(0, 3), step(1, 5)])
  expect(
    choicesOf({ steps: steps.toSpliced(1, 0, 7), others }, codes).map(({ label, value }) => [label, value]),
  ).toEqual([
    ['0', 3],
    ['1', 7],
    ['2', 5],
  ])
})

test('steps that were not possible are left out, and it is known how many are left of the first so many', () => {
  const { steps, left } = performedOnly([1, 2, 3, 4, 5], [true, false, true, false, true])
  expect(steps).toEqual([1, 3, 5])
  expect([0, 1, 2, 3, 4, 5].map(left)).toEqual([0, 1, 1, 2, 2, 3])
})

test('where nothing was impossible, or nothing is known, all steps are left', () => {
  for (const performed of [[true, true], []]) {
    const { steps, left } = performedOnly([4, 2], performed)
    expect(steps).toEqual([4, 2])
    expect(left(2)).toBe(2)
  }
})
