import { cluster } from 'norn/cluster'
import { chainReplicationCluster } from './cluster-options.ts'

cluster('chain replication', chainReplicationCluster())
