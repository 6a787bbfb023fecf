/**
 * How often everything happened in the executions of a cluster: what a campaign that found nothing
 * is judged by, since a check that nothing ever touched holds too. Plain data, added up over
 * workers.
 *
 * Entries of the event log are counted by kind and within it by what they are about: messages and
 * requests by their type, timers and events by their name, losses by their cause.
 */
import type { EntryKind } from '../contract/cluster-record.ts'

/** Names remembered of one kind; what comes later is counted as `OTHERS`. */
export const MAX_NAMES = 256

export const OTHERS = '…'

export interface EntryCount {
  readonly count: number
  /** How many of them the model was told of. */
  readonly mapped: number
}

export interface ActionCount {
  /** How often it was possible in the model, and how often it was not. */
  readonly enabled: number
  readonly disabled: number
  /** Why it was not, the first time. */
  readonly reason?: string
}

export interface VacuityTally {
  /** Executions that were counted, of those that there were. */
  readonly counted: number
  readonly executions: number
  readonly entries: Readonly<Partial<Record<EntryKind, Readonly<Record<string, EntryCount>>>>>
  /** Requests that reached a node, and those of them that were answered. */
  readonly requests: { readonly made: number; readonly answered: number }
  /**
   * How often each fault happened that the cluster allows, `crashes`, `drops`, `duplicates` and
   * `partitions`: in all executions, not only those counted.
   */
  readonly faults: Readonly<Record<string, number>>
  /**
   * Executions that reached abstract states of the model past the number that is told apart; absent
   * if none did.
   */
  readonly crowdedOut?: number
  /** The actions of the model, in all executions; undefined if there is none. */
  readonly actions?: Readonly<Record<string, ActionCount>>
}

/** What two campaigns of one cluster showed together; undefined if neither counted. */
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

/** Both records, what stands in both added; sorted by name, whichever came first. */
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
