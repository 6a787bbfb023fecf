/** A counter that is added to and read. */
import { describeCall, type Keyed } from './describe-call.ts'
import { keyFor } from './inputs.ts'
import type { ObjectModel } from './model.ts'

export type CounterInput = Keyed & ({ readonly f: 'add'; readonly value: number } | { readonly f: 'read' })

/** A counter from 0. A read returns the sum. */
export function counter(): ObjectModel<number, CounterInput, unknown> {
  return {
    name: 'counter',
    init: () => 0,
    step(state, input, output, isKnown) {
      if (input.f === 'add') return state + input.value
      return !isKnown || state === output ? state : undefined
    },
    partition: keyFor('counter'),
    isRead: (input) => input.f === 'read',
    growth: {
      shrinks: (input) => input.f === 'add' && input.value < 0,
      mayFollow: (state, input, output) => input.f !== 'read' || (typeof output === 'number' && state <= output),
    },
    describe(input, output, isKnown) {
      if (input.f === 'add') return describeCall('add', [input.key, input.value])
      return describeCall('read', [input.key], isKnown ? { value: output } : undefined)
    },
  }
}
