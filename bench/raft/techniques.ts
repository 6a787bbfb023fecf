/** The techniques that are compared, and which of them this tree has. */
import type { ClusterOptions } from '../../packages/norn/src/cluster/definition.ts'
import { GUIDES } from '../../packages/norn/src/search/guide.ts'
import { etcdRaft } from '../../systems/etcd-raft/cluster-options.ts'
import type { Technique } from './trial.ts'

/** The technique that the others are compared with. */
export const MODEL: Technique = { guide: 'model', policy: 'norn' }
export const NONE: Technique = { guide: 'none', policy: 'norn' }

const TECHNIQUES: readonly Technique[] = [
  NONE,
  { guide: 'trace', policy: 'norn' },
  { guide: 'line', policy: 'norn' },
  MODEL,
  { guide: 'model', policy: 'modelfuzz' },
]

/** Those of these techniques that can run; the harness must be built. @param warn is told why others cannot */
export function available(warn: (text: string) => void, wanted: readonly Technique[] = TECHNIQUES): Technique[] {
  const { model } = etcdRaft() as unknown as ClusterOptions
  const missing = (guide: Technique['guide']) => {
    if (guide === 'line' && !(GUIDES as readonly string[]).includes(guide)) return 'norn has no guide of this name'
    return guide === 'model' && model === undefined ? 'the cluster has no model' : undefined
  }
  return wanted.filter((technique) => {
    const why = missing(technique.guide)
    if (why !== undefined) warn(`left out: ${labelOf(technique)}: ${why}`)
    return why === undefined
  })
}

/** A technique in texts and legends. */
export function labelOf({ guide, policy }: Technique): string {
  return policy === 'norn' ? guide : `ModelFuzz, ${guide}`
}
