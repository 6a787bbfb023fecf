/** Runs a child whose parent waits for it in another process: an execution whose body is that call. */
import { CHANCE_SEED } from '../contract/choice.ts'
import { withDelays } from '../contract/plan.ts'
import type { Loader } from '../loader/loader.ts'
import { type ChoiceSource, Tape } from '../tape/tape.ts'
import type { NotPlayed, Played, SynchronousCall } from '../world/processes/synchronous.ts'
import type { World } from '../world/world.ts'
import { planChoices } from './choice-source.ts'
import { inMacrotask } from './macrotask.ts'

export function play(world: World, loader: Loader, call: SynchronousCall): Promise<Played | NotPlayed> {
  return inMacrotask(() => {
    const moment = (maxUs: number) => world.schedulePoint(maxUs)
    const planned = call.seed === 0 ? undefined : planChoices(withDelays(call.seed), moment, () => {})
    const source: ChoiceSource = (asked) => (asked.kind === CHANCE_SEED.kind ? call.chanceSeed : planned?.source(asked))
    return world.play(new Tape(source), call, () => loader.instantiate())
  })
}
