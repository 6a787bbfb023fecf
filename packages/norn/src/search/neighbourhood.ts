/**
 * The neighbourhood of a recorded failure: executions like it, tried before a failure is called gone after the code has
 * changed.
 *
 * In this order: the recorded latencies, scaled; each operation that the execution now has, of a kind that was late,
 * late in turn; each fault, moved to another operation of its kind; then fresh schedules for the same input. Where the
 * schedule is a list of steps, these are moved instead: see near-steps.ts. Deterministic.
 */

import { nearSteps } from '../cluster/search/near-steps.ts'
import { isRenumbered, isStep } from '../cluster/search/step-list.ts'
import { type Choice, clamp, isSimplest } from '../contract/choice.ts'
import { type Choices, UNBOUNDED } from '../contract/choices.ts'
import type { ExecutionResult } from '../contract/execution.ts'
import type { InputPlan, Plan } from '../contract/plan.ts'
import { SCHEDULES_PER_INPUT } from '../tape/name.ts'

const SCALES = [0.5, 2, 0.25, 4, 10]
const MAX_MOVED = 60

/**
 * @param recorded the choices that failed once
 * @param now an execution of the changed code that followed them and passed
 * @param count how many plans to give at most
 */
export function* neighbourhood(
  input: InputPlan,
  recorded: Choices,
  now: ExecutionResult,
  count: number,
): Generator<Plan> {
  let given = 0
  const latencies = () => [...scaled(recorded), ...moved(recorded, now), ...movedFaults(recorded, now)]
  for (const choices of recorded.schedule.some(isStep) ? stepped(recorded, now) : latencies()) {
    if (given++ >= count) return
    yield { input, choices: { from: 'record', choices } }
  }
  const { points, chains, durationUs, faultPoints } = now
  const estimates = {
    points: Math.max(1, points),
    chains,
    durationUs: Math.max(1, durationUs),
    ...(faultPoints === undefined ? {} : { faultPoints }),
  }
  for (let seed = 1; given < count; seed++) {
    // The input is that of the plan; only schedules are fresh, so the natural one is left out.
    if (seed % SCHEDULES_PER_INPUT === 0) continue
    given++
    yield { input, choices: { from: 'strategy', strategy: 'portfolio', name: { length: UNBOUNDED, seed }, estimates } }
  }
}

/** Nothing is near steps whose numbers mean others now. */
function stepped(recorded: Choices, { choices }: ExecutionResult): Choices[] {
  return choices !== undefined && isRenumbered(recorded, choices) ? [] : nearSteps(recorded)
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

/** One execution for each operation that does what a late one did: it alone is late, by as much as was recorded. */
function moved(recorded: Choices, now: ExecutionResult): Choices[] {
  const late = recorded.schedule.filter((choice) => !isSimplest(choice))
  const drawn = now.choices?.schedule ?? []
  const variants: Choices[] = []
  for (const choice of late) {
    const alike = drawn.filter((other) => kindOf(other) === kindOf(choice)).slice(0, MAX_MOVED)
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
      .filter((other) => operationOf(other) === operationOf(choice))
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

/** The part of a label that says what is late, without which step it is. */
function kindOf(choice: Choice): string {
  return choice.label.replace(/^\S+ /, '')
}

/** The system call that a fault meets, whichever of its step it is. */
function operationOf(fault: Choice): string {
  return kindOf(fault).replace(/#\d+$/, '')
}
