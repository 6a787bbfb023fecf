/**
 * Neighbours of a recorded failure: the recorded latencies, scaled; then each operation of a kind
 * that was delayed, delayed in turn; then each fault, moved to another operation of its kind.
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

/**
 * One execution for each operation that does what a late one did: it alone is late, by as much as
 * was recorded.
 */
function moved(recorded: Choices, now: ExecutionResult): Choices[] {
  const late = recorded.schedule.filter((choice) => !isSimplest(choice))
  const drawn = now.choices?.schedule ?? []
  const variants: Choices[] = []
  for (const choice of late) {
    const alike = drawn.filter((other) => isAlike(other, choice)).slice(0, MAX_MOVED)
    for (const other of alike) {
      for (const value of new Set([Number(choice.value), Number(other.max)])) {
        const schedule: Choice[] = [...late.filter((kept) => kept !== choice), { ...other, value }]
        variants.push({ ...recorded, schedule, length: UNBOUNDED })
      }
    }
  }
  return variants
}

/** The same for each fault: it alone moves, or another error of its operation takes its place. */
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

/** Whether two choices are about the same point of the same operation, whatever their steps. */
function isAlike(one: Choice, other: Choice): boolean {
  if (one.subject === undefined || other.subject === undefined) return one.label === other.label
  const { operation, point, ordinal } = one.subject
  return operation === other.subject.operation && point === other.subject.point && ordinal === other.subject.ordinal
}
