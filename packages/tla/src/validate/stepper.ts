/**
 * Takes the steps of a trace: an action with its known parameters, and unknown ones from their
 * domains; or any step of the next-state relation.
 *
 * An action whose evaluation fails (the parameter is not a server, say) counts as disabled with
 * those parameters, with the error as the reason.
 */
import type { TlaError } from '../error/error.ts'
import type { Machine } from '../evaluate/machine.ts'
import type { Canonical, Tuple, Value } from '../values/value.ts'
import { attempt, enter, unmetConditions } from './evaluation.ts'
import type { Taken } from './event.ts'
import type { Call } from './frontier.ts'
import type { LogMap } from './log-map.ts'
import { Parameters } from './parameters.ts'

export class Stepper {
  readonly machine: Machine
  readonly parameters: Parameters

  constructor(machine: Machine, { domains }: Pick<LogMap, 'domains'>) {
    this.machine = machine
    this.parameters = new Parameters(machine, domains)
  }

  /**
   * Visits all successors by one step; equal ones may be visited more than once.
   *
   * @param failed called with each evaluation error and its location; without it the location,
   *   which is slow to find, is not determined
   */
  take(state: Tuple, taken: Taken, visit: (next: Tuple, by: Call) => void, failed?: (error: TlaError) => void): void {
    const { machine } = this
    const { action, where } = taken
    const { arena, primed } = machine
    enter(machine, state)
    if (action === undefined) {
      const found: { readonly led: Tuple; readonly by: Call }[] = []
      const run = () =>
        machine.next(() => {
          const by = { action: machine.part?.name ?? 'Next', parameters: machine.parameters().slice() }
          const led = arena.tuple(primed.slice() as Canonical[])
          if (where.length === 0) visit(led, by)
          else found.push({ led, by })
        })
      attempt(machine, state, run, failed)
      for (const { led, by } of found) if (unmetConditions(machine, state, where, [], led).length === 0) visit(led, by)
      return
    }
    let combinations: readonly (readonly Value[])[] = []
    const combine = () => {
      combinations = this.parameters.combinations(state, taken)
    }
    attempt(machine, state, combine, failed)
    const aboutStep = where.filter(({ isAboutStep }) => isAboutStep)
    for (const parameters of combinations) {
      enter(machine, state)
      const by = { action: action.name, parameters }
      const next: Tuple[] = []
      const run = () =>
        action.step(parameters, () => {
          const led = arena.tuple(primed.slice() as Canonical[])
          if (aboutStep.length === 0) visit(led, by)
          else next.push(led)
        })
      attempt(machine, state, run, failed)
      for (const led of next)
        if (unmetConditions(machine, state, aboutStep, parameters, led).length === 0) visit(led, by)
    }
  }
}
