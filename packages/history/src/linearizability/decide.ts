/** Algorithms that are faster than a search, for the objects that have one. */
import type { Operation } from '../history/operation.ts'
import type { ObjectModel } from '../models/model.ts'
import { type QueueInput, queueStep } from '../models/queue.ts'
import { type CasRegisterInput, registerStep } from '../models/register.ts'
import { type SetInput, setStep } from '../models/set.ts'
import type { Decision } from './decision.ts'
import { decideGrowOnlySet } from './grow-only-set.ts'
import { decideQueue } from './queue-aspects.ts'
import { decideUniqueRegister } from './unique-register.ts'

/**
 * @param operations of one object, none of which has failed
 * @returns undefined if no algorithm applies
 */
export function decide(operations: readonly Operation[], model: ObjectModel): Decision | undefined {
  const initial = model.init()
  switch (model.step as unknown) {
    case registerStep:
      return decideUniqueRegister(operations as readonly Operation<CasRegisterInput>[], initial)
    case queueStep:
      return isNone(initial) ? decideQueue(operations as readonly Operation<QueueInput>[]) : undefined
    case setStep:
      return isNone(initial) ? decideGrowOnlySet(operations as readonly Operation<SetInput>[]) : undefined
    default:
      return undefined
  }
}

function isNone(initial: unknown): boolean {
  return Array.isArray(initial) && initial.length === 0
}
