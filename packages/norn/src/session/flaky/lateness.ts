/**
 * When a test is late. Each delay that norn draws is one that a busy machine makes, but hundreds of them together are
 * not: a schedule that exceeds a timeout only by adding up delays of many operations is legal, and never seen.
 *
 * So a timeout that expires counts if few late operations suffice. Shrinking leaves those without which the test is in
 * time. Other failures count however many they need: what decides them is an order, and one pause of a machine makes
 * many operations late in that order.
 */
import { isSimplest } from '../../contract/choice.ts'
import type { ExecutionResult } from '../../contract/execution.ts'

/** Late operations that may exceed a timeout together. */
const MOST_LATE = 5

/** What departs from the default schedule. */
export function departures({ choices }: ExecutionResult): number {
  return (choices?.schedule ?? []).filter((choice) => !isSimplest(choice)).length
}

/** Whether a shrunk failure is a timeout that only many late operations exceed together. */
export function addsUp(result: ExecutionResult): boolean {
  return result.tests?.isLate === true && departures(result) > MOST_LATE
}
