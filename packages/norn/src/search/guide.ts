/** What guides the search, as `--guide` names it. */
export interface Guide {
  /** Branches and blocks, by how often they were hit. */
  readonly edges: boolean
  /**
   * Which task ran after which, and what is ordered against what; of clusters which event of a node
   * came after which.
   */
  readonly order: boolean
  /** How near comparisons came to equality, and their operands. */
  readonly compare: boolean
  /** Of clusters: which happens-before classes executions belong to. */
  readonly trace: boolean
  /** Of clusters: which abstract states of a model were reached. */
  readonly model: boolean
}

export const GUIDES = ['edges', 'order', 'compare', 'trace', 'model'] as const

export const EVERYTHING: Guide = { edges: true, order: true, compare: true, trace: true, model: true }
export const NOTHING: Guide = { edges: false, order: false, compare: false, trace: false, model: false }

/**
 * What of it can guide the search of a property of a kind: that of a program under the world by all
 * but classes and abstract states, that of a cluster by all but comparisons, since what its
 * schedule is made of is compared with nothing.
 */
export function guideFor({ edges, order, compare, trace, model }: Guide, kind: 'cluster' | undefined): Guide {
  return kind === 'cluster' ? { ...NOTHING, edges, order, trace, model } : { ...NOTHING, edges, order, compare }
}

/** Whether anything guides. */
export function isGuided(guide: Guide): boolean {
  return GUIDES.some((name) => guide[name])
}

/**
 * Parses `edges,order,compare,trace,model`, `all` or `none`; throws a `RangeError` that names what
 * there is.
 */
export function parseGuide(text: string): Guide {
  if (text === 'none') return NOTHING
  if (text === 'all') return EVERYTHING
  const names = text.split(',').map((name) => name.trim())
  for (const name of names) {
    if (!(GUIDES as readonly string[]).includes(name)) {
      throw new RangeError(`unknown guide "${name}": expected some of ${GUIDES.join(',')}, or all, or none`)
    }
  }
  const has = (name: (typeof GUIDES)[number]) => names.includes(name)
  return { edges: has('edges'), order: has('order'), compare: has('compare'), trace: has('trace'), model: has('model') }
}
