/** What a check should say about the anomalies of anomalies.ts: a table by hand, to hold it against. */
import type { AnomalyType } from '../../src/isolation/anomaly.ts'
import type { Consistency } from '../../src/isolation/consistency.ts'
import type { Workload } from '../../src/isolation/workload.ts'
import type { PlantedAnomaly } from './anomalies.ts'

/**
 * What a check has to find in a history with one planted anomaly.
 */
export interface ExpectedFindings {
  /** All that is there to find, also in real time. */
  readonly types: readonly AnomalyType[]
  /** The weakest models that the anomaly rules out: those and stronger ones, and no others. */
  readonly ruledOut: readonly Consistency[]
}

const RULED_OUT: Readonly<Record<PlantedAnomaly, readonly Consistency[]>> = {
  G0: ['read-uncommitted'],
  G1a: ['read-committed'],
  G1b: ['read-committed'],
  G1c: ['read-committed'],
  internal: ['read-atomic'],
  'future-read': ['read-committed'],
  'dirty-update': ['read-committed'],
  'lost-update': ['cursor-stability', 'update-atomic'],
  'G-single': ['consistent-view', 'repeatable-read'],
  'G-nonadjacent': ['repeatable-read', 'snapshot-isolation'],
  'G2-item': ['repeatable-read'],
  'G0-process': ['strong-session-read-uncommitted'],
  'G1c-process': ['strong-session-read-committed'],
  'G-single-process': ['strong-session-snapshot-isolation'],
  'G-nonadjacent-process': ['strong-session-snapshot-isolation'],
  'G2-item-process': ['strong-session-serializable'],
  'G0-realtime': ['strong-read-uncommitted'],
  'G1c-realtime': ['strong-read-committed'],
  'G-single-realtime': ['strong-snapshot-isolation'],
  'G-nonadjacent-realtime': ['strong-snapshot-isolation'],
  'G2-item-realtime': ['strict-serializable'],
  'incompatible-order': ['read-committed'],
  'duplicate-elements': ['read-uncommitted'],
  'garbage-read': ['read-committed'],
  'cyclic-versions': ['read-committed'],
}

/** What cannot be there without another anomaly of the same transactions. */
const BESIDES: Readonly<Record<Workload, Readonly<Partial<Record<PlantedAnomaly, AnomalyType>>>>> = {
  'list-append': { G1b: 'G-single', 'dirty-update': 'G1a', 'lost-update': 'G-single' },
  'rw-register': { 'lost-update': 'G2-item', 'cyclic-versions': 'G1c' },
}

/**
 * What a check has to find in an `anomalousHistory`: a table by hand.
 */
export function expectedFindings(anomaly: PlantedAnomaly, workload: Workload): ExpectedFindings {
  const other = BESIDES[workload][anomaly]
  return { types: other === undefined ? [anomaly] : [anomaly, other].sort(), ruledOut: RULED_OUT[anomaly] }
}
