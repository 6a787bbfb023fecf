import { cluster } from 'norn/cluster'
import { viewstampedReplicationCluster } from './cluster-options.ts'

cluster('viewstamped replication', viewstampedReplicationCluster())
