import { cluster } from 'norn/cluster'
import { clusterOptions } from './cluster-options.ts'

cluster('participants that lose patience', clusterOptions({ impatient: true }))

cluster('a coordinator that forgets its decision', clusterOptions({ forgetful: true }))
