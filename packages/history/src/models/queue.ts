/** Queues and stacks: what is put in comes out once, first in first out or last in first out. */

import { isEqual } from './canonical.ts'
import { describeCall, type Keyed } from './describe-call.ts'
import { keyFor } from './inputs.ts'
import type { ObjectModel } from './model.ts'

export type QueueInput = Keyed & ({ readonly f: 'enqueue'; readonly value: unknown } | { readonly f: 'dequeue' })
export type StackInput = Keyed & ({ readonly f: 'push'; readonly value: unknown } | { readonly f: 'pop' })

/** A queue. A dequeue returns the oldest value, or null or undefined if the queue is empty. */
export function queue(): ObjectModel<readonly unknown[], QueueInput, unknown> {
  return {
    name: 'queue',
    init: () => [],
    step: queueStep,
    partition: keyFor('queue'),
    isRead: (input, output, isKnown) => input.f === 'dequeue' && isKnown && isEmpty(output),
    describe(input, output, isKnown) {
      if (input.f === 'enqueue') return describeCall('enqueue', [input.key, input.value])
      return describeCall('dequeue', [input.key], isKnown ? { value: output } : undefined)
    },
  }
}

/** A stack. A pop returns the newest value, or null or undefined if the stack is empty. */
export function stack(): ObjectModel<readonly unknown[], StackInput, unknown> {
  return {
    name: 'stack',
    init: () => [],
    step(state, input, output, isKnown) {
      if (input.f === 'push') return [...state, input.value]
      if (isKnown && isEmpty(output)) return state.length === 0 ? state : undefined
      return state.length > 0 && (!isKnown || isEqual(state.at(-1), output)) ? state.slice(0, -1) : undefined
    },
    partition: keyFor('stack'),
    isRead: (input, output, isKnown) => input.f === 'pop' && isKnown && isEmpty(output),
    describe(input, output, isKnown) {
      if (input.f === 'push') return describeCall('push', [input.key, input.value])
      return describeCall('pop', [input.key], isKnown ? { value: output } : undefined)
    },
  }
}

/** Told from other models by this function, a queue can be checked by a faster algorithm. */
export function queueStep(
  state: readonly unknown[],
  input: QueueInput,
  output: unknown,
  isKnown: boolean,
): readonly unknown[] | undefined {
  if (input.f === 'enqueue') return [...state, input.value]
  if (isKnown && isEmpty(output)) return state.length === 0 ? state : undefined
  return state.length > 0 && (!isKnown || isEqual(state[0], output)) ? state.slice(1) : undefined
}

/** Whether a dequeue or pop that returned this says that there was nothing. */
export function isEmpty(output: unknown): boolean {
  return output === null || output === undefined
}
