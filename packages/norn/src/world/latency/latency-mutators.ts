/**
 * Mutators of the lanes of schedules and faults. A choice stays with its operation, by its label,
 * and what the mutated execution draws beyond the record is proposed by a strategy: so to forget
 * what comes behind a place is to run the same execution to there, and then another.
 */
import type { Choice, Lane } from '../../contract/choice.ts'
import type { Material, Mutator } from '../../search/mutation.ts'
import { drawSteps, type Timeline } from './timeline.ts'

export interface LatencyMaterial extends Material {
  /** Of the execution that is mutated. */
  readonly timeline: Timeline
}

type LatencyMutator = Mutator<LatencyMaterial>

/** Makes something that was late natural. */
const soothe: LatencyMutator = {
  name: 'soothe',
  lane: 'schedule',
  mutate(draft, material) {
    const at = nearestLate(draft.schedule, material)
    if (at === undefined) return undefined
    draft.schedule[at] = { ...draft.schedule[at]!, value: 0 }
    return at
  },
}

/** Makes something late by an amount of any size: orders change with the ratio of two latencies. */
const delay = atOne('delay', 'schedule', ({ max }, { chance }) =>
  Math.round(chance.coin(0.2) ? Number(max) * chance.unit() : Math.max(1, Number(max)) ** chance.unit()),
)

/** Makes something a little earlier or later than it was. */
const scale = atOne('scale', 'schedule', ({ value }, { chance }) =>
  Math.round(Number(value) * (0.5 + 1.5 * chance.unit()) + (chance.coin(0.5) ? 1 : -1)),
)

/** Lets something fall just behind one of the next moments, or just before one of the last. */
const overtake: LatencyMutator = {
  name: 'overtake',
  lane: 'schedule',
  mutate({ schedule }, { chance, timeline, index }) {
    const at = index('schedule', schedule.length)
    const choice = schedule[at]!
    return shift(schedule, at, timeline.distance(choice, drawSteps(chance)))
  },
}

/** Lets something fall among the moments around that where the last progress was made. */
const gather: LatencyMutator = {
  name: 'gather',
  lane: 'schedule',
  mutate({ schedule }, { chance, timeline, place, index }) {
    const around =
      place?.lane === 'schedule' ? schedule[Math.max(0, Math.min(place.index - 1, schedule.length - 1))] : undefined
    if (around === undefined) return undefined
    const at = index('schedule', schedule.length)
    const choice = schedule[at]!
    return shift(schedule, at, timeline.toward(choice, around, chance.integer(-1, 4)))
  },
}

/**
 * Lets a task come before several that came before it: to hold back each of them by chance takes
 * the product of chances.
 */
const promote: LatencyMutator = {
  name: 'promote',
  lane: 'schedule',
  mutate(draft, { chance, timeline, index }) {
    const from = timeline.taskOf(draft.schedule[index('schedule', draft.schedule.length)]!)
    if (from === undefined) return undefined
    const schedule = timeline.promoted(draft.schedule, from, chance.integer(1, 3))
    const first = schedule?.findIndex(({ value }, at) => value !== draft.schedule[at]!.value) ?? -1
    if (schedule === undefined || first === -1) return undefined
    draft.schedule = schedule
    return first
  },
}

/** Lets two operations exchange their latencies. */
const exchange: LatencyMutator = {
  name: 'exchange',
  lane: 'schedule',
  mutate({ schedule }, { chance, index }) {
    const first = index('schedule', schedule.length)
    const second = chance.coin(0.5)
      ? chance.integer(0, schedule.length - 1)
      : Math.min(schedule.length - 1, first + chance.integer(1, 8))
    const [a, b] = [schedule[first]!, schedule[second]!]
    if (a.value === b.value || a.max !== b.max) return undefined
    schedule[first] = { ...a, value: b.value }
    schedule[second] = { ...b, value: a.value }
    return Math.min(first, second)
  },
}

/** Moves the lateness of one operation to another. */
const move: LatencyMutator = {
  name: 'move',
  lane: 'schedule',
  mutate({ schedule }, material) {
    const { chance, index } = material
    const from = nearestLate(schedule, material)
    if (from === undefined) return undefined
    const to = chance.coin(0.5)
      ? index('schedule', schedule.length)
      : Math.max(0, Math.min(schedule.length - 1, from + chance.integer(-4, 4)))
    if (from === to || schedule[from]!.max !== schedule[to]!.max) return undefined
    schedule[to] = { ...schedule[to]!, value: schedule[from]!.value }
    schedule[from] = { ...schedule[from]!, value: 0 }
    return Math.min(from, to)
  },
}

/** Keeps what was drawn up to a place, and lets a strategy go on. */
const redrawTail: LatencyMutator = {
  name: 'redraw tail',
  lane: 'schedule',
  mutate({ schedule }, { index }) {
    const at = index('schedule', schedule.length)
    schedule.length = at
    return at
  },
}

/** Takes the latencies of the operations behind a place from another execution. */
const splice: LatencyMutator = {
  name: 'splice',
  lane: 'schedule',
  mutate(draft, { other, index }) {
    if (other.schedule.length === 0) return undefined
    const at = index('schedule', draft.schedule.length)
    const byLabel = new Map(other.schedule.map((choice) => [choice.label, choice]))
    let first: number | undefined
    draft.schedule = draft.schedule.map((choice, place) => {
      const taken = place < at ? undefined : byLabel.get(choice.label)
      if (taken === undefined || taken.value === choice.value) return choice
      first ??= place
      return taken
    })
    return first
  },
}

/** Lets a system call meet another fault. */
const otherFault = atOne('other fault', 'fault', ({ max }, { chance }) =>
  chance.coin(0.5) ? 0 : chance.integer(0, Number(max)),
)

export const LATENCY_MUTATORS: readonly LatencyMutator[] = [
  soothe,
  delay,
  overtake,
  gather,
  promote,
  exchange,
  scale,
  move,
  redrawTail,
  splice,
  otherFault,
]

/**
 * Makes the choice at a place later or earlier, if that leaves it in its range and changes it;
 * gives the place then.
 */
function shift(schedule: Choice[], at: number, byUs: number | undefined): number | undefined {
  const choice = schedule[at]!
  if (byUs === undefined || byUs === 0) return undefined
  const value = Number(choice.value) + byUs
  if (value < 0 || value > Number(choice.max)) return undefined
  schedule[at] = { ...choice, value }
  return at
}

/** What is late and nearest to a place that is drawn. */
function nearestLate(schedule: readonly Choice[], { index }: LatencyMaterial): number | undefined {
  if (schedule.length === 0) return undefined
  const at = index('schedule', schedule.length)
  for (let away = 0; away < schedule.length; away++) {
    for (const place of [at + away, at - away]) if ((schedule[place]?.value ?? 0) !== 0) return place
  }
  return undefined
}

function atOne(name: string, lane: Lane, value: (choice: Choice, material: LatencyMaterial) => number): LatencyMutator {
  return {
    name,
    lane,
    mutate(draft, material) {
      const at = material.index(lane, draft[lane].length)
      const choice = draft[lane][at]!
      const changed = Math.max(Number(choice.min), Math.min(Number(choice.max), value(choice, material)))
      if (changed === choice.value) return undefined
      draft[lane][at] = { ...choice, value: changed }
      return at
    },
  }
}
