/**
 * norn/cluster: distributed systems under event schedules. This is what a file of clusters imports.
 */

export { disabled, type ModelDefinition } from '../model/definition.ts'
export type { AbstractState, Action, Applied, Model, Parameters, Transitions } from '../model/model.ts'
export { type Reachable, reachable } from '../model/reachable.ts'
export { defineModel } from '../model/typescript-model.ts'
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
export {
  type FindOptions,
  type FramedExecution,
  type FramedRun,
  type FramesSearched,
  findExecution,
  runFramed,
} from './frames/find-execution.ts'
export { type FramePredicate, frames, type KeyFrame, type KeyFrames, loadFrames } from './frames/key-frames.ts'
export { type LogEntry, logText } from './log.ts'
export { type Effect, type Reducer, type ReducerEvent, reducer, type Self } from './reducers.ts'
export type { MessagePredicate, Rule } from './scenario/rule.ts'
export {
  type ClusterPredicate,
  type Scenario,
  type ScenarioOptions,
  scenario,
} from './scenario/scenario.ts'
export { type ProgramOptions, program } from './stdio/program.ts'
export type { ProgramSystem } from './stdio/program-system.ts'
export type { Data, Effects, NodeEvent, NodeId, System } from './system.ts'
