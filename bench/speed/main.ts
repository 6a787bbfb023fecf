/**
 * The speed suite: what an execution costs. Each part compares norn with a baseline in the same
 * run, in turns. Nothing is judged but, with `--least`, the comparison with another revision.
 */
import { defineParts, ONLY, ratio, text } from '../suite.ts'

export const suite = defineParts({
  summary: 'what an execution costs, beside baselines',
  options: {
    only: ONLY,
    against: text(
      'against',
      'REVISION',
      'compare with this revision of norn (default: the last tag, or the revision in against/revision)',
    ),
    least: ratio('least', 'exit with 1 if a subject stays below this ratio to the other revision (default: none)'),
  },
  parts: {
    execution: {
      summary: 'executions of interleaving tasks, against fc.scheduler; the share of module instantiation',
      load: () => import('./execution/main.ts'),
    },
    throughput: {
      summary: 'executions of trivial properties, against fast-check and Jazzer.js',
      load: () => import('./throughput/main.ts'),
    },
    loop: {
      summary: "steps of the world's event loop, against a loop drained by setImmediate",
      load: () => import('./loop/main.ts'),
    },
    network: {
      summary: 'requests and messages between a client and a server, against stock Node over loopback',
      load: () => import('./network/main.ts'),
    },
    instrument: {
      summary: 'the slowdown by counters and by comparison tracing',
      load: () => import('./instrument/main.ts'),
    },
    cluster: {
      summary: 'executions of a simulated cluster, against a loop over a queue; its memory',
      load: () => import('./cluster/main.ts'),
    },
    start: {
      summary: 'loading a program of 500 modules, at its first start and at the second',
      load: () => import('./start/main.ts'),
    },
    programs: {
      summary: 'executions of packages that people use, with modules evaluated once and in each execution',
      load: () => import('./programs/main.ts'),
    },
    against: {
      summary: 'processor time of executions, against another revision of norn',
      chosenBy: ['against', 'least'],
      load: () => import('./against/main.ts'),
    },
  },
})
