/**
 * How much of what happened a model took part in: whether guidance by its states, and conformance to it, said anything.
 *
 * The published tool stuttered in silence on disabled actions and dropped unmapped events, and one of its models had a
 * comparison the wrong way round that disabled all ordinary appends: none of it was seen in what it printed.
 *
 * Counts are plain data that add up: over executions, over workers.
 */

/** What became of one action. */
export interface ActionCount {
  readonly enabled: number
  readonly disabled: number
  /** Why it was disabled the first time; empty if it never was. */
  readonly reason: string
}

export interface ModelCounts {
  /** Entries of the log that were looked at, and those that stood for some action. */
  readonly entries: number
  readonly mapped: number
  /** By name: every action of the model, whether it happened or not. */
  readonly actions: Readonly<Record<string, ActionCount>>
}

export const NO_COUNTS: ModelCounts = { entries: 0, mapped: 0, actions: {} }

/** The counts of both. Of reasons the first one's come first. */
export function addCounts(one: ModelCounts, other: ModelCounts): ModelCounts {
  const actions: Record<string, ActionCount> = { ...one.actions }
  for (const [name, { enabled, disabled, reason }] of Object.entries(other.actions)) {
    const before = actions[name] ?? { enabled: 0, disabled: 0, reason: '' }
    actions[name] = {
      enabled: before.enabled + enabled,
      disabled: before.disabled + disabled,
      reason: before.reason || reason,
    }
  }
  return { entries: one.entries + other.entries, mapped: one.mapped + other.mapped, actions }
}

/** What counts say of a whole campaign. */
export interface ModelVacuity {
  /** The share of entries that stood for some action, 0..1. */
  readonly mappedShare: number
  /** The share of actions taken that the model could follow, 0..1; undefined if none was taken. */
  readonly enabledShare: number | undefined
  /** Actions that no entry ever stood for. */
  readonly neverTaken: readonly string[]
  /** Actions that were taken and never possible, each with the first reason. */
  readonly neverEnabled: readonly { readonly action: string; readonly reason: string }[]
}

export function modelVacuity({ entries, mapped, actions }: ModelCounts): ModelVacuity {
  const all = Object.entries(actions)
  const enabled = all.reduce((sum, [, count]) => sum + count.enabled, 0)
  const taken = all.reduce((sum, [, count]) => sum + count.disabled, enabled)
  return {
    mappedShare: entries === 0 ? 0 : mapped / entries,
    enabledShare: taken === 0 ? undefined : enabled / taken,
    neverTaken: all.filter(([, count]) => count.enabled + count.disabled === 0).map(([action]) => action),
    neverEnabled: all
      .filter(([, count]) => count.enabled === 0 && count.disabled > 0)
      .map(([action, { reason }]) => ({ action, reason })),
  }
}
