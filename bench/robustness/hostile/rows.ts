/** What the suite counts of hostile programs, and when it fails. */
import { BROKEN, type Shown } from './norn.ts'
import type { Program } from './program.ts'

/** Of the programs, those whose default outcome stock Node may not have shown. */
const MAX_UNSEEN_SHARE = 0.01

export interface Row {
  readonly suite: 'hostile'
  readonly name: string
  readonly programs: number
  readonly executions: number
  /** Whose outcome under the default schedule stock Node did not show. */
  readonly unseen: number
  /** Crashes, hangs, inconclusive executions and errors that a program cannot catch. Must be 0. */
  readonly broken: number
}

export function rowOf(
  name: string,
  programs: readonly Program[],
  shown: readonly Shown[],
  unseen: ReadonlySet<number>,
): Row {
  const chosen = [...programs.keys()].filter((at) => name === 'all' || programs[at]!.family === name)
  return {
    ...{ suite: 'hostile', name, programs: chosen.length },
    executions: chosen.reduce((sum, at) => sum + shown[at]!.executions, 0),
    unseen: chosen.filter((at) => unseen.has(at)).length,
    broken: chosen.filter((at) => [...shown[at]!.random].some(isBroken)).length,
  }
}

export function isBroken(outcome: string): boolean {
  return outcome.startsWith(BROKEN)
}

/** Whether the row of all programs fails the suite. */
export function isRefuted({ programs, broken, unseen }: Row): boolean {
  return broken > 0 || unseen > MAX_UNSEEN_SHARE * programs
}
