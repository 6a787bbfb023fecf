/** The fleet suite: many workers on one queue, by what they cost and by what they find. */
import { count, defineParts, ONLY, seconds } from '../suite.ts'

export const suite = defineParts({
  summary: 'fleets on a real Redis: what sharing is worth, what coordination costs, and what a fleet survives',
  options: {
    only: ONLY,
    trials: count('trials', 'sharing: trials of each subject, seeds 1 to N (default: 5; --smoke 1)'),
    workers: count('workers', 'simulation: simulated workers (default: 1,000; --smoke 50)'),
    soakMs: seconds('soak', 'soak: how long it runs (default: 180; --smoke 20)'),
  },
  parts: {
    sharing: {
      summary: 'executions until bugs are found, by one worker, by eight, and by eight that do not share',
      load: () => import('./sharing.ts'),
    },
    simulation: {
      summary: 'shards a second, the time of a merge and the memory of Redis with many simulated workers',
      load: () => import('./simulation.ts'),
    },
    soak: {
      summary: 'four workers on all examples and subjects, killed at random; exits with 1 if a count is wrong',
      load: () => import('./soak.ts'),
    },
  },
})
