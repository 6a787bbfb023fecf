/**
 * Counts of what happened in the executions of a cluster. They show whether a campaign without a
 * failure tested anything: a check that is never exercised passes vacuously. Plain data.
 *
 * Log entries are counted by kind, then messages and requests by type, timers and events by name,
 * losses by cause.
 */
import type { EntryKind } from './cluster-record.ts'

export interface EntryCount {
  readonly count: number
  /** How many of them the model mapped to actions. */
  readonly mapped: number
}

export interface ActionCount {
  readonly enabled: number
  readonly disabled: number
  /** Why it was disabled the first time. */
  readonly reason?: string
}

export interface VacuityTally {
  /** How many of the executions were counted. */
  readonly counted: number
  readonly executions: number
  readonly entries: Readonly<Partial<Record<EntryKind, Readonly<Record<string, EntryCount>>>>>
  /** Requests that reached a node, and how many of them got a reply. */
  readonly requests: { readonly made: number; readonly answered: number }
  /** How often each fault that the cluster allows happened, in all executions. */
  readonly faults: Readonly<Record<string, number>>
  /** Executions that reached abstract states beyond the number that is distinguished, if any. */
  readonly crowdedOut?: number
  /** Whether the model only guided in some of them, and was not asked for actions that change nothing. */
  readonly isGuideOnly?: true
  /** The actions of the model, in all executions; undefined if there is no model. */
  readonly actions?: Readonly<Record<string, ActionCount>>
}
