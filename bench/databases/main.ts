/** The suite about databases of the world: what PostgreSQL says of itself, races, false alarms, replays, speed. */
import { count, defineParts, flag, ONLY, text } from '../suite.ts'

export const suite = defineParts({
  summary: 'databases of the world: held to what PostgreSQL says of itself, known races, false alarms, replays, speed',
  options: {
    only: ONLY,
    executions: count('executions', 'correct: executions of each program (default: 500)'),
    processes: count('processes', 'traces: fresh processes (default: 100)'),
    root: text('root', 'DIR', 'isolation-specs: src/test/isolation of the source of PostgreSQL 15 (default: skipped)'),
    rest: flag('rest', 'isolation-specs: those of the schedule that are not of the fifty'),
    twice: flag('twice', 'isolation-specs: run each permutation twice, and count those that repeat byte by byte'),
    differences: text('differences', 'DIR', 'isolation-specs: where to write what differs (default: nowhere)'),
  },
  parts: {
    anomalies: {
      summary: 'anomalies of Hermitage: found where a level allows them, and only there; exits with 1 otherwise',
      load: () => import('./anomalies.ts'),
    },
    races: {
      summary: 'published races of packages over a database: found in the version that had them, and only there',
      load: () => import('./races.ts'),
    },
    correct: {
      summary: 'correct transactional programs, of which none may fail or be inconclusive; exits with 1 otherwise',
      load: () => import('./correct.ts'),
    },
    traces: {
      summary: 'tapes with deadlocks, timeouts and expiry, run again in fresh processes; exits with 1 on a difference',
      load: () => import('./traces.ts'),
    },
    speed: {
      summary: 'executions a second beside bare clients, and what putting data back takes',
      load: () => import('./speed.ts'),
    },
    'isolation-specs': {
      summary: 'isolation specifications of PostgreSQL, held to their published outcomes; exits with 1 on a difference',
      load: () => import('./isolation-specs.ts'),
    },
  },
})
