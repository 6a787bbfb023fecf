/**
 * Proposes key frames from an execution: the few moments at which the state of a node changed in a
 * new way. A change is new if no node has gone from that value to this one before, or if more nodes
 * than ever have the value at once: a first leader, a second one beside it, a leader that follows
 * again. The proposal is to be edited: remove what does not matter.
 *
 * Only phases count: strings, booleans and null, by path. Numbers and long strings, and paths that
 * take many values, are quantities.
 *
 * Invariant: the execution passes the frames proposed from it, in order.
 */
import type { KeyFramesData } from '../../contract/key-frames.ts'
import type { ClusterView, NodeView } from '../views.ts'

export type ProposedFrames = KeyFramesData['frames']

type PhaseValue = string | boolean | null

/** Bounds on the frames proposed, on the moments remembered, and on the values of a path over all nodes. */
const [MAX_PROPOSED, MAX_MOMENTS, MAX_VALUES] = [8, 1000, 6]
/** Bounds on a node: objects nested in its state, paths, and the length of a string. */
const [MAX_DEPTH, MAX_PATHS, MAX_TEXT] = [2, 32, 40]

/** A new change: the path, its value, and the nodes that have it now. */
interface Novelty {
  readonly path: string
  readonly text: string
  readonly value: PhaseValue
  readonly nodes: readonly string[]
}

export class Proposal {
  readonly #view: ClusterView
  #before: readonly ReadonlyMap<string, PhaseValue>[] | undefined
  readonly #moments: (readonly Novelty[])[] = []
  readonly #changes = new Set<string>()
  /** The most nodes that had a value at once, by path and value. */
  readonly #most = new Map<string, number>()
  readonly #values = new Map<string, Set<PhaseValue>>()

  constructor(view: ClusterView) {
    this.#view = view
  }

  /** To be called whenever something has happened. */
  settled(): void {
    const { nodes } = this.#view
    const now = nodes.map(phasesOf)
    const before = this.#before
    this.#before = now
    if (this.#moments.length >= MAX_MOMENTS) return
    const novelties: Novelty[] = []
    for (const [at, phases] of now.entries()) {
      for (const [path, value] of phases) {
        const earlier = before?.[at]?.get(path)
        if (earlier === value) continue
        const having = nodes.filter((_, other) => now[other]!.get(path) === value).map(({ id }) => id)
        const isNew = this.#isNew(path, earlier, value, having.length)
        if (earlier !== undefined && isNew) novelties.push(noveltyOf(path, earlier, value, nodes[at]!.id, having))
      }
    }
    if (novelties.length > 0) this.#moments.push(novelties)
  }

  /** The frames, in order; none if nothing changed. */
  frames(): ProposedFrames {
    const isPhase = ({ path }: Novelty) => this.#values.get(path)!.size <= MAX_VALUES
    // A path with few values says the most: a role more than a vote.
    const weightOf = (novelties: readonly Novelty[]) =>
      novelties.reduce((sum, { path }) => sum + 1 / this.#values.get(path)!.size, 0)
    return this.#moments
      .map((novelties, at) => ({ novelties: novelties.filter(isPhase), at }))
      .filter(({ novelties }) => novelties.length > 0)
      .map((moment) => ({ ...moment, weight: weightOf(moment.novelties) }))
      .sort((a, b) => b.weight - a.weight || b.at - a.at)
      .slice(0, MAX_PROPOSED)
      .sort((a, b) => a.at - b.at)
      .map(({ novelties }) => ({
        name: [...new Set(novelties.map(({ text }) => text))].join('; '),
        where: Object.fromEntries(
          novelties.flatMap(({ path, value, nodes }) => nodes.map((id) => [`nodes.${id}.${path}`, value])),
        ),
      }))
  }

  #isNew(path: string, earlier: PhaseValue | undefined, value: PhaseValue, having: number): boolean {
    const values = this.#values.get(path) ?? new Set()
    this.#values.set(path, values)
    // One value over the bound says as much as a thousand.
    if (values.size <= MAX_VALUES) values.add(value)
    if (values.size > MAX_VALUES) return false
    const [key, change] = [JSON.stringify([path, value]), JSON.stringify([path, earlier, value])]
    const isNew = !this.#changes.has(change) || having > (this.#most.get(key) ?? 0)
    this.#most.set(key, Math.max(this.#most.get(key) ?? 0, having))
    this.#changes.add(change)
    return isNew
  }
}

function noveltyOf(path: string, earlier: PhaseValue, value: PhaseValue, node: string, nodes: string[]): Novelty {
  const change = `${path.replace(/^state\./, '')} ${earlier} → ${value}`
  const others = nodes.length > 1 ? `, as ${nodes.filter((id) => id !== node).join(', ')}` : ''
  const text = `${node}: ${path !== 'up' ? change : value ? 'is up again' : 'is down'}${others}`
  return { path, value, nodes, text }
}

/** The phases of a node by path, as conditions write it: `up`, `state.role`. */
export function phasesOf({ up, state }: Pick<NodeView, 'up' | 'state'>): ReadonlyMap<string, PhaseValue> {
  const phases = new Map<string, PhaseValue>([['up', up]])
  const collect = (path: string, value: unknown, depth: number): void => {
    if (phases.size >= MAX_PATHS) return
    if (value === null || typeof value === 'boolean') phases.set(path, value)
    else if (typeof value === 'string' && value.length <= MAX_TEXT) phases.set(path, value)
    else if (typeof value === 'object' && depth < MAX_DEPTH && (depth === 0 || isPlain(value)))
      // A dot in a key would read as two keys.
      for (const [key, inner] of Object.entries(value))
        if (!key.includes('.')) collect(`${path}.${key}`, inner, depth + 1)
  }
  if (up) collect('state', state, 0)
  return phases
}

/** The state itself may be an instance; objects in it, such as the context of an actor, may not. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return !Array.isArray(value) && (prototype === null || Object.getPrototypeOf(prototype) === null)
}
