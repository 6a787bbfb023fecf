/**
 * The speed suite: what an execution costs. Each part compares norn with a baseline in the same
 * run, in turns; rates and ratios are medians over the rounds. Nothing is judged.
 */
import { defineParts, ONLY } from '../suite.ts'

export const suite = defineParts({
  summary: 'what an execution costs, beside baselines',
  options: { only: ONLY },
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
  },
})
