/**
 * The raft suite: etcd's raft library under norn by guide, and by ModelFuzz's policy: what they cover,
 * and when they find seeded bugs.
 */
import { count, defineParts, seconds, text } from '../suite.ts'

export const suite = defineParts({
  summary: "etcd's raft library: abstract states and seeded bugs, by guide and policy",
  options: {
    only: text('only', 'TEXT', 'mutants: only those whose name contains TEXT'),
    trials: count('trials', 'trials of each technique, seeds 1 to N (default: states 20, mutants 10; --smoke 1)'),
    runs: count('runs', 'executions of a trial (default: states 3,000, mutants 5,000; --smoke 60 and 40)'),
    timeMs: seconds('time', 'begin no round of trials after so many seconds (default: no limit)'),
  },
  parts: {
    states: {
      summary: 'distinct abstract states at equal executions and at equal processor time',
      load: () => import('./states.ts'),
    },
    mutants: {
      summary: 'executions until seeded bugs are found, with the model and without',
      load: () => import('./mutants.ts'),
    },
  },
})
