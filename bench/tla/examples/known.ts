/**
 * Known figures of the models of tlaplus/Examples beyond their manifests, by the names of
 * collection.ts.
 */
import { readFileSync } from 'node:fs'

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
