/** The process that runs executions, with the parts above its room put in. See process/child.ts. */
import { proposeFrames } from './cluster/frames/asked.ts'
import { untilFrames } from './cluster/frames/frames-planner.ts'
import * as cluster from './cluster/index.ts'
import { ClusterPlanner } from './cluster/search/cluster-planner.ts'
import { VacuityPlanner } from './cluster/vacuity.ts'
import { serve } from './process/child.ts'
import { tlaOnDemand } from './tla-on-demand.ts'

serve({
  modules: new Map<string, object>([
    ['norn/cluster', cluster],
    ['norn/tla', tlaOnDemand],
  ]),
  declarers: { cluster: cluster.cluster },
  proposeFrames,
  planners: { cluster: (options) => new VacuityPlanner(untilFrames(options, new ClusterPlanner(options))) },
})
