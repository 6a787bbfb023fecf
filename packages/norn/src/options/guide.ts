/** The kinds of feedback that guide a search, as `--guide` names them. */
export interface Guide {
  /** Branches and blocks, with their hits. */
  readonly edges: boolean
  /** Orders of tasks or events, and happens-before classes. */
  readonly order: boolean
  /** Distances and operands of comparisons. */
  readonly compare: boolean
  /** Happens-before classes of executions. */
  readonly trace: boolean
  /** Abstract states of a model. */
  readonly model: boolean
}

export const GUIDES = ['edges', 'order', 'compare', 'trace', 'model'] as const

export type GuideName = (typeof GUIDES)[number]

export const EVERYTHING: Guide = { edges: true, order: true, compare: true, trace: true, model: true }
export const NOTHING: Guide = { edges: false, order: false, compare: false, trace: false, model: false }

/** The guide without the feedback that a domain does not have. */
export function guideWithin(guide: Guide, { guides }: { readonly guides: readonly GuideName[] }): Guide {
  return guideOf((name) => guide[name] && guides.includes(name))
}

function guideOf(has: (name: GuideName) => boolean): Guide {
  return {
    edges: has('edges'),
    order: has('order'),
    compare: has('compare'),
    trace: has('trace'),
    model: has('model'),
  }
}

export function isGuided(guide: Guide): boolean {
  return GUIDES.some((name) => guide[name])
}

/** As `--guide` names it. */
export function guideText(guide: Guide): string {
  return GUIDES.filter((name) => guide[name]).join() || 'none'
}

/**
 * @param text some of `edges,order,compare,trace,model`, or `all`, or `none`
 * @throws RangeError for anything else
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
  return guideOf((name) => names.includes(name))
}
