/**
 * What of a node's state is a phase rather than a quantity: words, truth values and nothing, by
 * their paths. Numbers and long texts take ever new values, and are left out.
 */
import type { NodeView } from '../definition.ts'

export type PhaseValue = string | boolean | null

/** Values by path, as conditions write it: `up`, `state.role`. */
export type Projection = ReadonlyMap<string, PhaseValue>

/**
 * Of an object in an object in a state nothing is taken; of a node so many paths, of texts the
 * short ones.
 */
const [MAX_DEPTH, MAX_PATHS, MAX_TEXT] = [2, 32, 40]

export function projectionOf({ up, state }: Pick<NodeView, 'up' | 'state'>): Projection {
  const values = new Map<string, PhaseValue>([['up', up]])
  if (up) project('state', state, 0, values)
  return values
}

function project(path: string, value: unknown, depth: number, into: Map<string, PhaseValue>): void {
  if (into.size >= MAX_PATHS) return
  if (value === null || typeof value === 'boolean') into.set(path, value)
  else if (typeof value === 'string') {
    if (value.length <= MAX_TEXT) into.set(path, value)
  } else if (typeof value === 'object' && depth < MAX_DEPTH && (depth === 0 || isPlain(value))) {
    for (const key of Object.keys(value)) {
      // A path with a dot in a name would be read as two.
      if (!key.includes('.')) project(`${path}.${key}`, (value as Record<string, unknown>)[key], depth + 1, into)
    }
  }
}

/**
 * Below the state itself, what has a class (the context of an actor, a map) is no part of what is
 * seen.
 */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return !Array.isArray(value) && (prototype === null || Object.getPrototypeOf(prototype) === null)
}
