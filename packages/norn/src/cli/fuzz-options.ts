/** The options of `norn fuzz`, read from its command line. */
import type { ExecutionName } from '../contract/plan.ts'
import type { Guide } from '../options/guide.ts'
import type { Alias } from '../session/aliases.ts'
import type { ResultFiles } from './results.ts'
import type { UntilFrames } from './until-frames.ts'

export interface FuzzCommandOptions extends ResultFiles {
  readonly time?: number
  readonly runs?: number
  readonly seed?: number
  readonly strategy?: string
  readonly guide?: Guide
  /** Packages to observe beside the user's own code. */
  readonly cover: readonly string[]
  readonly workers?: number
  readonly corpus?: boolean
  readonly property?: string
  readonly execution?: ExecutionName
  /** A file of bytes that encode one execution; `-` is stdin. */
  readonly bytes?: string
  readonly alias: readonly Alias[]
  /** Addresses to which real sockets are let through. */
  readonly open: readonly string[]
  /** Whether these may be of other machines. */
  readonly openAnywhere?: boolean
  readonly hang?: number
  /** Native addons that load, by package. */
  readonly allowAddon?: readonly string[]
  readonly memory?: number
  /** Run the saved failures first. */
  readonly saved: boolean
  /** Whether each divergence of a cluster from its model is a failure. */
  readonly conformance: boolean
  /** Search until the key frames are reached. */
  readonly untilFrames?: UntilFrames
  readonly keepGoing: boolean
  readonly shrink: boolean
  readonly json: boolean
}
