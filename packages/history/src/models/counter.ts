/** A counter that is added to and read. */
import { HistoryError } from '../history/history-error.ts'
import { type BuiltInModel, describeCall, type Keyed, readingOf } from './built-in.ts'

export type CounterInput = Keyed & ({ readonly f: 'add'; readonly value: number } | { readonly f: 'read' })

/** A counter from 0. A read returns the sum. */
export function counter(): BuiltInModel<number, CounterInput, unknown> {
  return {
    name: 'counter',
    init: () => 0,
    step(state, input, output, isKnown) {
      if (input.f === 'add') return state + input.value
      return !isKnown || state === output ? state : undefined
    },
    partition: (input) => input.key,
    isRead: (input) => input.f === 'read',
    describe(input, output, isKnown) {
      if (input.f === 'add') return describeCall('add', [input.key, input.value])
      return describeCall('read', [input.key], isKnown ? { value: output } : undefined)
    },
    reading: readingOf<CounterInput, unknown>('counter', {
      add({ value, line }) {
        if (typeof value !== 'number') throw new HistoryError('the value of an add must be a number', line)
        return { f: 'add', value }
      },
      read: () => ({ f: 'read' }),
    }),
  }
}
