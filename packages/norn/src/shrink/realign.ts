/**
 * Moves the delays and faults of a schedule to the operations of another input.
 *
 * Labels are causal paths, so an input with a part less gives other labels to the operations of the
 * parts behind it, and a delay recorded for one of them falls on another operation, or on none.
 * Operations of one kind are therefore matched by their order: counted from the first for those
 * before the part, from the last for those behind it. No record says where the part was, so every
 * place between two delays is tried.
 */
import { type Choice, isSimplest } from '../contract/choice.ts'
import type { Choices } from '../contract/choices.ts'

type Lanes = Pick<Choices, 'schedule' | 'fault'>

/** A delay or a fault, and its operation among those of its kind. */
interface Departure {
  readonly lane: keyof Lanes
  readonly choice: Choice
  readonly kind: string
  readonly ordinal: number
}

/** Departures beyond these stay with their labels: so many are not realigned, but made fewer. */
const MAX_REALIGNED = 8

/**
 * The schedules to try for an input that draws `now`.
 *
 * @param departures the choices to move; each has its label in `drawn`
 * @param drawn what the execution drew for which they were made
 */
export function* realigned(departures: Lanes, drawn: Lanes, now: Lanes): Generator<Lanes> {
  const [before, after] = [operations(drawn), operations(now)]
  const moved = departuresIn(departures, drawn)
  if (moved.length === 0 || moved.length > MAX_REALIGNED) return
  const isMoved = new Set(moved.map(({ choice }) => choice.label))
  const rest = ({ label }: Choice) => !isMoved.has(label)
  for (let kept = moved.length; kept >= 0; kept--) {
    const lanes = { schedule: departures.schedule.filter(rest), fault: departures.fault.filter(rest) }
    for (const [index, { lane, choice, kind, ordinal }] of moved.entries()) {
      const candidates = after.get(kind) ?? []
      const shift = index < kept ? 0 : before.get(kind)!.length - candidates.length
      const target = candidates[ordinal - shift]
      if (target !== undefined) lanes[lane].push({ ...target, value: choice.value })
    }
    yield lanes
  }
}

/** The departures with a subject that an execution drew, in the order of their draws. */
function departuresIn(departures: Lanes, drawn: Lanes): Departure[] {
  const found: Departure[] = []
  for (const lane of ['schedule', 'fault'] as const) {
    const byLabel = new Map(departures[lane].map((choice) => [choice.label, choice]))
    const counts = new Map<string, number>()
    for (const { label, subject } of drawn[lane]) {
      if (subject === undefined) continue
      const kind = kindOf(lane, subject)
      const ordinal = counts.get(kind) ?? 0
      counts.set(kind, ordinal + 1)
      const choice = byLabel.get(label)
      if (choice !== undefined && !isSimplest(choice)) found.push({ lane, choice, kind, ordinal })
    }
  }
  return found
}

/** The choices about operations of each kind, in the order of their draws. */
function operations(drawn: Lanes): Map<string, Choice[]> {
  const byKind = new Map<string, Choice[]>()
  for (const lane of ['schedule', 'fault'] as const) {
    for (const choice of drawn[lane]) {
      if (choice.subject === undefined) continue
      const kind = kindOf(lane, choice.subject)
      const alike = byKind.get(kind)
      if (alike === undefined) byKind.set(kind, [choice])
      else alike.push(choice)
    }
  }
  return byKind
}

function kindOf(lane: keyof Lanes, { operation, point }: NonNullable<Choice['subject']>): string {
  return `${lane} ${operation} ${point}`
}
