/** The search for cycles against all cycles of random small graphs. */
import { describe, expect, test } from 'vitest'
import type { CycleType } from '../../src/isolation/anomaly.ts'
import { componentsOf } from '../../src/isolation/components.ts'
import { impossibleModels } from '../../src/isolation/consistency.ts'
import { ALL_TYPES, findCycles } from '../../src/isolation/cycles.ts'
import {
  EdgeList,
  PROCESS,
  REALTIME,
  RW,
  THROUGH,
  toGraph,
  typeOf,
  WR,
  WW,
  WW_UNKNOWN,
} from '../../src/isolation/edges.ts'
import { Limits } from '../../src/isolation/limits.ts'
import type { RawStep } from '../../src/isolation/subgraph.ts'

type Edge = readonly [from: number, to: number, type: number]

function random(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const unbounded = () => new Limits(undefined, undefined)

function search(nodes: number, edges: readonly Edge[]) {
  const list = new EdgeList(nodes, edges.length, unbounded())
  for (const [from, to, type] of edges) list.add(from, to, type, 0)
  const graph = toGraph(list)
  const found: { type: CycleType; steps: readonly RawStep[] }[] = []
  const undecided = findCycles(graph, componentsOf(graph, ALL_TYPES), nodes, 'realtime', unbounded(), {
    wants: () => true,
    add: (type, steps) => found.push({ type, steps: steps! }),
  })
  expect(undecided).toEqual([])
  return found
}

function typeOfCycle(types: readonly number[]): CycleType {
  const rw = types.filter((type) => type === RW).length
  const isAdjacent = types.some((type, at) => type === RW && types.at(at - 1) === RW)
  const base =
    rw > 1
      ? isAdjacent
        ? 'G2-item'
        : 'G-nonadjacent'
      : rw === 1
        ? 'G-single'
        : types.some((type) => type === WR || type === WW_UNKNOWN)
          ? 'G1c'
          : 'G0'
  return `${base}${types.includes(REALTIME) ? '-realtime' : types.includes(PROCESS) ? '-process' : ''}`
}

/** The types of all simple cycles. */
function allCycles(nodes: number, edges: readonly Edge[]): Set<CycleType> {
  const types = new Set<CycleType>()
  const walk = (start: number, at: number, path: readonly number[], visited: ReadonlySet<number>) => {
    for (const [from, to, type] of edges) {
      if (from !== at || to < start) continue
      if (to === start) types.add(typeOfCycle([...path, type]))
      else if (!visited.has(to)) walk(start, to, [...path, type], new Set([...visited, to]))
    }
  }
  for (let start = 0; start < nodes; start++) walk(start, start, [], new Set([start]))
  return types
}

test('finds what all cycles of a graph amount to, and only cycles that are there', () => {
  for (let seed = 1; seed <= 1000; seed++) {
    const below = random(seed * 7919)
    const nodes = 2 + below(5)
    // Process and realtime edges lead forward, as time does.
    const edges = Array.from({ length: 1 + below(2 * nodes) }, (): Edge => {
      const [from, to] = [below(nodes), below(nodes)]
      const type = [WW, WW_UNKNOWN, WR, RW, RW, RW, PROCESS, REALTIME][below(8)]!
      return type >= PROCESS ? [Math.min(from, to), Math.max(from, to), type] : [from, to, type]
    }).filter(([from, to]) => from !== to)
    const found = search(nodes, edges)
    const expected = allCycles(nodes, edges)
    expect({ seed, models: impossibleModels(found.map(({ type }) => type)) }).toEqual({
      seed,
      models: impossibleModels(expected),
    })
    for (const { type, steps } of found) {
      expect(expected).toContain(type)
      expect(type).toBe(typeOfCycle(steps.map((step) => step.type)))
      expect(new Set(steps.map(({ transaction }) => transaction)).size).toBe(steps.length)
      for (const [at, step] of steps.entries())
        expect(edges).toContainEqual([step.transaction, steps[(at + 1) % steps.length]!.transaction, step.type])
    }
  }
})

describe('auxiliary nodes', () => {
  test('let each reader come before each writer but itself', () => {
    for (let seed = 1; seed <= 40; seed++) {
      const below = random(seed)
      const readers = Array.from({ length: 40 }, (_, at) => at).filter(() => below(2) === 0)
      const writers = Array.from({ length: 40 }, (_, at) => 39 - at).filter(() => below(2) === 0)
      const list = new EdgeList(40, 0, unbounded())
      list.readersBeforeWriters(readers, writers, writers)
      const { offsets, targets, labels } = toGraph(list)
      for (const reader of readers) {
        const reached: number[] = []
        const open = [reader]
        for (const node of open)
          for (let edge = offsets[node]!; edge < offsets[node + 1]!; edge++) {
            expect(typeOf(labels[edge]!)).toBe(node < 40 ? RW : THROUGH)
            if (targets[edge]! < 40) reached.push(targets[edge]!)
            else open.push(targets[edge]!)
          }
        expect(reached.sort((a, b) => a - b)).toEqual(writers.filter((one) => one !== reader).sort((a, b) => a - b))
      }
    }
  })
})

test('a component of many transactions, by far more than there are paths to try one by one', () => {
  // A ring of anti-dependencies, two in a row: only G2-item, though each node reaches most others.
  const count = 20_000
  const edges = Array.from({ length: count }, (_, at): Edge => [at, (at + 1) % count, at % 3 === 0 ? WW : RW])
  const chords = Array.from({ length: count }, (_, at): Edge => [at, Math.min(count - 1, at + 5), WR])
  expect(search(count - (count % 3), edges.slice(0, -2)).length).toBe(0)
  expect(search(count, [...edges, ...chords]).map(({ type }) => type)).toEqual(['G-single'])
})
