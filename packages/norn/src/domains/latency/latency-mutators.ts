/**
 * Mutators of the schedule and fault lanes. A choice stays with its operation, by its label. A
 * strategy proposes the choices that a record lacks, so a truncated record runs the same execution
 * up to there, and then another.
 */
import type { Choice, Lane } from '../../contract/choice.ts'
import type { Material, Mutator } from '../../search/mutation.ts'
import { drawSteps, type Timeline } from './timeline.ts'

export interface LatencyMaterial extends Material {
  /** Of the execution under mutation. */
  readonly timeline: Timeline
}

type LatencyMutator = Mutator<LatencyMaterial>

/** Sets a latency to 0. */
const undelay: LatencyMutator = {
  name: 'undelay',
  lane: 'schedule',
  mutate(draft, material) {
    const at = nearestDelayed(draft.schedule, material)
    if (at === undefined) return undefined
    draft.schedule[at] = { ...draft.schedule[at]!, value: 0 }
    return at
  },
}

/** Draws a latency, mostly log-uniformly: interleavings depend on the ratio of two latencies. */
const delay = atOne('delay', 'schedule', ({ max }, { chance }) =>
  Math.round(chance.coin(0.2) ? Number(max) * chance.unit() : Math.max(1, Number(max)) ** chance.unit()),
)

/** Scales a latency by 0.5 to 2. */
const scale = atOne('scale', 'schedule', ({ value }, { chance }) =>
  Math.round(Number(value) * (0.5 + 1.5 * chance.unit()) + (chance.coin(0.5) ? 1 : -1)),
)

/**
 * Moves an operation just behind one of the next schedule points, or just before an earlier one.
 */
const overtake: LatencyMutator = {
  name: 'overtake',
  lane: 'schedule',
  mutate({ schedule }, { chance, timeline, index }) {
    const at = index('schedule', schedule.length)
    const choice = schedule[at]!
    return shift(schedule, at, timeline.distance(choice, drawSteps(chance)))
  },
}

/** Moves an operation to the schedule points around the latest progress. */
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

/** Moves a task before several earlier ones; to delay each of them separately would be unlikely. */
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

/** Exchanges two latencies. */
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

/** Moves a latency to another operation. */
const move: LatencyMutator = {
  name: 'move',
  lane: 'schedule',
  mutate({ schedule }, material) {
    const { chance, index } = material
    const from = nearestDelayed(schedule, material)
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

/** Truncates the schedule, so that a strategy continues. */
const redrawTail: LatencyMutator = {
  name: 'redraw tail',
  lane: 'schedule',
  mutate({ schedule }, { index }) {
    const at = index('schedule', schedule.length)
    schedule.length = at
    return at
  },
}

/** Takes the latencies from an index on from another execution. */
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

/** Changes the fault of a system call. */
const otherFault = atOne('other fault', 'fault', ({ max }, { chance }) =>
  chance.coin(0.5) ? 0 : chance.integer(0, Number(max)),
)

export const LATENCY_MUTATORS: readonly LatencyMutator[] = [
  undelay,
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
 * Adds to a latency. Returns its index; undefined if the latency would not change or leave its
 * range.
 */
function shift(schedule: Choice[], at: number, byUs: number | undefined): number | undefined {
  const choice = schedule[at]!
  if (byUs === undefined || byUs === 0) return undefined
  const value = Number(choice.value) + byUs
  if (value < 0 || value > Number(choice.max)) return undefined
  schedule[at] = { ...choice, value }
  return at
}

/** The delayed operation nearest to an index that is drawn. */
function nearestDelayed(schedule: readonly Choice[], { index }: LatencyMaterial): number | undefined {
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
