/** The process that runs executions, with the parts above its room put in. See process/child.ts. */
import { createRequire } from 'node:module'
import { clusterDomain } from './cluster/domain.ts'
import { proposeFrames } from './cluster/frames/asked.ts'
import * as cluster from './cluster/index.ts'
import { serve } from './process/child.ts'
import { outside } from './world/outside.ts'

const require = createRequire(import.meta.url)
const TLA = import.meta.url.endsWith('.ts') ? './tla/index.ts' : './tla/index.js'

serve({
  modules: new Map([['norn/cluster', cluster]]),
  // Loading it takes a third of the time that this process takes to start.
  lazyModules: new Map([['norn/tla', () => outside(() => require(TLA) as object)]]),
  declarers: { cluster: cluster.cluster },
  proposeFrames,
  domains: { cluster: clusterDomain },
})
