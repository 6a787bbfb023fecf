/** A node crashes: it loses its timers and everything it did not persist. A restart ends it. */
import { noEffects } from '../effects.ts'
import { CRASH, RESTART } from '../trace-class.ts'
import type { Fault, FaultAct } from './fault.ts'

export const restart: FaultAct = {
  name: 'restart',
  place: 'node',
  weight: 1,
  isPossible: (host, { node }) => !host.isUp(node),
  perform: (host, { node }) => host.boot(node, 'restart', RESTART),
}

export const crash: Fault<'crashes'> = {
  name: 'crash',
  option: 'crashes',
  place: 'node',
  weight: 0.25,
  complexity: 3,
  recovery: restart,
  logged: 'crash',
  never: 'no node ever crashed',
  wakes: true,
  isPossible: (host, { node }) => host.isUp(node),
  perform(host, { node }) {
    host.stop(node)
    host.note(node, CRASH, 0)
    host.record('crash', node, '', '', -1, undefined)
    host.system.perform({ type: 'crash', node: host.nodes[node]! }, noEffects(host.nowUs / 1000))
    host.settle()
  },
  assertSupported(system) {
    if (system.crashes === false)
      throw new Error('the system does not support crashes: remove `crashes` from the `faults` of the cluster')
  },
  /** Nodes that are down restart, unless crashes are permanent. */
  calm(host) {
    if (host.cluster.permanentCrashes) return
    const down = [...host.nodes.keys()].filter((node) => !host.isUp(node))
    const restarts = down.map((node) => ({ type: 'restart', node: host.nodes[node]! }) as const)
    if (down.length > 1) host.system.foresee?.(restarts, host.nowUs / 1000)
    for (const node of down) host.boot(node, 'restart', RESTART)
  },
}
