/** Registers: a cell that is read, written, and compared and set. */
import { HistoryError } from '../history/history-error.ts'
import { type BuiltInModel, describeCall, type Keyed, readingOf } from './built-in.ts'
import { isEqual } from './canonical.ts'

export type RegisterInput = Keyed & ({ readonly f: 'read' } | { readonly f: 'write'; readonly value: unknown })

export type CasRegisterInput =
  | RegisterInput
  | (Keyed & { readonly f: 'cas'; readonly from: unknown; readonly to: unknown })

/**
 * A register. An operation may name its register with a key; a read returns the value.
 *
 * @param initial the value before the first write
 */
export function register(initial: unknown = null): BuiltInModel<unknown, RegisterInput, unknown> {
  return { ...casRegister(initial), name: 'register', reading: readingOf('register', REGISTER) }
}

/**
 * A register with compare-and-set. A cas that is ok took effect, unless it returned false: then the
 * value was another one.
 */
export function casRegister(initial: unknown = null): BuiltInModel<unknown, CasRegisterInput, unknown> {
  return {
    name: 'cas-register',
    init: () => initial,
    step(state, input, output, isKnown) {
      switch (input.f) {
        case 'read':
          return !isKnown || isEqual(state, output ?? null) ? state : undefined
        case 'write':
          return input.value
        case 'cas':
          if (isKnown && output === false) return isEqual(state, input.from) ? undefined : state
          return isEqual(state, input.from) ? input.to : undefined
      }
    },
    partition: (input) => input.key,
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
    reading: readingOf<CasRegisterInput, unknown>(
      'cas-register',
      {
        ...REGISTER,
        cas({ value, line }) {
          if (!Array.isArray(value) || value.length !== 2)
            throw new HistoryError('the value of a cas must be [from, to]', line)
          return { f: 'cas', from: value[0], to: value[1] }
        },
      },
      { cas: ({ value }) => value !== false },
    ),
  }
}

const REGISTER = {
  read: (): RegisterInput => ({ f: 'read' }),
  write: ({ value }: { readonly value: unknown }): RegisterInput => ({ f: 'write', value }),
}
