/**
 * The robustness suite: nothing is lost when processes die, memory does not grow, failures replay
 * exactly, a failure file runs nothing but its project, and hostile network programs break nothing.
 */
import { count, defineParts, ONLY, text } from '../suite.ts'

export const suite = defineParts({
  summary: 'killed campaigns, memory over many executions, replays in fresh processes, hostile failures and programs',
  options: {
    only: ONLY,
    aliases: count('aliases', 'run the part aliases alone, with N hostile names (default: 10000)'),
    hostile: count('hostile', 'run the part hostile alone, with N programs (default: 5000)'),
    kills: count('kills', 'run the part kills alone, with N kills (default: 50)'),
    replays: count('replays', 'run the part anywhere alone, with N replays (default: 300)'),
    node: text('node', 'PATHS', 'run the part anywhere alone, on these executables of Node, separated by commas'),
  },
  parts: {
    aliases: {
      summary: 'failures with hostile names of modules run nothing outside the project; exits with 1 otherwise',
      chosenBy: ['aliases'],
      load: () => import('./aliases/main.ts'),
    },
    anywhere: {
      summary: 'ten failures replay exactly whatever the folder, environment, limits and load; exits with 1 otherwise',
      chosenBy: ['replays', 'node'],
      load: () => import('./anywhere/main.ts'),
    },
    escapes: {
      summary: 'programs that try to leave the world touch nothing outside, as strace sees it; exits with 1 otherwise',
      load: () => import('./escapes/main.ts'),
    },
    hostile: {
      summary: 'network programs that break protocols end as on stock Node; exits with 1 otherwise',
      chosenBy: ['hostile'],
      load: () => import('./hostile/main.ts'),
    },
    kills: {
      summary: 'campaigns killed by SIGKILL lose no failure and leave nothing behind; exits with 1 otherwise',
      chosenBy: ['kills'],
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
