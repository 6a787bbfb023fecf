/**
 * norn/cluster: distributed systems under event schedules. This is what a file of clusters imports.
 */

export { type Actor, type ActorContext, type ActorFactory, actors } from './cluster/actors.ts'
export { type Cluster, cluster } from './cluster/cluster.ts'
export type {
  ClusterOptions,
  ClusterView,
  Liveness,
  MessageView,
  ModelBinding,
  NodeView,
  RequestView,
} from './cluster/definition.ts'
export type { FaultQuotas } from './cluster/faults/table.ts'
export { type FramePredicate, frames, type KeyFrame, type KeyFrames, loadFrames } from './cluster/frames/key-frames.ts'
export { type LogEntry, logText } from './cluster/log.ts'
export type { NetworkOptions } from './cluster/network.ts'
export { type Effect, type Reducer, type ReducerEvent, reducer, type Self } from './cluster/reducers.ts'
export type { MessagePredicate, Rule } from './cluster/scenario/rule.ts'
export {
  type ClusterPredicate,
  type Scenario,
  type ScenarioOptions,
  scenario,
} from './cluster/scenario/scenario.ts'
export { type ProgramOptions, program } from './cluster/stdio/program.ts'
export type { ProgramSystem } from './cluster/stdio/program-system.ts'
export type { Data, Effects, NodeEvent, NodeId, System } from './cluster/system.ts'
export {
  type FindOptions,
  type FramedExecution,
  type FramedRun,
  type FramesSearched,
  findExecution,
  runFramed,
} from './domains/cluster/frames/find-execution.ts'
export { disabled, type ModelDefinition } from './model/definition.ts'
export type { AbstractState, Action, Applied, Model, Parameters, Transitions } from './model/model.ts'
export { type Reachable, reachable } from './model/reachable.ts'
export { defineModel } from './model/typescript-model.ts'
