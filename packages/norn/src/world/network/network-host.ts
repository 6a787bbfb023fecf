/** What sockets and channels need of the world. */

import type { Delays } from '../../options/latency-ranges.ts'
import type { AsyncHandles } from '../loop/async-handles.ts'
import type { Causality } from '../loop/causality.ts'
import type { Descriptors } from '../loop/poll-descriptors.ts'
import type { Control } from '../realm/replace.ts'
import type { Courier } from './connection.ts'
import type { Place } from './latencies.ts'
import type { NetworkFaults } from './network-faults.ts'

export interface NetworkHost extends Control, Pick<Courier, 'nowUs' | 'traffic' | 'messaging' | 'writesWhole'> {
  /** As a courier's; with what the link takes that it passes. */
  readonly announce: (...given: [...Parameters<Courier['announce']>, link?: Delays]) => ReturnType<Courier['announce']>
  /** What the link to a place takes, if the property says so; else that to the next one. */
  link(...places: readonly Place[]): Delays | undefined
  readonly networkFaults: NetworkFaults
  readonly handles: AsyncHandles
  readonly descriptors: Descriptors
  readonly causality: Causality
  /** Lets time pass: a system call. */
  sleepUs(us: number): void
  /** A socket opens. */
  connects(socket: object): void
}

/**
 * Delivers within the call, as the kernel does: what one thread sends to itself is there at its next
 * poll. Another thread or process may be late to look.
 */
export function atOnce({ nowUs, announce, traffic, messaging }: NetworkHost): Courier {
  return {
    nowUs,
    announce: (kind, resource) => announce(kind, resource),
    ...(traffic && { traffic }),
    ...(messaging && { messaging }),
  }
}
