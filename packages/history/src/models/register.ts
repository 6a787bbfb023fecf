/** Registers: a cell that is read, written, and compared and set. */

import { isEqual } from './canonical.ts'
import { describeCall, type Keyed } from './describe-call.ts'
import { keyFor } from './inputs.ts'
import type { ObjectModel } from './model.ts'

export type RegisterInput = Keyed & ({ readonly f: 'read' } | { readonly f: 'write'; readonly value: unknown })

export type CasRegisterInput =
  | RegisterInput
  | (Keyed & { readonly f: 'cas'; readonly from: unknown; readonly to: unknown })

/**
 * A register. An operation may name its register with a key; a read returns the value.
 *
 * @param initial the value before the first write
 */
export function register(initial: unknown = null): ObjectModel<unknown, RegisterInput, unknown> {
  return { ...casRegister(initial), name: 'register', partition: keyFor('register') }
}

/**
 * A register with compare-and-set. A cas that is ok took effect, unless it returned false: then the
 * value was another one.
 */
export function casRegister(initial: unknown = null): ObjectModel<unknown, CasRegisterInput, unknown> {
  return {
    name: 'cas-register',
    init: () => initial,
    step: registerStep,
    partition: keyFor('cas-register'),
    isRead: (input, output, isKnown) => input.f === 'read' || (input.f === 'cas' && isKnown && output === false),
    describe(input, output, isKnown) {
      switch (input.f) {
        case 'read':
          return describeCall('read', [input.key], isKnown ? { value: output } : undefined)
        case 'write':
          return describeCall('write', [input.key, input.value])
        case 'cas': {
          const failed = isKnown && output === false ? { value: false } : undefined
          return describeCall('cas', [input.key, input.from, input.to], failed)
        }
      }
    },
  }
}

/** Told from other models by this function, a register can be checked by a faster algorithm. */
export function registerStep(state: unknown, input: CasRegisterInput, output: unknown, isKnown: boolean): unknown {
  switch (input.f) {
    case 'read':
      return !isKnown || isEqual(state, output ?? null) ? state : undefined
    case 'write':
      return input.value
    case 'cas':
      if (isKnown && output === false) return isEqual(state, input.from) ? undefined : state
      return isEqual(state, input.from) ? input.to : undefined
  }
}
