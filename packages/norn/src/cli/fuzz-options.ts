/** The options of `norn fuzz`, read from its command line. */
import type { ExecutionName } from '../contract/plan.ts'
import type { Guide } from '../search/guide.ts'
import type { Alias } from '../session/aliases.ts'
import type { UntilFrames } from './until-frames.ts'

export interface FuzzCommandOptions {
  readonly time?: number
  readonly runs?: number
  readonly seed?: number
  readonly strategy?: string
  readonly guide?: Guide
  /** Packages that are observed beside the user's own code. */
  readonly cover: readonly string[]
  readonly workers?: number
  readonly corpus?: boolean
  readonly property?: string
  readonly execution?: ExecutionName
  /** A file of bytes that make one execution; `-` is stdin. */
  readonly bytes?: string
  readonly alias: readonly Alias[]
  readonly hang?: number
  readonly memory?: number
  /** Try the failures saved earlier first. */
  readonly saved: boolean
  /** Go on until key frames are reached. */
  readonly untilFrames?: UntilFrames
  readonly keepGoing: boolean
  readonly shrink: boolean
  readonly json: boolean
}
