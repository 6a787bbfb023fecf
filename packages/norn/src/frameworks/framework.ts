/** What norn needs to know of a test framework: each has a file, and an entry in frameworks.ts. */
import type { Exports } from './installed.ts'

export interface FrameworkHost {
  /** Absolute path of the file of tests. */
  readonly file: string
  /** Makes the execution inconclusive. */
  readonly refuse: (what: string) => never
  /** Runs an action outside of the world. */
  readonly outside: <Result>(action: () => Result) => Result
}

export interface Framework {
  /** What a file of tests imports. */
  readonly specifier: string
  /** The exports of its replacement. */
  readonly module: (host: FrameworkHost) => Exports
  /** Its runner defines `expect` and `jest` for a file that imports the rest. */
  readonly definesJest?: true
  /**
   * Whether no package of the project has a state in this process behind the executions of a file, which another
   * file would find. Default: it has.
   */
  readonly leavesNothing?: (host: FrameworkHost) => boolean
  /** The entry point of norn that declares properties as tests of this framework. */
  readonly entry?: `norn/${string}`
}
