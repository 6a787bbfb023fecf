/**
 * What a report page is given: plain data, a few texts long at most in every place, so that the page
 * only lays out and draws. The page's script and its maker share these types, and nothing else.
 */

import type { SearchCounts } from '../../storage/search-records.ts'
import type { Lanes, Row } from '../diagram/diagram.ts'

/** A place in a file of the project: an index into `files`, and a line from 1. */
export type Place = readonly [file: number, line: number]

/** What a step changes in the state of the execution: a value of `undefined` removes the entry. */
export type Change = readonly [group: number, name: string, value?: string]

/** A row of a diagram, with what only a page shows. */
export interface Step extends Row {
  /** Routine: shown only among all steps. */
  readonly routine?: true
  /** The lines of source that led here, innermost first. */
  readonly places?: readonly Place[]
  readonly changes?: readonly Change[]
  /** The row is about the end of the execution. */
  readonly isFailure?: true
}

export interface Execution extends Lanes {
  readonly rows: readonly Step[]
  /** Steps that the page leaves out, because there are too many. */
  readonly leftOut: number
  /** The groups of state, in the order in which they are shown. */
  readonly groups: readonly Group[]
}

export interface Group {
  readonly title: string
  /** Whether the names of its entries are for people; else they only tell them apart. */
  readonly isNamed: boolean
}

/** What the replay for this report did; `found` of a failure that a search has just found. */
export type Replay = 'exact' | 'fails' | 'passes' | 'inconclusive' | 'not replayed' | 'found'

export interface Failure {
  /** Path of its file, from the root. */
  readonly path: string
  readonly property: string
  readonly file: string
  readonly isCluster: boolean
  readonly replay: Replay
  /** What the replay did, in a sentence. */
  readonly replayed: string
  /** The name of its error; of a failure that is no error, what it is: `deadlock`. */
  readonly kind: string
  /** The error in one line, and in full. */
  readonly headline: string
  /** What decides, in one sentence. */
  readonly sentence?: string
  readonly error: string
  /** Where it failed, innermost first. */
  readonly places: readonly Place[]
  /** Of a body that never settled: a title, and its waits, one a line. */
  readonly waits?: readonly [title: string, text: string]
  readonly inputTitle: string
  readonly input: string
  /** `execution 5 by random, seed 1`, and other facts, each with its title. */
  readonly facts: readonly (readonly [title: string, text: string])[]
  /** The execution of the replay, and its title; missing if there is none. */
  readonly execution?: Execution
  readonly schedule?: string
  /** The nearest passing execution. */
  readonly passing?: {
    /** What it changes. */
    readonly change: readonly string[]
    readonly execution: Execution
    /** The row at which it parts, in each of the two. */
    readonly parting: readonly [failing: number, passing: number]
  }
  /** Why there is no passing execution beside it. */
  readonly noPassing?: string
  readonly output?: string
  readonly commands: readonly (readonly [command: string, purpose: string])[]
}

/** One search of a property: recorded, or of the call under way. */
export interface Campaign {
  readonly property: string
  readonly file: string
  /** Missing before its end. */
  readonly endedAt?: string
  readonly verdict: 'failed' | 'passed' | 'inconclusive' | 'searching' | 'waiting' | 'not run'
  /** The search has found a failure, and shrinks it. */
  readonly isShrinking?: boolean
  /** What changes fast while it searches, each number with its unit. */
  readonly figures?: readonly (readonly [value: string, unit: string])[]
  /** The part of its budget that is used, from 0 to 1. */
  readonly share?: number
  /** The summary, one fact a line; a doubt is something that limits what the search can have found. */
  readonly lines: readonly string[]
  readonly doubts: readonly string[]
  /** Missing of one that an older norn recorded, and before the first executions. */
  readonly counts?: SearchCounts
  /** Executions, and what guidance had discovered by then. */
  readonly curve: readonly (readonly [executions: number, discovered: number])[]
  /** What the curve counts. */
  readonly counted: string
}

interface Corpus {
  readonly property: string
  readonly entries: number
  readonly bytes: number
}

/** Keyword, string, comment, number or other constant, type, function. */
export type RunKind = 'k' | 's' | 'c' | 'n' | 't' | 'f'

/** Characters of a line that are of one kind. */
export type Run = readonly [from: number, to: number, kind: RunKind]

/** Consecutive lines of a file, from a line on. */
export interface Passage {
  readonly first: number
  readonly lines: readonly string[]
  /** What to colour in each line; missing if the language is not known. */
  readonly runs?: readonly (readonly Run[])[]
}

export interface PageData {
  readonly project: string
  readonly facts: readonly (readonly [title: string, text: string])[]
  readonly failures: readonly Failure[]
  /** One line for each file that cannot be read. */
  readonly unreadable: readonly string[]
  readonly campaigns: readonly Campaign[]
  /** What is not known of the campaigns, a sentence each. */
  readonly unknown: readonly string[]
  readonly corpora: readonly Corpus[]
  readonly files: readonly string[]
  /** By file: the lines around the places that rows and failures name. */
  readonly sources: readonly (readonly Passage[])[]
}

/** What a reader asked norn to do with a failure. */
export interface Action {
  /** The path of the failure. */
  readonly path: string
  readonly kind: 'replay' | 'shrink'
  readonly isOver: boolean
  /** What norn does, or what came of it. */
  readonly text: string
  /** The part of its time that is used, from 0 to 1; missing if it has no limit. */
  readonly share?: number
}

/** What changes of a page while its search runs (`norn ui`). */
export interface Live {
  /** Names the call: another has another page. */
  readonly call: string
  readonly isOver: boolean
  /** What the call does, in a few words. */
  readonly doing: string
  /** Counts what changed; a page asks for what came after its own. */
  readonly revision: number
  /** The revision in which the data of the page last changed. */
  readonly data: number
  /** What readers asked for, the latest of each failure. */
  readonly actions: readonly Action[]
  /** The searches of the call that have changed, by their places. */
  readonly changed: readonly (readonly [place: number, campaign: Campaign])[]
}
