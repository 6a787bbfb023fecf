/**
 * What a device is: a real server that takes part in executions. A session hands over one unit at a time and waits,
 * outside of virtual time, until the server has answered or the session is blocked by others. So an interleaving of
 * units is an execution, and repeats.
 *
 * A device consists of a `Protocol`, which runs beside the program and is pure, and of a `Device`, which runs in a
 * thread of its own and owns the real connections.
 */

/** A part of what a client sends that the server carries out as one. */
export interface Unit {
  readonly bytes: Uint8Array
  /** For people: `UPDATE accounts SET balance = 5`. Empty for what only the protocol needs. */
  readonly text: string
  /** What names it among others, without values: `UPDATE accounts SET balance = $1`. */
  readonly name: string
}

/** What units are told as with which a client begins, and leaves. */
export const CONNECTS = 'connects'
export const LEAVES = 'leaves'

/** What clients and servers of one kind say to each other. */
export interface Protocol {
  /** A connection begins. */
  conversation(): Conversation
  /** Errors with which the server may refuse a connection before the client has said anything. */
  readonly openingErrors: readonly ServerError[]
  /** Whether what the server has done is lost if it ends in the next second. */
  readonly writesLate: boolean
  /** Whether the server sees that a client has gone while its session is blocked, or only once that is over. */
  readonly seesLeaving: boolean
}

/** Reads one connection. */
export interface Conversation {
  /** Takes bytes of the client; returns the units that they complete. */
  units(bytes: Uint8Array): readonly Unit[]
  /** What bytes of the server say, for people. */
  answer(bytes: Uint8Array): string
  /**
   * Errors that the server may answer with instead of carrying a unit out, whatever is stored. Follows from all units
   * and answers so far, so it is asked for each unit, when it is handed over.
   */
  errors(unit: Unit): readonly ServerError[]
}

/** An error with which a server refuses: plain data. */
export interface ServerError {
  readonly code: string
  readonly text: string
  /** The transaction is over, not only failed. */
  readonly isFinal?: boolean
  /** The virtual time in which it comes, if it is one that time brings. */
  readonly afterUs?: number
}

/** What the server sent to a session. */
export interface Answer {
  readonly session: number
  readonly bytes: Uint8Array
  /** The server closes the connection behind it. */
  readonly isClosed?: boolean
}

/** How things stand once a unit is answered or blocked: of all sessions, also where only one was asked. */
export interface Outcome {
  /** To the session of the unit, and to others that it released or notified; in order of their numbers behind it. */
  readonly answers: readonly Answer[]
  /** The sessions that are blocked, and by which. */
  readonly blocked: readonly { readonly session: number; readonly by: readonly number[] }[]
  /** The sessions in which something ends by itself, and when: microseconds since 1970. */
  readonly timed: readonly { readonly session: number; readonly untilUs: number }[]
}

export const NOTHING: Outcome = { answers: [], blocked: [], timed: [] }

/** An outcome in which a session is answered first. */
export const withAnswer = (answer: Answer, outcome: Outcome): Outcome => ({
  ...outcome,
  answers: [answer, ...outcome.answers],
})

/**
 * A real server. `atUs` is the virtual moment of a call, in microseconds since 1970. Calls come one at a time, but for
 * `dispose`. An error says that an execution cannot go on.
 */
export interface Device {
  /** A client connects. @param error with which it is refused, of those of the protocol */
  open(session: number, atUs: number, error?: ServerError): Promise<Outcome>
  /** @param error with which the unit is refused, of those of the conversation */
  hand(session: number, atUs: number, unit: Uint8Array, error?: ServerError): Promise<Outcome>
  /** The moment is there at which something in a session ends by itself. */
  elapse(session: number, atUs: number): Promise<Outcome>
  /** A client is gone: what its session left open is undone. */
  close(session: number, atUs: number): Promise<Outcome>
  /** The server has restarted: what it keeps only while it runs, besides sessions, is lost. */
  forget?(): Promise<void>
  /** The execution has ended: everything is put back. */
  end(): Promise<void>
  /** Lets go of the server. */
  dispose(): Promise<void>
}

/** The server is at fault, not the program: the message is for a person. */
export class DeviceError extends Error {
  override readonly name = 'DeviceError'
  /** Of the system, if that refused. */
  readonly code: string | undefined

  constructor(message: string, code?: string) {
    super(message)
    this.code = code
  }
}
