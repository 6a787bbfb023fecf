/** A mutex. */
import { describeCall, type Keyed } from './describe-call.ts'
import { keyFor } from './inputs.ts'
import type { ObjectModel } from './model.ts'

export type MutexInput = Keyed & { readonly f: 'acquire' | 'release' }

/** A mutex that is free at first; only one that is held can be released, by whomever. */
export function mutex(): ObjectModel<'free' | 'held', MutexInput, unknown> {
  return {
    name: 'mutex',
    init: () => 'free',
    step(state, input) {
      if (input.f === 'acquire') return state === 'free' ? 'held' : undefined
      return state === 'held' ? 'free' : undefined
    },
    partition: keyFor('mutex'),
    describe: (input) => describeCall(input.f, [input.key]),
  }
}
