/**
 * The robustness suite: nothing is lost when processes die, memory does not grow, failures replay
 * exactly.
 */
import { defineParts, ONLY } from '../suite.ts'

export const suite = defineParts({
  summary: 'campaigns that are killed, memory over many executions, replays in fresh processes',
  options: { only: ONLY },
  parts: {
    kills: {
      summary: 'campaigns killed by SIGKILL lose no failure and leave nothing behind; exits with 1 otherwise',
      load: () => import('./kills.ts'),
    },
    memory: {
      summary: 'memory after 10,000 and after 100,000 executions; exits with 1 if it grows by more than a fifth',
      load: () => import('./memory.ts'),
    },
    replays: {
      summary: 'one failure of each race shows the same trace and error in 100 fresh processes',
      load: () => import('./replays.ts'),
    },
  },
})
