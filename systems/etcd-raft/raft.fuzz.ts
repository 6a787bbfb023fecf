import { cluster } from 'norn/cluster'
import { etcdRaft } from './cluster-options.ts'

cluster('etcd-raft', etcdRaft())
