/**
 * What norn knows of each kind of property, beside the domain that searches it. Light, for processes
 * that run no execution; domains/domains.ts has the domains.
 */
import type { Property } from '../property/property.ts'
import { passingCluster } from './cluster/nearest.ts'
import { clusterStrategy } from './cluster/search/cluster-strategy.ts'
import { decidingOrder } from './latency/deciding.ts'
import { nearestPassing } from './latency/nearest.ts'

export { addDomainSummaries } from './cluster/summaries.ts'

interface Kind {
  /** @throws RangeError for a strategy that the kind does not have */
  readonly strategyOf: (named: string) => string
  /** Whether its schedules consist of named steps: it has key frames, and abstract states or events as species. */
  readonly hasSteps: boolean
  /** Whether what an execution leaves in the process guides later ones, so that a search begins with a new process. */
  readonly needsFreshProcess: boolean
  /** The nearest passing execution of a failure, for its explanation. */
  readonly nearest: typeof nearestPassing
  /** The order of two steps that decides a failure, for its explanation. */
  readonly deciding: typeof decidingOrder
  /** The passing execution that takes a page to show beside a failure. */
  readonly besideInPages?: typeof passingCluster
}

const KINDS = {
  /** Runs under the world. */
  program: {
    strategyOf: (named) => named,
    hasSteps: false,
    needsFreshProcess: false,
    nearest: nearestPassing,
    deciding: decidingOrder,
  },
  /** Simulated. A model keeps what it met in its process. */
  cluster: {
    strategyOf: clusterStrategy,
    hasSteps: true,
    needsFreshProcess: true,
    // Before its simulation begins, a cluster is a program.
    nearest: async (attempting, input, failing) =>
      failing.result.cluster === undefined ? nearestPassing(attempting, input, failing) : undefined,
    deciding: async (attempting, input, failing) =>
      failing.result.cluster === undefined ? decidingOrder(attempting, input, failing) : { around: [] },
    besideInPages: passingCluster,
  },
} satisfies Record<string, Kind>

/** @param kind as declared: undefined for a program */
export function kindOf(kind: Property['kind'] | undefined): Kind {
  return KINDS[kind ?? 'program']
}
