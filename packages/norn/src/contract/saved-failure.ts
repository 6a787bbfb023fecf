/** A failure as it is saved: what a replay needs, what a person reads, and how it was found. */
import type { Choices } from './choices.ts'
import type { FailureReport } from './execution.ts'
import type { ExecutionName, SavedInput } from './plan.ts'
import type { Surroundings } from './surroundings.ts'

/** The table of options adds those that each execution runs with, by declaration merging. */
export interface SavedFailure {
  readonly property: string
  /** The property file, relative to the root. */
  readonly file: string
  /** The fingerprint of the failure. */
  readonly identity: string
  readonly failure: FailureReport
  readonly input: SavedInput | undefined
  readonly inputText: string
  readonly choices: Choices
  readonly traceHash: string
  /** Module specifiers that replace others; paths are relative to the root. */
  readonly aliases: readonly (readonly [from: string, to: string])[]
  /** The open addresses of the call (open mode), where a replay is not exact; undefined without. */
  readonly open?: readonly string[]
  readonly found: {
    readonly seed: number
    readonly execution: number
    readonly strategy: string
    readonly name: ExecutionName | undefined
    /** The index of the property's example that was the input, if one was. */
    readonly example: number | undefined
  }
  readonly shrunk: boolean
  readonly environment: {
    readonly node: string
    readonly norn: string
    readonly commit: string | undefined
    /** Undefined in files of before they were kept. */
    readonly variables: Surroundings | undefined
  }
}

/** A saved failure, and its file. */
export interface KeptFailure {
  /** Relative to the root. */
  readonly path: string
  readonly saved: SavedFailure
}
