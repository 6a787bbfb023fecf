/** norn/cluster: distributed systems under event schedules. This is what a file of clusters imports. */
export { type Actor, type ActorContext, type ActorFactory, actors } from './actors.ts'
export { type Cluster, cluster } from './cluster.ts'
export type {
  ClusterOptions,
  ClusterView,
  FaultQuotas,
  Liveness,
  MessageView,
  ModelBinding,
  NetworkOptions,
  NodeView,
  RequestView,
} from './definition.ts'
export { entryJson, type LogEntry, logText } from './log.ts'
export { type Effect, type Reducer, type ReducerEvent, reducer, type Self } from './reducers.ts'
export type { Data, Effects, NodeEvent, NodeId, System } from './system.ts'
