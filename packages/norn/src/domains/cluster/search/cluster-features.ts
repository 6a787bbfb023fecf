/**
 * Features of a cluster's executions, as numbers: abstract states of its model, happens-before
 * classes, consecutive events of a node, branches (also of a program over stdio) and notes.
 *
 * Abstract states and classes are counted for the report, whatever guides the search. Features that
 * guide are listed with the step at which they were reached, if that is known.
 *
 * Of states, orders and classes only the first that is requested and present guides. Nearly every
 * execution has a class of its own, so returning to a class leads to nothing in particular: in
 * 10,000 executions of two-phase commit, guidance by states reached 5,200 states, guidance by
 * orders and classes too 4,800, and chance 4,500.
 *
 * Invariants: a feature keeps its number throughout a campaign; all tables are bounded, and beyond
 * the bounds nothing is new.
 */

import type { ClusterObservation, Observation } from '../../../contract/observation.ts'
import type { Guide } from '../../../options/guide.ts'
import { FeatureMap } from '../../../search/features.ts'

export interface Reached {
  readonly feature: number
  /** The number of scheduled steps before it; -1 if unknown. */
  readonly after: number
}

export interface ClusterShown {
  /** The new features that guide. */
  readonly fresh: readonly Reached[]
  /** All features that guide, but only the new ones of branches and notes. */
  readonly guiding: readonly Reached[]
  /** The numbers of new abstract states and happens-before classes. */
  readonly newStates: number
  readonly newTraces: number
}

/** The numbers of branches and notes are smaller: see search/features.ts. */
const STATE = 2 ** 43
const TRACE = 2 ** 44
const ORDER = 2 ** 45
const PROGRAM = 2 ** 46
const MAX_STATES = 1 << 20
const MAX_TRACES = 1 << 20
const MAX_ORDERS = 1 << 18

const NO_NOTES: ReadonlyMap<string, number> = new Map()

export class ClusterFeatures {
  readonly #guide: Guide
  readonly #map: FeatureMap
  /** The branches or lines of the system itself. */
  readonly #program: FeatureMap
  readonly #states = new Set<number>()
  readonly #traces = new Set<number>()
  readonly #orders = new Set<number>()

  constructor(guide: Guide) {
    this.#guide = guide
    this.#map = new FeatureMap({ branches: guide.edges, order: false })
    this.#program = new FeatureMap({ branches: guide.edges, order: false })
  }

  /** The numbers of distinct features so far; orders only if they guide. */
  get counts(): {
    readonly branches: number
    readonly order: number
    readonly states: number
    readonly traces: number
  } {
    const branches = this.#map.counts.branches + this.#program.counts.branches
    return { branches, order: this.#orders.size, states: this.#states.size, traces: this.#traces.size }
  }

  observe(observation: Observation, cluster: ClusterObservation): ClusterShown {
    const fresh: Reached[] = []
    const guiding: Reached[] = []
    const note = (feature: number, after: number, isNew: boolean) => {
      const reached = { feature, after }
      guiding.push(reached)
      if (isNew) fresh.push(reached)
    }
    const byStates = this.#guide.model && (cluster.states.length > 0 || cluster.isUnfollowed === true)
    const byOrders = this.#guide.order && !byStates
    const byTraces = this.#guide.trace && !byStates && !byOrders
    let newStates = 0
    for (let at = 0; at < cluster.states.length; at++) {
      const id = cluster.states[at]!
      const isNew = !this.#states.has(id) && this.#states.size < MAX_STATES
      if (isNew) {
        this.#states.add(id)
        newStates++
      }
      if (byStates) note(STATE + id, cluster.stateSteps[at]! + 1, isNew)
    }
    const isNewTrace = !this.#traces.has(cluster.trace) && this.#traces.size < MAX_TRACES
    if (isNewTrace) this.#traces.add(cluster.trace)
    if (byTraces && isNewTrace) note(TRACE + this.#traces.size, -1, true)
    if (byOrders) this.#observeOrders(cluster, note)
    for (const feature of this.#map.observe(observation).fresh) note(feature, -1, true)
    if (cluster.counters !== undefined) {
      const counted = { ...observation, counters: [cluster.counters], notes: NO_NOTES }
      for (const feature of this.#program.observe(counted).fresh) note(PROGRAM + feature, -1, true)
    }
    return { fresh, guiding, newStates, newTraces: Number(isNewTrace) }
  }

  #observeOrders({ orders }: ClusterObservation, note: (feature: number, after: number, isNew: boolean) => void): void {
    const { pairs, steps } = orders()
    for (let at = 0; at < pairs.length; at++) {
      const pair = pairs[at]!
      const isNew = !this.#orders.has(pair) && this.#orders.size < MAX_ORDERS
      if (isNew) this.#orders.add(pair)
      note(ORDER + pair, steps[at]! + 1, isNew)
    }
  }
}
