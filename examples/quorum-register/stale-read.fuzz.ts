import { cluster } from 'norn/cluster'
import { clusterOptions } from './cluster-options.ts'

cluster('a register that reads its own copy', clusterOptions('local'))
