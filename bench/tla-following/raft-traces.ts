/** Random traces of a Raft-like election with logs: actions with their parameters, which lead to one state each. */

import { chance } from '../../src/tape/chance.ts'
import type { Machine } from '../../src/tla/evaluate/machine.ts'
import { toPlain } from '../../src/tla/values/plain.ts'
import type { Canonical } from '../../src/tla/values/value.ts'

export type Trace = readonly (readonly [action: string, parameters: readonly unknown[]])[]

/** They forget most of what happened, so they are taken as seldom. */
const RARE = ['Restart', 'Timeout', 'LearnTerm']
const RARE_SHARE = 0.03

export function raftTrace(machine: Machine, seed: number, length: number): Trace {
  const random = chance(seed)
  const trace: [string, readonly unknown[]][] = []
  let state: readonly Canonical[] = []
  machine.initial(() => {
    state = machine.current.slice()
  })
  while (trace.length < length) {
    for (const [at, value] of state.entries()) machine.current[at] = value
    const found = new Map<
      string,
      { action: string; parameters: readonly unknown[]; next: Canonical[]; states: Set<object> }
    >()
    machine.next(() => {
      const [action, parameters] = [machine.part!.name, machine.parameters().map(toPlain)]
      const key = JSON.stringify([action, parameters])
      const next = machine.primed.slice() as Canonical[]
      const known = found.get(key) ?? { action, parameters, next, states: new Set() }
      known.states.add(machine.arena.tuple(next))
      found.set(key, known)
    })
    const before = machine.arena.tuple(state)
    const open = [...found.values()].filter(({ states }) => states.size === 1 && !states.has(before))
    // By its name first: else most steps would send, as there is most to send.
    const names = [...new Set(open.map(({ action }) => action))].filter(
      (action) => !RARE.includes(action) || random.coin(RARE_SHARE),
    )
    if (names.length === 0) continue
    const name = names[random.integer(0, names.length - 1)]!
    const from = open.filter(({ action }) => action === name)
    const { action, parameters, next } = from[random.integer(0, from.length - 1)]!
    trace.push([action, parameters])
    state = next
  }
  return trace
}
