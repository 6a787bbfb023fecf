import { cluster } from 'norn/cluster'
import { clusterOptions } from './cluster-options.ts'

cluster('a quorum register', clusterOptions('repaired'))
