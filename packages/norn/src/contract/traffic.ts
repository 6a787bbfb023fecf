/** What went over connections, for reports: which step brought what to which end. */

/** Which of its ends the bytes go to. */
export type End = 'client' | 'server'

/** A connection of a client to a server. */
export interface Connected {
  /** The address that the server listens at, as in the trace. */
  readonly server: string
  /** The name of the call of `listen` among the origins. */
  readonly place: string
}

/** Something that arrives at an end of a connection. */
export interface Transfer {
  /** Label of the step as which it arrives. */
  readonly label: string
  readonly what: 'connection' | 'bytes' | 'end' | 'reset'
  /** Number of the connection, from 0. */
  readonly connection: number
  readonly to: End
  /** What the bytes say. */
  text: string
  /** A fault of the network ended the connection, not the other end. */
  readonly isInjected?: boolean
  /** Label of the step that brought it, if it came with earlier bytes in one read. */
  with?: string
}

export interface Traffic {
  readonly connections: readonly Connected[]
  readonly transfers: readonly Transfer[]
  /** Labels of steps by which sockets do what follows from the rest: writes that end, closing. */
  readonly routine: ReadonlySet<string>
  /** What started each step, by their labels. */
  readonly causes: ReadonlyMap<string, Cause>
}

export interface Cause {
  readonly label: string
  /** Whether the step begins a causal chain of its own. */
  readonly forks: boolean
}
