/** The default schedule: no latencies, as stock Node behaves on an idle machine. */
import type { Strategy } from './strategy.ts'

export const natural: Strategy = { name: 'natural', fromSeedAlone: true, steps: 'default', begin: () => () => 0 }
