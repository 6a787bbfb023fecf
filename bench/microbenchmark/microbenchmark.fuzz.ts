/** The microbenchmark as a user would declare it, for measurements of all of norn. */
import { cluster } from 'norn/cluster'
import { microbenchmark } from './actors.ts'

cluster('5 workers, 10 executes', microbenchmark({ workers: 5, executes: 10 }))
cluster('6 workers, 40 executes', microbenchmark({ workers: 6, executes: 40 }))
