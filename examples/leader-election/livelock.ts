import { scenario } from 'norn/cluster'
import { election } from './election.ts'

/** No message is lost or delayed. All clocks run in step, so in each term all nodes become candidates at once. */
export function livelock(terms: number): void {
  const s = scenario({ system: election, seed: 1 })
  for (let term = 1; term <= terms; term++) {
    s.until(({ nodes }) => nodes.some(({ state }) => state.term === term))
    for (const { id, state } of s.view.nodes) if (state.term < term) s.timeout(id, 'election')
    s.never(({ nodes }) => nodes.some(({ state }) => state.role === 'leader'), 10)
  }
  s.end()
}
