/**
 * Neighbours of a recorded failure: its latencies scaled; then each latency moved to each similar
 * operation; then each fault moved to each similar operation.
 */
import { type Choice, clamp, isSimplest } from '../../contract/choice.ts'
import { type Choices, UNBOUNDED } from '../../contract/choices.ts'
import type { ExecutionResult } from '../../contract/execution.ts'

const SCALES = [0.5, 2, 0.25, 4, 10]
const MAX_MOVED = 60

export function neighbours(recorded: Choices, now: ExecutionResult): readonly Choices[] {
  return [...scaled(recorded), ...moved(recorded, now), ...movedFaults(recorded, now)]
}

function scaled(recorded: Choices): Choices[] {
  return SCALES.map((factor) => ({
    ...recorded,
    length: UNBOUNDED,
    schedule: recorded.schedule.map((choice) => {
      const value = Math.max(1, Math.round(Number(choice.value) * factor))
      return isSimplest(choice) ? choice : { ...choice, value: clamp(value, Number(choice.min), Number(choice.max)) }
    }),
  }))
}

/** Moves each latency to each similar operation, with the recorded value and the maximum. */
function moved(recorded: Choices, now: ExecutionResult): Choices[] {
  const delayed = recorded.schedule.filter((choice) => !isSimplest(choice))
  const drawn = now.choices?.schedule ?? []
  const variants: Choices[] = []
  for (const choice of delayed) {
    const alike = drawn.filter((other) => isAlike(other, choice)).slice(0, MAX_MOVED)
    for (const other of alike) {
      for (const value of new Set([Number(choice.value), Number(other.max)])) {
        const schedule: Choice[] = [...delayed.filter((kept) => kept !== choice), { ...other, value }]
        variants.push({ ...recorded, schedule, length: UNBOUNDED })
      }
    }
  }
  return variants
}

/** Moves each fault to each similar operation, with the recorded value and other errors. */
function movedFaults(recorded: Choices, now: ExecutionResult): Choices[] {
  const faults = recorded.fault.filter((choice) => !isSimplest(choice))
  const variants: Choices[] = []
  for (const choice of faults) {
    const alike = (now.choices?.fault ?? [])
      .filter((other) => other.subject?.operation === choice.subject?.operation)
      .slice(0, MAX_MOVED)
    for (const other of alike) {
      const max = Number(other.max)
      for (const value of new Set([Number(choice.value), 1, 2, 3, 4].map((value) => clamp(value, 1, max)))) {
        const fault: Choice[] = [...faults.filter((kept) => kept !== choice), { ...other, value }]
        variants.push({ ...recorded, fault, length: UNBOUNDED })
      }
    }
  }
  return variants
}

/** Whether two choices concern the same point of the same kind of operation, in any step. */
function isAlike(one: Choice, other: Choice): boolean {
  if (one.subject === undefined || other.subject === undefined) return one.label === other.label
  const { operation, point, ordinal } = one.subject
  return operation === other.subject.operation && point === other.subject.point && ordinal === other.subject.ordinal
}
