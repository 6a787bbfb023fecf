/**
 * Proposes key frames from an execution: the few moments at which what is seen of the nodes changed
 * in a new way.
 *
 * A change is new if no node has gone from that value to this one before, or if more nodes than
 * ever have it at once: a first leader, a second one beside it, a leader that follows again. What a
 * frame asks for are the values themselves, of the nodes that have them. They are a proposal:
 * whoever keeps them takes out what does not matter.
 *
 * Invariant: the execution passes what is proposed from it, in order.
 */
import type { KeyFramesData } from '../../contract/key-frames.ts'
import type { ClusterView, NodeView } from '../definition.ts'
import { type PhaseValue, type Projection, projectionOf } from './projection.ts'

export type ProposedFrames = KeyFramesData['frames']

/** Frames that are proposed at most, and moments that are remembered. */
const [MAX_PROPOSED, MAX_MOMENTS] = [8, 1000]
/** A path that takes more values than this, over all nodes, holds no phase. */
const MAX_VALUES = 6

/** Something new: at a path, a value, and the nodes that had it then. */
interface Novelty {
  readonly path: string
  readonly text: string
  readonly value: PhaseValue
  readonly nodes: readonly string[]
}

export class Proposal {
  readonly #view: ClusterView
  #before: readonly Projection[] | undefined
  readonly #moments: (readonly Novelty[])[] = []
  /** Changes that were seen, and the most nodes that had a value at once, by path and value. */
  readonly #changes = new Set<string>()
  readonly #most = new Map<string, number>()
  readonly #values = new Map<string, Set<PhaseValue>>()

  constructor(view: ClusterView) {
    this.#view = view
  }

  /** Something has happened. */
  settled(): void {
    const { nodes } = this.#view
    const now = nodes.map(projectionOf)
    const before = this.#before
    this.#before = now
    if (this.#moments.length >= MAX_MOMENTS) return
    const novelties: Novelty[] = []
    for (const [at, projection] of now.entries()) {
      for (const [path, value] of projection) {
        const earlier = before?.[at]?.get(path)
        if (earlier === value) continue
        const having = nodes.filter((_, other) => now[other]!.get(path) === value)
        const isNew = this.#isNew(path, earlier, value, having.length)
        if (before === undefined || earlier === undefined || !isNew) continue
        novelties.push(noveltyOf(path, earlier, value, nodes[at]!, having))
      }
    }
    if (novelties.length > 0) this.#moments.push(novelties)
  }

  /** The frames, in order; none if nothing changed. */
  frames(): ProposedFrames {
    const isPhase = (path: string) => this.#values.get(path)!.size <= MAX_VALUES
    const moments = this.#moments.map((novelties) => novelties.filter(({ path }) => isPhase(path)))
    // What takes few values says the most: a role more than a vote.
    const weight = (novelties: readonly Novelty[]) =>
      novelties.reduce((sum, { path }) => sum + 1 / this.#values.get(path)!.size, 0)
    const weighed = moments.map((novelties, at) => ({ novelties, at, weight: weight(novelties) }))
    const chosen = weighed
      .filter(({ novelties }) => novelties.length > 0)
      .sort((a, b) => b.weight - a.weight || b.at - a.at)
      .slice(0, MAX_PROPOSED)
      .sort((a, b) => a.at - b.at)
    return chosen.map(({ novelties }) => ({
      name: [...new Set(novelties.map(({ text }) => text))].join('; '),
      where: Object.fromEntries(
        novelties.flatMap(({ path, value, nodes }) => nodes.map((id) => [`nodes.${id}.${path}`, value])),
      ),
    }))
  }

  #isNew(path: string, earlier: PhaseValue | undefined, value: PhaseValue, having: number): boolean {
    const values = this.#values.get(path) ?? new Set()
    this.#values.set(path, values)
    // One more than there may be says as much as a thousand.
    if (values.size <= MAX_VALUES) values.add(value)
    const key = JSON.stringify([path, value])
    const most = this.#most.get(key) ?? 0
    if (values.size > MAX_VALUES) return false
    this.#most.set(key, Math.max(most, having))
    const change = JSON.stringify([path, earlier, value])
    const isKnown = this.#changes.has(change)
    this.#changes.add(change)
    return !isKnown || having > most
  }
}

function noveltyOf(
  path: string,
  earlier: PhaseValue,
  value: PhaseValue,
  node: NodeView,
  having: readonly NodeView[],
): Novelty {
  const nodes = having.map(({ id }) => id)
  const what = path.replace(/^state\./, '')
  const change = path === 'up' ? (value ? 'is up again' : 'is down') : `${what} ${earlier} → ${value}`
  const together = nodes.length > 1 ? `, as ${nodes.filter((id) => id !== node.id).join(', ')}` : ''
  return { path, value, nodes, text: `${node.id}: ${change}${together}` }
}
