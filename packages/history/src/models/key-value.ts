/** A key-value store with get, put and append. */

import { isEqual } from './canonical.ts'
import { describeCall } from './describe-call.ts'
import { keyFor } from './inputs.ts'
import type { ObjectModel } from './model.ts'

export type KeyValueInput =
  | { readonly f: 'get'; readonly key: unknown }
  | { readonly f: 'put' | 'append'; readonly key: unknown; readonly value: unknown }

/**
 * A key-value store. A get returns the value; for a key that was never written it returns null,
 * undefined or the empty string. An append writes the old value and the new one, as one text.
 */
export function keyValue(): ObjectModel<unknown, KeyValueInput, unknown> {
  return {
    name: 'kv',
    init: () => null,
    step(state, input, output, isKnown) {
      switch (input.f) {
        case 'get': {
          if (!isKnown || isEqual(state, output ?? null)) return state
          return state === null && output === '' ? state : undefined
        }
        case 'put':
          return input.value
        case 'append':
          return state === null ? input.value : `${state}${input.value}`
      }
    },
    partition: keyFor('kv'),
    isRead: (input) => input.f === 'get',
    growth: {
      shrinks: (input) => input.f === 'put',
      mayFollow(state, input, output) {
        if (input.f !== 'get' || state === null) return true
        return typeof state === 'string' && typeof output === 'string'
          ? output.startsWith(state)
          : typeof state !== 'string' || isEqual(state, output ?? null)
      },
    },
    describe(input, output, isKnown) {
      if (input.f === 'get') return describeCall('get', [input.key], isKnown ? { value: output } : undefined)
      return describeCall(input.f, [input.key, input.value])
    },
  }
}
