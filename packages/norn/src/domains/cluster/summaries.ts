/** Adds up what several workers summarise of clusters, and bounds the names that are counted. */
import type { DomainSummary } from '../../contract/campaign-summary.ts'
import type { FramesState } from '../../contract/key-frames.ts'
import type { ActionCount, EntryCount, VacuityTally } from '../../contract/vacuity.ts'

/** The maximum number of names of one kind; later names are counted as `OTHERS`. */
export const MAX_NAMES = 256

export const OTHERS = '…'

/** The sum of what two campaigns have; without what neither has. */
export function addDomainSummaries(a: DomainSummary, b: DomainSummary): DomainSummary {
  const vacuity = addVacuity(a.vacuity, b.vacuity)
  const frames = addFrames(a.frames, b.frames)
  return { ...(vacuity && { vacuity }), ...(frames && { frames }) }
}

/** Merges the states of two searches for the same key frames. */
function addFrames(
  a: readonly FramesState[] | undefined,
  b: readonly FramesState[] | undefined,
): readonly FramesState[] | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return b.map((later) => {
    const earlier = a.find(({ name }) => name === later.name)
    if (earlier === undefined) return later
    const better = earlier.foundAt !== undefined || earlier.reached > later.reached ? earlier : later
    return { ...better, directed: earlier.directed + later.directed }
  })
}

/** The sum of two tallies; undefined if both are. */
export function addVacuity(one: VacuityTally | undefined, other: VacuityTally | undefined): VacuityTally | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return {
    counted: one.counted + other.counted,
    executions: one.executions + other.executions,
    entries: joined<Readonly<Record<string, EntryCount>>>(one.entries, other.entries, addEntries),
    requests: {
      made: one.requests.made + other.requests.made,
      answered: one.requests.answered + other.requests.answered,
    },
    faults: joined(one.faults, other.faults, (a, b) => a + b),
    ...(one.crowdedOut === undefined && other.crowdedOut === undefined
      ? {}
      : { crowdedOut: (one.crowdedOut ?? 0) + (other.crowdedOut ?? 0) }),
    ...(one.isGuideOnly || other.isGuideOnly ? { isGuideOnly: true as const } : {}),
    ...(one.actions === undefined && other.actions === undefined
      ? {}
      : { actions: joined(one.actions, other.actions, addActions) }),
  }
}

function addEntries(
  one: Readonly<Record<string, EntryCount>>,
  other: Readonly<Record<string, EntryCount>>,
): Record<string, EntryCount> {
  const all = joined(one, other, (a, b) => ({ count: a.count + b.count, mapped: a.mapped + b.mapped }))
  const names = Object.keys(all)
  if (names.length <= MAX_NAMES + 1) return all
  const kept = names.filter((name) => name !== OTHERS).slice(0, MAX_NAMES)
  const rest = names.filter((name) => !kept.includes(name)).map((name) => all[name]!)
  const sum = (part: (each: EntryCount) => number) => rest.reduce((total, each) => total + part(each), 0)
  return {
    ...Object.fromEntries(kept.map((name) => [name, all[name]!])),
    [OTHERS]: { count: sum(({ count }) => count), mapped: sum(({ mapped }) => mapped) },
  }
}

function addActions(one: ActionCount, other: ActionCount): ActionCount {
  const reason = one.reason ?? other.reason
  return {
    enabled: one.enabled + other.enabled,
    disabled: one.disabled + other.disabled,
    ...(reason === undefined ? {} : { reason }),
  }
}

/** The union of two records, sorted by name; counts of the same name are added. */
function joined<Count>(
  one: Readonly<Record<string, Count>> = {},
  other: Readonly<Record<string, Count>> = {},
  add: (one: Count, other: Count) => Count,
): Record<string, Count> {
  const [left, right] = [new Map(Object.entries(one)), new Map(Object.entries(other))]
  const names = [...new Set([...left.keys(), ...right.keys()])].sort()
  return Object.fromEntries(
    names.map((name) => {
      const [a, b] = [left.get(name), right.get(name)]
      return [name, a === undefined ? b! : b === undefined ? a : add(a, b)]
    }),
  )
}
