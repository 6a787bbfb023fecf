/** What the harness reports, as README.md specifies it. */

/** A node before or after a step. */
interface Summary {
  readonly role: Role
  readonly term: number
  readonly vote: string
  readonly commit: number
  readonly index: number
  readonly snapshot: number
  readonly snapshotTerm: number
}

type Role = 'follower' | 'candidate' | 'leader'

/** What an entry holds: a request and its number, nothing, or a change of the configuration. */
type Content = readonly [number: number, request: Operation] | null | Configure

interface Configure {
  /** In the library's notation: `v4 l5 r1` makes the 4th node a voter, the 5th a learner, and removes the first. */
  readonly configure: string
  /** Whether to pass through a joint configuration, and whether to leave it by itself. Default: `auto`. */
  readonly transition?: 'auto' | 'implicit' | 'explicit'
}

/** An operation of the register. */
type Operation =
  | { readonly f: 'read' }
  | { readonly f: 'write'; readonly value: number }
  | { readonly f: 'cas'; readonly from: number | null; readonly to: number }

/** What clients ask: an operation, a change of the configuration, or a transfer of leadership to a node. */
export type Request = Operation | Configure | { readonly transfer: string }

export type Reply = { readonly value: unknown } | { readonly error: string }

export interface Configuration {
  readonly voters: readonly string[]
  readonly learners?: readonly string[]
  readonly outgoing?: readonly string[]
  readonly learnersNext?: readonly string[]
  readonly autoLeave?: true
}

interface Snapshot extends Configuration {
  readonly index: number
  readonly term: number
  readonly data: unknown
}

/** A message; which fields it has depends on its type. */
export interface Message {
  readonly type: string
  readonly from: string
  readonly to: string
  readonly term?: number
  readonly logTerm?: number
  readonly index?: number
  readonly commit?: number
  readonly entries?: readonly number[]
  /** What the entries hold, or the number of a read. */
  readonly data?: readonly (Content | number)[]
  readonly reject?: true
  readonly hint?: number
  readonly context?: string
  readonly snapshot?: Snapshot
}

export interface Applied {
  readonly index: number
  readonly term: number
  readonly data: Content
}

/** A read that the library has answered: the value is that of the state machine once `index` is applied. */
export interface Confirmed {
  readonly context: string
  readonly index: number
}

/** The data of the event `step`. */
export interface Step {
  readonly kind: 'start' | 'restart' | 'election' | 'heartbeat' | 'deliver' | 'request'
  readonly in?: Message
  readonly before: Summary
  readonly after: Summary
  readonly out?: readonly Message[]
  readonly applied?: readonly Applied[]
  readonly created?: number
  readonly installed?: number
  readonly confirmed?: readonly Confirmed[]
}

/** The visible state of a node. */
export interface RaftState {
  readonly role: Role
  readonly term: number
  readonly vote: string
  readonly lead: string
  readonly commit: number
  readonly applied: number
  readonly index: number
  readonly logTerm: number
  /** The terms of the entries after the snapshot. */
  readonly log: readonly number[]
  readonly snapshot: { readonly index: number; readonly term: number }
  readonly configuration: Configuration
}
