/** The entry of the process that runs executions: norn's side of it, put together. See property/child.ts. */

import { proposeFrames } from './cluster/frames/asked.ts'
import { untilFrames } from './cluster/frames/frames-planner.ts'
import * as cluster from './cluster/index.ts'
import { ClusterPlanner } from './cluster/search/cluster-planner.ts'
import { VacuityPlanner } from './cluster/vacuity.ts'
import { serve } from './property/child.ts'
import { readBy } from './tla/follow/machines.ts'
import * as tla from './tla/index.ts'
import { outside } from './world/outside.ts'

readBy(outside)

serve({
  modules: new Map<string, object>([
    ['norn/cluster', cluster],
    ['norn/tla', tla],
  ]),
  declarers: { cluster: cluster.cluster },
  proposeFrames,
  planners: { cluster: (options) => new VacuityPlanner(untilFrames(options, new ClusterPlanner(options))) },
})
