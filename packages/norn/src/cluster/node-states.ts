/**
 * What changed in the visible state of the nodes of an execution, for reports: a text for each field
 * of a node's state. Recorded only where an execution is explained.
 *
 * What norn gave the node, which it may keep in a field, is no state of it: the context of an actor.
 *
 * Invariant: bounded, whatever the states are; it reads them as an invariant of the cluster does, and
 * calls nothing of theirs: no getters, no methods.
 */
import { inspect } from 'node:util'
import type { StateChange } from '../contract/cluster-record.ts'
import { cut } from '../contract/text.ts'
import { LEFT_OUT, withReplaced } from '../world/realm/replaced-values.ts'
import { isContext } from './actors.ts'
import type { ClusterView } from './views.ts'

const MAX_CHANGES = 20_000
const MAX_FIELDS = 40
const MAX_TEXT = 300

const SHORT = { depth: 3, breakLength: Number.POSITIVE_INFINITY, compact: true, customInspect: false } as const
const BOUNDS = { maxArrayLength: 12, maxStringLength: 100 } as const

export class NodeStates {
  readonly changes: StateChange[] = []
  readonly #view: ClusterView
  readonly #known: readonly Map<string, string>[]

  constructor(view: ClusterView) {
    this.#view = view
    this.#known = view.nodes.map(() => new Map())
  }

  /** To be called whenever something has happened. */
  settled(): void {
    if (this.changes.length >= MAX_CHANGES) return
    const { nodes, log } = this.#view
    for (const [index, node] of nodes.entries()) {
      const known = this.#known[index]!
      const now = fieldsOf(node.state)
      for (const name of known.keys()) {
        if (now.has(name)) continue
        known.delete(name)
        this.changes.push([log.length, index, name])
      }
      for (const [name, value] of now) {
        if (known.get(name) === value) continue
        known.set(name, value)
        this.changes.push([log.length, index, name, value])
      }
    }
  }
}

/** The fields of a state; one without a name if it has none. */
function fieldsOf(state: unknown): ReadonlyMap<string, string> {
  if (state === undefined) return new Map()
  const isRecord = typeof state === 'object' && state !== null && !Array.isArray(state) && !(state instanceof Map)
  if (!isRecord) return new Map([['', textOf(state)]])
  const fields = Object.entries(Object.getOwnPropertyDescriptors(state)).filter(
    ([, each]) => each.enumerable && 'value' in each && typeof each.value !== 'function' && !isContext(each.value),
  )
  return new Map(fields.slice(0, MAX_FIELDS).map(([name, { value }]) => [cut(name, MAX_TEXT), textOf(value)]))
}

function textOf(value: unknown): string {
  const own = withReplaced(value, (each) => (isContext(each) ? LEFT_OUT : undefined), SHORT.depth)
  return cut(inspect(own, { ...SHORT, ...BOUNDS }).replace(/\s*\n\s*/g, ' '), MAX_TEXT)
}
