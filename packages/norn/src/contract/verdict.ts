/**
 * Verdicts: how a property came out, or a whole call. The table below is the only place that says
 * what people and tools call a verdict, and which exit status it has. `doubtsOf` is the only one
 * that says why a search without a failure is not a pass.
 */
import type { ExecutionResult } from './execution.ts'

export type Verdict = 'passed' | 'failed' | 'undecided'

interface Naming {
  /** For people: on the terminal and on pages; of what is inconclusive also the rule of SARIF. */
  readonly name: string
  readonly status: 0 | 1 | 3
  /** The element of JUnit XML. */
  readonly junit?: string
  /** The level of SARIF and of annotations on GitHub. */
  readonly level?: 'error' | 'warning'
}

export const VERDICTS = {
  passed: { name: 'passed', status: 0 },
  failed: { name: 'failed', status: 1, junit: 'failure', level: 'error' },
  undecided: { name: 'inconclusive', status: 3, junit: 'error', level: 'warning' },
} as const satisfies Record<Verdict, Naming>

/** How `norn flaky` judges an ordinary test: what the summary calls such tests, and the exit status. */
export const TEST_VERDICTS = {
  /** Passes under one schedule that its runner may take, and fails under another one. */
  flaky: { name: 'flaky', status: 1 },
  /** Fails alone, and passes behind tests of its file. */
  dependent: { name: 'dependent on an earlier test', status: 0 },
  /** Fails under the default schedule: its runner shows that, or norn lacks something that it needs. */
  failing: { name: 'failing as is', status: 0 },
  inconclusive: { name: 'inconclusive', status: 3 },
  clean: { name: 'clean', status: 0 },
  skipped: { name: 'skipped', status: 0 },
} as const satisfies Record<string, Naming>

export type TestVerdict = keyof typeof TEST_VERDICTS

/** A failure outweighs what is undecided, which outweighs a pass. */
export function worstVerdict(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes('failed')) return 'failed'
  return verdicts.includes('undecided') ? 'undecided' : 'passed'
}

/** The verdict of a whole call: one that ran nothing says nothing. */
export function verdictOfCall(verdicts: readonly Verdict[]): Verdict {
  return verdicts.length === 0 ? 'undecided' : worstVerdict(verdicts)
}

/** The verdict of a search. */
export function verdictOfSearch(isFailed: boolean, isDoubtful: boolean): Verdict {
  if (isFailed) return 'failed'
  return isDoubtful ? 'undecided' : 'passed'
}

/** What a problem makes of its property. @param rule a kind of failure, or the name of what is undecided */
export function verdictOfRule(rule: string): Exclude<Verdict, 'passed'> {
  return rule === VERDICTS.undecided.name ? 'undecided' : 'failed'
}

/** The verdict that one execution gives. */
export function verdictOfResult({ verdict }: Pick<ExecutionResult, 'verdict'>): Verdict {
  return verdict === 'void' ? 'undecided' : verdict
}

/** Why a search without a failure is not a pass. */
export type Doubt =
  /** A failure did not fail again in a fresh process. */
  | 'unconfirmed'
  | 'flaky'
  | 'inconclusive'
  /** No execution ran. */
  | 'not run'
  /** None is known to have passed: the property may have rejected every input. */
  | 'unchecked'
  /** The search was asked for more executions than it made. */
  | 'too few'
  /** A required note was not reached. */
  | 'missed'
  /** Key frames were not reached. */
  | 'unreached'
  | 'interrupted'

/** What a search counted. */
export interface Counted {
  readonly executions: number
  readonly passed: number
  readonly discarded: number
  readonly voided: number
  readonly flaky: number
  readonly missed: readonly string[]
}

interface Circumstances {
  /** Failures that did not fail again in a fresh process. */
  readonly unconfirmed: number
  /** The executions that were asked for. */
  readonly minRuns?: number | undefined
  readonly isUnreached: boolean
  readonly isInterrupted: boolean
}

/** The doubts about a search without a confirmed failure, the weightiest first. */
export function doubtsOf(
  { executions, passed, discarded, voided, flaky, missed }: Counted,
  { unconfirmed, minRuns = 0, isUnreached, isInterrupted }: Circumstances,
): readonly Doubt[] {
  const doubts: Readonly<Record<Doubt, boolean>> = {
    unconfirmed: unconfirmed > 0,
    flaky: flaky > 0,
    inconclusive: voided > 0,
    'not run': executions === 0,
    unchecked: executions > 0 && passed === 0,
    'too few': passed + discarded < minRuns,
    missed: missed.length > 0,
    unreached: isUnreached,
    interrupted: isInterrupted,
  }
  return (Object.keys(doubts) as Doubt[]).filter((doubt) => doubts[doubt])
}
