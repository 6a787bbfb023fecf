/**
 * The trace: the events of an execution, in order. Two executions are equal if their traces are.
 * Invariant: a trace holds nothing that varies between machines or processes: no pid, no address,
 * no absolute path of the project or of the temporary folder.
 */
export type TraceEventKind =
  | 'start'
  /** A synchronous operation was performed. */
  | 'sync'
  /** A fault was injected into a system call; the outcome says which. */
  | 'fault'
  /** An operation was submitted to the pool. */
  | 'submit'
  /** A large transfer is half done. */
  | 'half'
  | 'effect'
  | 'callback'
  | 'timer'
  | 'immediate'
  /** The program stalled within a step. */
  | 'stall'
  /** The clock departs: the kind says how, as in `ClockDeparture`, the outcome where to or by how much. */
  | 'clock'
  | 'settled'

export interface TraceEvent {
  readonly event: TraceEventKind
  /** Label of the step that ran, or of the operation's step. */
  readonly label: string
  /** The causal chain of that step. */
  readonly chain: string
  /** The kind of operation: `unlink`, `setTimeout`, ... */
  readonly kind: string
  /** Relative to the project's root. */
  readonly resource: string
  /** Virtual time, in microseconds since the execution began. */
  readonly atUs: number
  /** The drawn delay, in microseconds. */
  readonly delayUs: number
  /** `ok`, an error code, `3 of 10 bytes`, or empty where nothing can go wrong. */
  readonly outcome: string
}

/**
 * What the program did to a timer, an immediate, a signal or a promise, for reports. Notes are no part of the
 * trace: they are taken only when explaining, and hashes and replays do not depend on them.
 */
type NoteKind =
  | ('set' | 'clear' | 'refresh' | 'ref' | 'unref' | 'abort' | 'resolve' | 'reject')
  /** A message is received within the step, another than the one as which it would arrive. */
  | 'receive'
  /** A thread is terminated. */
  | 'terminate'
  /** The program calls `note`, or `target`. */
  | 'note'
  | 'target'

export interface Note {
  readonly event: NoteKind
  /** The number of events of the trace before it. */
  readonly at: number
  readonly atUs: number
  /** Label of the step that did it, and the causal chain of that. */
  readonly label: string
  readonly chain: string
  /** Its name among the origins. */
  readonly place: string
  /**
   * Label of the step as which the timer or immediate runs, or the message would arrive; name of a
   * promise among the origins; index of a thread among the isolates; the label of a note or target; empty for a signal.
   */
  readonly subject: string
  /** Whether code of Node itself set the timer or immediate, on the program's behalf. */
  readonly isNodes?: boolean
  /** The duration of a timer, in milliseconds. */
  readonly ms?: number
  /** What a promise was settled with: a primitive value, or the name of an error; the value of a target. */
  readonly value?: string
}

/** The 64-bit FNV-1a hash of a trace, as 16 hexadecimal digits. */
export function hashTrace(events: readonly TraceEvent[]): string {
  let low = 0x84222325
  let high = 0xcbf29ce4
  const take = (text: string) => {
    for (let i = 0; i < text.length; i++) {
      low ^= text.charCodeAt(i)
      // Multiply by the FNV prime 2^40 + 0x1b3 in 32-bit halves.
      const product = (low >>> 0) * 0x1b3
      const carry = Math.floor(product / 0x1_0000_0000)
      high = (Math.imul(high, 0x1b3) + (low << 8) + carry) >>> 0
      low = product >>> 0
    }
  }
  for (const e of events) take(`${e.event} ${e.label} ${e.kind} ${e.resource} ${e.atUs} ${e.outcome}\n`)
  return high.toString(16).padStart(8, '0') + low.toString(16).padStart(8, '0')
}
