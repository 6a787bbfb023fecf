/**
 * Known counts of the models of tlaplus/Examples beyond their manifests, by the names of
 * collection.ts, and whether norn's counts match.
 */
import { readFileSync } from 'node:fs'
import type { Explored } from './explore.ts'

export interface TlcFigures {
  readonly by: string
  readonly models: Readonly<
    Record<string, { readonly seconds: number; readonly generated: number; readonly depth: number }>
  >
}

/** TLC's time and counts with one worker, where it finished within 90 s. */
export const TLC: TlcFigures = JSON.parse(readFileSync(new URL('tlc.json', import.meta.url), 'utf8'))

/** The listed models, which norn must match: together they use all of the language. */
export const NAMED: readonly string[] = [
  'transaction_commit/TCommit.cfg',
  'transaction_commit/TwoPhase.cfg',
  'transaction_commit/2PCwithBTM.cfg',
  'DiningPhilosophers/DiningPhilosophers.cfg',
  'SpecifyingSystems/FIFO/MCInnerFIFO.cfg',
  'SpecifyingSystems/CachingMemory/MCInternalMemory.cfg',
  'SpecifyingSystems/CachingMemory/MCWriteThroughCache.cfg',
  'SpecifyingSystems/TLC/MCAlternatingBit.cfg',
  'ewd840/EWD840.cfg',
  'ewd998/AsyncTerminationDetection.cfg',
  'ewd998/EWD998ChanID.cfg',
  'PaxosHowToWinATuringAward/MCVoting.cfg',
  'Paxos/MCPaxos.cfg',
  'MisraReachability/MCParReach.cfg',
  'allocator/SchedulingAllocator.cfg',
  'allocator/AllocatorImplementation.cfg',
  'lamport_mutex/MCLamportMutex.cfg',
  'LoopInvariance/MCQuicksort.cfg',
  'NanoBlockchain/MCNanoSmall.cfg',
  'tcp/MCtcp.cfg',
  'SlushProtocol/SlushSmall.cfg',
  'glowingRaccoon/product.cfg',
  'YoYo/MCYoYoPruning.cfg',
  'nbacc_ray97/nbacc_ray97.cfg',
  'Chameneos/Chameneos.cfg',
]

/** Models of more states run only if `--only` names them. */
export const HUGE_STATES = 1_000_000

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
