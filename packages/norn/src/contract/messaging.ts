/** The isolates of an execution and what passed between them, for reports: threads and child processes. */

export interface IsolateName {
  readonly kind: 'body' | 'worker' | 'process'
  /** The number of the thread in its process, or of the process among those that were started. */
  readonly number: number
  /** The file that it runs, or what stands for it; empty for the body. */
  readonly file: string
  /** The name that the program gave it. */
  readonly name?: string
  /** Index of the isolate that started it. */
  readonly parent: number
  /** The name of the call that started it among the origins. */
  readonly place: string
}

export interface Passed {
  readonly what: 'message' | 'output' | 'error' | 'start' | 'exit'
  /** Its content as people write it, cut. */
  readonly text: string
  /** Indices of isolates; the receiver is missing where nobody had the port. */
  readonly from: number
  readonly to?: number | undefined
  /** Label of the step that sent it. */
  readonly sentIn: string
}

export interface Messaging {
  /** The body's first, the others in the order in which they were started. */
  readonly isolates: readonly IsolateName[]
  /** Which isolate made a step, and which ran it, by label; the body's are left out. */
  readonly makers: ReadonlyMap<string, number>
  readonly runners: ReadonlyMap<string, number>
  /** By label of the step as which each arrives, in the order in which they were sent. */
  readonly passed: ReadonlyMap<string, Passed>
  /** Labels of steps that follow from the rest: ports that close with a thread, what Node says to itself. */
  readonly routine: ReadonlySet<string>
}
