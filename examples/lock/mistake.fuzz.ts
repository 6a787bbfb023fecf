import { cluster } from 'norn/cluster'
import { clusterOptions } from './cluster-options.ts'

cluster('a lock that trusts its clients', clusterOptions({ trusting: true }))
