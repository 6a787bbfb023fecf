import { describe, expect, test } from 'vitest'
import { labelOf, SCHEDULE_POINTS, subjectOf } from '../../src/contract/subject.ts'

const STEP = { chain: '0/0.1', step: '0/0.1:2' }

describe('a label is parsed as it was made', () => {
  test.each(SCHEDULE_POINTS)('for the %s of an operation', (point) => {
    for (const operation of ['unlink', 'read file']) {
      for (const ordinal of [0, 1, 12]) {
        const subject = { ...STEP, operation, point, ordinal }
        expect(subjectOf('latency', labelOf(subject))).toEqual(subject)
      }
    }
  })

  test.each(['write', 'copyfile open'])('for a fault of %s', (operation) => {
    for (const ordinal of [0, 1, 12]) {
      const subject = { ...STEP, operation, ordinal }
      expect(subjectOf('fault', labelOf(subject))).toEqual(subject)
    }
  })
})

test('labels are what saved failures hold', () => {
  expect(labelOf({ ...STEP, operation: 'unlink', point: 'effect', ordinal: 0 })).toBe('0/0.1:2 unlink effect')
  expect(labelOf({ ...STEP, operation: 'wake', point: 'timer', ordinal: 1 })).toBe('0/0.1:2 wake timer#1')
  expect(labelOf({ ...STEP, operation: 'copyfile open', ordinal: 1 })).toBe('0/0.1:2 copyfile open#1')
})

test.each(['chance seed', '', '0:1 unlink', '0:1 unlink later', 'unlink effect'])('%j has no subject', (label) => {
  expect(subjectOf('latency', label)).toBeUndefined()
})
