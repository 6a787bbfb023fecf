/** The systems that guidance is measured on, and never tuned on: see README.md. */
import type { ClusterOptions, ClusterView } from '../../../packages/norn/src/cluster/definition.ts'
import { chainReplicationCluster, chainReplicationProjection } from './chain-replication/cluster-options.ts'
import {
  viewstampedReplicationCluster,
  viewstampedReplicationProjection,
} from './viewstamped-replication/cluster-options.ts'

export interface BlindSubject {
  readonly name: string
  /** The cluster, with its model and the mapping to it; its requests are listed. */
  cluster(): ClusterOptions
  /** The abstract state of a cluster that runs without its model, for counting distinct ones. */
  projection(view: ClusterView): unknown
}

export const BLIND_SUBJECTS: readonly BlindSubject[] = [
  {
    name: 'viewstamped replication',
    cluster: viewstampedReplicationCluster as () => ClusterOptions,
    projection: viewstampedReplicationProjection as BlindSubject['projection'],
  },
  {
    name: 'chain replication',
    cluster: chainReplicationCluster as () => ClusterOptions,
    projection: chainReplicationProjection as BlindSubject['projection'],
  },
]
