import { cluster } from 'norn/cluster'
import { clusterOptions } from './cluster-options.ts'

cluster('a register', clusterOptions())
