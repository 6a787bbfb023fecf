/** Whether norn's counts of a model are the known ones. */
import type { Explored } from './explore.ts'

export interface Known {
  readonly distinct: number
  /** By TLC with one worker; undefined if TLC was not run. */
  readonly generated?: number
  readonly depth?: number
}

type Verdict = 'exact' | 'differs' | 'failed' | 'out of time'

export interface Judgement {
  readonly verdict: Verdict
  /**
   * One line: the counts that differ, or why it failed. An exact model may have one for its other
   * counts.
   */
  readonly remark: string | undefined
}

/** A model is exact if it has the known number of distinct states, and no error. */
export function judge(known: Known, found: Explored): Judgement {
  if (found.result === 'unfinished') return { verdict: 'out of time', remark: found.why }
  if (found.result === 'failed') return { verdict: 'failed', remark: found.why }
  const counts = (['distinct', 'generated', 'depth'] as const)
    .filter((name) => known[name] !== undefined && known[name] !== found[name])
    .map((name) => `${name} ${found[name]}, not ${known[name]}`)
  const remark = counts.length > 0 ? counts.join('; ') : undefined
  if (found.result !== 'passes') {
    return { verdict: 'failed', remark: [found.result, found.why].filter((part) => part !== undefined).join(': ') }
  }
  return { verdict: found.distinct === known.distinct ? 'exact' : 'differs', remark }
}
