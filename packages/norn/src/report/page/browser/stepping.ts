/** Where a reader is in an execution, and what the state is there. Pure. */
import type { Execution, Group, Step } from '../data.ts'

/** The indices of the rows that are shown. */
export function shownRows({ rows }: Execution, all: boolean): number[] {
  return [...rows.keys()].filter((index) => all || isTold(rows[index]!))
}

/** Whether a row is shown among the steps that matter. */
function isTold({ routine, departs, difference, isFailure }: Step): boolean {
  return !routine || departs === true || difference === 'parting' || isFailure === true
}

export function hasRoutine({ rows }: Execution): boolean {
  return rows.some((row) => !isTold(row))
}

/** Whether a reader should stop here: a departure, the step that decides, the end. */
export function isNotable({ departs, difference, isFailure }: Step): boolean {
  return departs === true || difference === 'parting' || isFailure === true
}

/** Where to begin: at the step that decides, else at the first departure, else at the end. */
export function firstRow({ rows }: Execution, parting?: number): number {
  if (parting !== undefined && parting >= 0) return parting
  const at = rows.findIndex(isNotable)
  return at < 0 ? Math.max(0, rows.length - 1) : at
}

/** The shown row that a step leads to; the same at an end. */
export function stepped(shown: readonly number[], row: number, by: number): number {
  const at = placeOf(shown, row)
  return shown[Math.min(shown.length - 1, Math.max(0, at + by))] ?? row
}

/** The next notable row in a direction; the same if there is none. */
export function notable({ rows }: Execution, row: number, by: 1 | -1): number {
  for (let at = row + by; at >= 0 && at < rows.length; at += by) if (isNotable(rows[at]!)) return at
  return row
}

/** The place of a row among those shown: of one that is not shown, that of the one before it. */
export function placeOf(shown: readonly number[], row: number): number {
  let [low, high] = [0, shown.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (shown[middle]! <= row) low = middle + 1
    else high = middle
  }
  return Math.max(0, low - 1)
}

/** The row of the passing execution that stands beside one of the failing execution. */
export function beside(row: number, [failing, passing]: readonly [number, number], { rows }: Execution): number {
  return Math.max(0, Math.min(rows.length - 1, row - failing + passing))
}

interface StateEntry {
  readonly name: string
  readonly value: string
  /** Whether the step set it, and what it was before. */
  readonly isNew: boolean
  readonly before?: string | undefined
}

export interface StateGroup extends Group {
  readonly entries: readonly StateEntry[]
  /** What the step removed. */
  readonly gone: readonly StateEntry[]
}

/** The state after a row. Entries keep their places, so that what changes stays where it is. */
export function stateAt({ rows, groups }: Execution, row: number): StateGroup[] {
  const values = groups.map(() => new Map<string, string>())
  for (let at = 0; at < row; at++) apply(values, rows[at]!)
  const before = values.map((each) => new Map(each))
  const last = rows[row]
  if (last !== undefined) apply(values, last)
  return groups.map((titled, group) => {
    const [was, now] = [before[group]!, values[group]!]
    const entries = [...now].map(([name, value]) => ({
      name,
      value,
      isNew: was.get(name) !== value,
      before: was.get(name) === value ? undefined : was.get(name),
    }))
    const gone = [...was].flatMap(([name, value]) => (now.has(name) ? [] : [{ name, value, isNew: false }]))
    return { ...titled, entries, gone }
  })
}

function apply(values: readonly Map<string, string>[], { changes = [] }: Step): void {
  for (const [group, name, value] of changes) {
    if (value === undefined) values[group]!.delete(name)
    else values[group]!.set(name, value)
  }
}
