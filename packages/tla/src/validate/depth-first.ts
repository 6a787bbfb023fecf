/**
 * Depth-first trace validation: follows one behaviour as far as it matches, then backtracks.
 *
 * Reaches the same verdict as breadth-first search. Visits far fewer states where most open states
 * lead to the end of the trace, and as many where none does. Tries each state at most once per
 * event, and silent steps last.
 */
import type { Tuple } from '../values/value.ts'
import type { Event } from './event.ts'
import { BoundReached, distinct, type Reached } from './frontier.ts'
import type { Broken, Validation, Validator } from './validate.ts'

/** Bound on the states tried, as a multiple of the width. */
const TRIES = 100

export function depthFirst(validator: Validator, events: readonly Event[], width: number): Validation {
  const at = { event: 0 }
  try {
    return search(validator, events, width, at)
  } catch (error) {
    if (!(error instanceof BoundReached)) throw error
    return validator.ended({ verdict: 'undecided', why: error.message, open: error.open, ...at })
  }
}

/** @param at updated with the current event */
function search(validator: Validator, events: readonly Event[], width: number, at: { event: number }): Validation {
  const tried = events.map(() => new Set<Tuple>())
  /** The furthest event reached, and the states in which the search got stuck there. */
  let [furthest, stuck]: [number, Reached[]] = [-1, []]
  let broken: { event: number; broken: Broken; states: number } | undefined
  const open: { readonly reached: Reached; readonly event: number }[] = []
  const push = (states: readonly Reached[], event: number) => {
    // Reversed, so that the first state is popped first.
    for (let at = states.length - 1; at >= 0; at--) open.push({ reached: states[at]!, event })
    validator.widest = Math.max(validator.widest, open.length)
  }
  push(validator.initial(events[0]), 0)
  let tries = 0
  for (let top = open.pop(); top !== undefined; top = open.pop()) {
    const { reached, event } = top
    if (event === events.length) return validator.ended({ verdict: 'behaviour', frontier: [reached] })
    if (tried[event]!.has(reached.state)) continue
    tried[event]!.add(reached.state)
    at.event = event
    if (++tries > width * TRIES) {
      const why = `more than ${width * TRIES} states were tried: raise --width`
      return validator.ended({ verdict: 'undecided', event: Math.max(furthest, event), why })
    }
    const before = validator.afterSilence([reached], event)
    const after = before.flatMap((one) => validator.after([one], events[event]!, event))
    if (after.length === 0) {
      if (event > furthest) [furthest, stuck] = [event, []]
      if (event === furthest) stuck.push(...before)
      continue
    }
    const held = validator.held(after)
    if ('invariant' in held) {
      if (broken === undefined || event > broken.event) broken = { event, broken: held, states: after.length }
    } else push(held, event + 1)
  }
  if (broken !== undefined && broken.event >= furthest)
    return validator.ended({ verdict: 'broken invariant', ...broken })
  return validator.ended({ verdict: 'divergence', event: furthest, before: distinct(stuck) })
}
