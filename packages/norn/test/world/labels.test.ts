import { expect, test } from 'vitest'
import { Causality } from '../../src/world/causality.ts'
import { parseScheduleLabel, scheduleLabel } from '../../src/world/labels.ts'

test.each(['effect', 'callback', 'timer', 'start', 'tear', 'stall'] as const)(
  'a label for %s is taken apart as it was made',
  (point) => {
    const causality = new Causality()
    causality.child()
    const step = causality.child()
    const label = scheduleLabel(step, 'read file', point)
    const parts = { chain: '0/0.1', step: '0/0.1:1', kind: 'read file', point }
    expect(parseScheduleLabel(label)).toEqual(parts)
    // A label that was drawn again.
    expect(parseScheduleLabel(`${label}#2`)).toEqual(parts)
  },
)

test.each(['chance seed', '', '0:1 unlink', '0:1 unlink later', 'unlink effect'])('%j is no latency', (label) => {
  expect(parseScheduleLabel(label)).toBeUndefined()
})
