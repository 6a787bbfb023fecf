/**
 * What norn knows of each kind of property, beside the domain that searches it. Light, for processes
 * that run no execution; domains/domains.ts has the domains.
 */
import type { Property } from '../property/property.ts'
import { clusterStrategy } from './cluster/search/cluster-strategy.ts'

interface Kind {
  /** @throws RangeError for a strategy that the kind does not have */
  readonly strategyOf: (named: string) => string
  /** Whether its schedules consist of named steps: it has key frames, and abstract states or events as species. */
  readonly hasSteps: boolean
  /** Whether what an execution leaves in the process guides later ones, so that a search begins with a new process. */
  readonly needsFreshProcess: boolean
}

const KINDS = {
  /** Runs under the world. */
  program: { strategyOf: (named: string) => named, hasSteps: false, needsFreshProcess: false },
  /** Simulated. A model keeps what it met in its process. */
  cluster: { strategyOf: clusterStrategy, hasSteps: true, needsFreshProcess: true },
} satisfies Record<string, Kind>

/** @param kind as declared: undefined for a program */
export function kindOf(kind: Property['kind'] | undefined): Kind {
  return KINDS[kind ?? 'program']
}
