/** Holds a system against what a simulation takes for granted of it, before anything happens. */
import type { System } from './system.ts'

/**
 * Nodes that a cluster may have: every pair of them is a channel, and every channel some steps by
 * number.
 */
const MAX_NODES = 200

/** @throws TypeError that says what is wrong with what the option `system` gave */
export function checkSystem(system: System): void {
  const given: unknown = system
  const isSystem =
    typeof given === 'object' && given !== null && Array.isArray(system.nodes) && typeof system.perform === 'function'
  if (!isSystem) {
    const what = given instanceof Object && 'then' in given ? 'a promise' : String(given)
    throw new TypeError(`\`system\` gave ${what}: it must give a system at once, as \`actors({ … })\` does`)
  }
  const { nodes } = system
  if (nodes.length === 0) throw new TypeError('the system has no nodes: a cluster has at least one')
  if (nodes.length > MAX_NODES)
    throw new TypeError(`the system has ${nodes.length} nodes: there may be ${MAX_NODES} at most`)
  for (const [index, node] of nodes.entries()) {
    if (typeof node !== 'string' || node === '')
      throw new TypeError(`node ${index} of the system has no name: it must be a text that is not empty`)
    if (nodes.indexOf(node) !== index) throw new TypeError(`two nodes of the system are called '${node}'`)
  }
}
