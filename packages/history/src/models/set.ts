/** A set that elements are added to and removed from, and that is read as a whole. */

import { canonical } from './canonical.ts'
import { describeCall, type Keyed } from './describe-call.ts'
import { keyFor } from './inputs.ts'
import type { ObjectModel } from './model.ts'

export type SetInput = Keyed & ({ readonly f: 'add' | 'remove'; readonly value: unknown } | { readonly f: 'read' })

/** The canonical texts of the elements, in order. */
export type SetState = readonly string[]

/** A set. A read returns its elements in any order, as an array or a Set. */
export function set(): ObjectModel<SetState, SetInput, unknown> {
  return {
    name: 'set',
    init: () => [],
    step: setStep,
    key: (state) => state.join(),
    partition: keyFor('set'),
    isRead: (input) => input.f === 'read',
    growth: {
      shrinks: (input) => input.f === 'remove',
      mayFollow(state, input, output) {
        if (input.f !== 'read') return true
        const elements = elementsOf(output)
        return elements !== undefined && state.every((element) => elements.has(element))
      },
    },
    describe(input, output, isKnown) {
      if (input.f !== 'read') return describeCall(input.f, [input.key, input.value])
      return describeCall('read', [input.key], isKnown ? { value: output } : undefined)
    },
    describeState: (state) => `[${state.join(',')}]`,
  }
}

/** Told from other models by this function, a set can be checked by a faster algorithm. */
export function setStep(state: SetState, input: SetInput, output: unknown, isKnown: boolean): SetState | undefined {
  if (input.f === 'read') return !isKnown || isSame(state, output) ? state : undefined
  const element = canonical(input.value)
  if (state.includes(element) === (input.f === 'add')) return state
  return input.f === 'add' ? [...state, element].sort() : state.filter((other) => other !== element)
}

/** The canonical texts of what a read of a set returned, without repetition; undefined if it is none. */
export function elementsOf(output: unknown): ReadonlySet<string> | undefined {
  if (output === null || output === undefined) return new Set()
  if (!Array.isArray(output) && !(output instanceof Set)) return undefined
  return new Set(Array.from(output, canonical))
}

function isSame(state: SetState, output: unknown): boolean {
  const elements = elementsOf(output)
  return elements?.size === state.length && state.every((element) => elements.has(element))
}
