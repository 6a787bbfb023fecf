/** A seeded bug: what to replace in the source of the library. */
import type { Workload } from './workloads.ts'

interface Edit {
  /** Relative to the folder of the library. */
  readonly file: string
  /** Occurs once in the file. */
  readonly before: string
  readonly after: string
}

export interface Mutant {
  readonly name: string
  /** What goes wrong, in a line. */
  readonly what: string
  readonly edits: readonly Edit[]
  /** The cluster that shows it. */
  readonly variant?: Workload
}
