/**
 * Messages between a process that runs executions and its owner. One request at a time: events come
 * while a request is under way, its reply ends it.
 */

import type { CampaignSummary, ExecutionCounts } from '../contract/campaign-summary.ts'
import type { DatabaseTarget } from '../contract/database.ts'
import type { ExecutionResult, Frame } from '../contract/execution.ts'
import type { Explanation } from '../contract/explanation.ts'
import type { LocalFrame } from '../contract/local-frame.ts'
import type { OpenAddress } from '../contract/open-address.ts'
import type { Demands, Plan } from '../contract/plan.ts'
import type { ExecutionOptions, ProcessOptions } from '../options/table.ts'
import type { Property, PropertyOptions } from '../property/property.ts'
import type { ShrinkOutcome } from '../search/domain.ts'
import type { SearchOptions } from '../search/options.ts'
import type { PlayElsewhere, SynchronousCall } from '../world/processes/synchronous.ts'

/** Configuration of a process that runs executions. */
export interface ChildConfiguration extends ProcessOptions {
  /** Absolute path of the file of properties. */
  readonly file: string
  /** The project's root: paths are reported relative to it. */
  readonly root: string
  /** Module specifiers replaced by others. */
  readonly aliases: readonly (readonly [from: string, to: string])[]
  /** The specifiers whose aliases a failure file names: these must lead to modules of the project. */
  readonly confined?: readonly string[]
  /** Addresses to which real sockets are let through (open mode); none unless set. */
  readonly open?: readonly OpenAddress[]
  /** Real servers that take part in executions; none unless set. */
  readonly devices?: readonly DatabaseTarget[]
  /** Real time in which one of them has to answer, in milliseconds. */
  readonly patienceMs: number
  /** Whether executions share modules. */
  readonly sharesModules: boolean
  /** Whether the tests of frameworks run as their runner has them; properties are then not listed. */
  readonly ordinaryTests?: boolean
  /** File that always holds the execution under way. */
  readonly flightRecorder: string
}

/** A property as declared, without the parts that cannot leave its process. */
export interface ListedProperty extends ExecutionOptions {
  readonly name: string
  readonly mode: 'run' | 'skip' | 'only'
  readonly kind?: NonNullable<Property['kind']>
  readonly hasModel?: true
  readonly examples: number
  readonly inputs: readonly string[]
  readonly options: Omit<PropertyOptions, 'examples' | 'commands'>
  /** Why it is not run: it is a test of a framework that asserts no property. */
  readonly notRun?: string
}

/** An ordinary test: a property without inputs that runs it. */
export interface ListedTest extends ListedProperty {
  /** Where the file declares it, from 1. */
  readonly line: number
  readonly column: number
  /** Whether its author expects it to fail, and how many attempts after the first are allowed. */
  readonly fails: boolean
  readonly retry: number
}

/** A search as asked of one process. */
export interface ExploreOptions extends SearchOptions {
  /** Keep the corpus of a guided search on disk, below the project's root, and begin with it. */
  readonly corpus?: {
    readonly root: string
    readonly norn: string
    readonly polledEvery?: number
    /** What identifies the code, if other processes search with it. */
    readonly code?: string
  }
  /** Whether the first execution counts without a warm-up. */
  readonly isCold?: boolean
  /** Whether no other worker uses that corpus; true unless set. */
  readonly alone?: boolean
}

export type Request =
  | { readonly type: 'list' }
  | { readonly type: 'files' }
  /** Goes on with another file, as a process that was started with it. */
  | { readonly type: 'open'; readonly file: string }
  | { readonly type: 'explore'; readonly property: ListedProperty; readonly options: ExploreOptions }
  | {
      readonly type: 'execute'
      readonly property: ListedProperty
      readonly plan: Plan
      /** `steps`: without lines, `lines`: without what a body waits for; each takes most of the time of the next. */
      readonly explain: boolean | 'steps' | 'lines'
      /** Open the debugger, wait for it, and stop at the start of the body. */
      readonly inspect?: boolean
      /** Read the variables at the last error that is thrown in this line. */
      readonly localsAt?: Pick<Frame, 'file' | 'line'>
      /** Whether it counts without a warm-up, although parts of Node may be initialised in it. */
      readonly isCold?: boolean
      /** What is asked of the execution. */
      readonly demands?: Demands
      /** File to which each choice is written as it is drawn. */
      readonly journal?: string
    }
  | { readonly type: 'shrink'; readonly property: ListedProperty; readonly plan: Plan; readonly timeMs: number }
  /** Runs a child whose parent waits for it, in the process that asks. */
  | { readonly type: 'play'; readonly call: SynchronousCall }
  /** Ends the search or the shrinking after the execution under way. Has no reply of its own. */
  | { readonly type: 'stop' }

export type Reply =
  | { readonly type: 'listed'; readonly properties: readonly ListedProperty[] }
  /** Whether it has; false if something of the last file would be left. */
  | { readonly type: 'opened'; readonly isOpen: boolean }
  /** The files of the project that were loaded, by absolute path. */
  | { readonly type: 'loaded files'; readonly paths: readonly string[] }
  | { readonly type: 'explored'; readonly summary: CampaignSummary }
  | {
      readonly type: 'executed'
      readonly result: ExecutionResult
      readonly explanation?: Explanation
      readonly locals?: readonly LocalFrame[]
    }
  | { readonly type: 'played'; readonly played: ReturnType<PlayElsewhere> }
  | { readonly type: 'shrunken'; readonly first: ExecutionResult; readonly outcome?: ShrinkOutcome }
  /** The request could not be carried out. */
  | { readonly type: 'refused'; readonly why: RefusalReason; readonly message: string; readonly stack: string }

/**
 * The file of properties does not load; loading it is inconclusive; an alias of a failure file leads
 * out of the project; temporary files cannot be written; norn itself is at fault.
 */
export type RefusalReason = 'loading' | 'void' | 'leading out' | 'temporary files' | 'internal'

/** The content of the flight recorder. */
export interface FlightRecord {
  /** Executions begun by this process. */
  readonly sequence: number
  /** Number of the execution in its search, counted from 1; 0 outside of one. */
  readonly execution: number
  readonly plan: Plan
  /** How the executions of the search before it ended. */
  readonly counts?: ExecutionCounts | undefined
}
