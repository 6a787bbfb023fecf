/**
 * The transactions that make each anomaly, after Adya (Weak Consistency, 1999) and Kingsbury & Alvaro
 * (Elle, VLDB 2020).
 *
 * `p@0-1! x+1 y=12` is a transaction of process p that is called in stage 0, returns in stage 1, and has
 * failed (`!`). It writes 1 to x and reads y as the list of 1 and 2, or as a register that has 2; `y=` is
 * a read of nothing. Transactions of one stage are concurrent, those of a later stage come after it.
 */
import type { Workload } from '../../src/isolation/workload.ts'

type Plans = Readonly<Record<Workload, readonly string[]>>

function both(...plans: readonly string[]): Plans {
  return { 'list-append': plans, 'rw-register': plans }
}

export const ANOMALIES = {
  G0: {
    'list-append': ['a@0-0 x+1 y+1', 'b@0-0 x+2 y+2', 'c@0-0 x=12 y=21'],
    'rw-register': ['a@0-0 x+1 y=2 y+1', 'b@0-0 x=1 x+2 y+2'],
  },
  G1a: both('a@0-0! x+1', 'b@0-0 x=1'),
  G1b: {
    'list-append': ['a@0-0 x+1 x+2', 'b@0-0 x=1', 'c@0-0 x=12'],
    'rw-register': ['a@0-0 x+1 x+2', 'b@0-0 x=1'],
  },
  G1c: both('a@0-0 x+1 y=1', 'b@0-0 y+1 x=1'),
  internal: {
    'list-append': ['a@0-0 x+1 x=', 'b@0-0 x=1'],
    'rw-register': ['a@0-0 x+1 x=2', 'b@0-0 x+2'],
  },
  'future-read': both('a@0-0 x=1 x+1'),
  'dirty-update': {
    'list-append': ['a@0-0! x+1', 'b@0-0 x+2', 'c@0-0 x=12'],
    'rw-register': [],
  },
  'lost-update': {
    'list-append': ['a@0-0 x= x+1', 'b@0-0 x= x+2', 'c@0-0 x=12'],
    'rw-register': ['a@0-0 x= x+1', 'b@0-0 x= x+2'],
  },
  'G-single': both('a@0-0 x+1 y+1', 'b@0-0 x=1 y=', 'c@0-0 y=1'),
  'G-nonadjacent': both('a@0-0 x+1', 'b@0-0 y+1', 'c@0-0 x=1 y=', 'd@0-0 x= y=1'),
  'G2-item': both('a@0-0 x= y= x+1', 'b@0-0 x= y= y+1', 'c@0-0 x=1 y=1'),
  'G0-process': {
    'list-append': ['a@0-0 x+1', 'a@1-1 x+2', 'b@0-1 x=21'],
    'rw-register': ['a@0-0 x=2 x+1', 'a@1-1 x+2'],
  },
  'G1c-process': both('a@0-0 x=1', 'a@1-1 x+1'),
  'G-single-process': both('a@0-0 x+1', 'a@1-1 x=', 'b@0-1 x=1'),
  'G-nonadjacent-process': both('a@0-0 x+1', 'a@1-1 y=', 'b@0-1 y+1 z+1', 'c@0-1 z=1 x='),
  'G2-item-process': both('a@0-0 y+1', 'a@1-1 x=', 'b@0-1 y= x+1'),
  'G0-realtime': {
    'list-append': ['a@0-0 x+1', 'b@1-1 x+2', 'c@0-1 x=21'],
    'rw-register': ['a@0-0 x=2 x+1', 'b@1-1 x+2'],
  },
  'G1c-realtime': both('a@0-0 x=1', 'b@1-1 x+1'),
  'G-single-realtime': both('a@0-0 x+1', 'b@1-1 x=', 'c@0-1 x=1'),
  'G-nonadjacent-realtime': both('a@0-0 x+1', 'd@1-1 y=', 'b@0-1 y+1 z+1', 'c@0-1 z=1 x='),
  'G2-item-realtime': both('a@0-0 y+1', 'c@1-1 x=', 'b@0-1 y= x+1'),
  'incompatible-order': {
    'list-append': ['a@0-0 x+1', 'b@0-0 x+2', 'c@0-0 x=12', 'd@0-0 x=21'],
    'rw-register': [],
  },
  'duplicate-elements': { 'list-append': ['a@0-0 x+1', 'b@0-0 x=11'], 'rw-register': [] },
  'garbage-read': both('a@0-0 x=9'),
  'cyclic-versions': { 'list-append': [], 'rw-register': ['a@0-0 x=2 x+1', 'b@0-0 x=1 x+2'] },
} as const satisfies Readonly<Record<string, Plans>>

/**
 * An anomaly that `anomalousHistory` can plant.
 */
export type PlantedAnomaly = keyof typeof ANOMALIES

/**
 * The anomalies that histories of a workload can have.
 */
export function anomaliesOf(workload: Workload): readonly PlantedAnomaly[] {
  return (Object.keys(ANOMALIES) as PlantedAnomaly[]).filter((name) => ANOMALIES[name][workload].length > 0)
}
