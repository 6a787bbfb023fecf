import { cluster } from 'norn/cluster'
import { etcdRaft } from './cluster-options.ts'
import { GROWTH, MEMBERSHIP, READS, TRANSFERS } from './workloads.ts'

cluster('etcd-raft, partitioned, mostly read', etcdRaft(READS))

cluster('etcd-raft with transfers of leadership', etcdRaft(TRANSFERS))

cluster('etcd-raft with changes of the configuration', etcdRaft(MEMBERSHIP))

cluster('etcd-raft that grows from one voter', etcdRaft(GROWTH))
