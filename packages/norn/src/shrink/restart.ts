/**
 * Searches for the same failure again, on short tapes, shrinks what it finds and keeps the simplest.
 *
 * A minimum of the passes need not be the simplest failure: an input that needs fewer delays, or a
 * shorter input of another form, may exist that no sequence of passes reaches. The executions tried
 * do not depend on the failure that was found, so different failures of one cause come to one
 * minimum. The search ends after a few restarts without a simpler one; sooner if they end at the very
 * minimum there was.
 */
import { isSimplest } from '../contract/choice.ts'
import type { Executor } from '../contract/execution.ts'
import { fingerprint } from '../contract/fingerprint.ts'
import { type InputPlan, NO_ESTIMATES } from '../contract/plan.ts'
import { SCHEDULES_PER_INPUT } from '../tape/name.ts'
import type { Failing, Shrinker } from './shrinker.ts'

/** Bounds on the fresh executions and on one restart. */
const MAX_FRESH = 400
const RESTART_EXECUTIONS = 400
/** Restarts in a row that find nothing simpler, and those of them that end at the known minimum. */
const MAX_BARREN = 2
const MAX_AGREEING = 2
/** Where more delays than these are left, a restart that does as well gets twice its bound. */
const FEW_DELAYS = 2
/** The longest input that is shrunk, relative to that of the best. */
const MAX_LONGER = 1.5
/** Lengths of the tapes, in choices. */
const SHORT_TAPES = [16, 32, 64, 128]

export interface FreshSearch {
  readonly executor: Executor
  readonly input: InputPlan
  readonly expired: () => boolean
  readonly maxRestarts: number
  /** Executions of `shrinker` at most, those of restarts included. */
  readonly limit: number
}

/** Returns whether the best of `shrinker` is complete, if it is another than before. */
export async function restart(
  shrinker: Shrinker,
  { executor, input, expired, maxRestarts, limit }: FreshSearch,
  converges: (shrinker: Shrinker) => Promise<boolean>,
  startOver: (other: Failing, limit: number) => Shrinker,
): Promise<boolean | undefined> {
  const sought = fingerprint(shrinker.best.failure!)
  const hasInput = shrinker.best.choices.input.length > 0
  let complete: boolean | undefined
  let [fresh, begun, barren, agreeing] = [0, 0, 0, 0]
  const isOver = () =>
    Math.max(fresh / MAX_FRESH, begun / maxRestarts, barren / MAX_BARREN, agreeing / MAX_AGREEING) >= 1 ||
    shrinker.executions >= limit ||
    expired()
  for (let tape = 0; maxRestarts > 0 && !isOver(); tape++) {
    // Without an input all default schedules are one, and a single delay cannot become fewer.
    const delayed = shrinker.nonSimplest > (hasInput ? 0 : 1) ? (['random'] as const) : []
    const strategies = hasInput ? (['natural', ...delayed] as const) : delayed
    if (strategies.length === 0 || isSimplestOfAll(shrinker)) break
    for (const strategy of strategies) {
      const name = { length: SHORT_TAPES[tape % SHORT_TAPES.length]!, seed: tape * SCHEDULES_PER_INPUT + 1 }
      const choices = { from: 'strategy', strategy, name, estimates: NO_ESTIMATES } as const
      const result = await executor.execute({ input, choices })
      fresh++
      shrinker.executions++
      if (result.verdict !== 'failed' || fingerprint(result.failure!) !== sought) continue
      const failing = result as Failing
      if (!shrinker.adopts(failing)) {
        if (isTooLong(failing, shrinker)) continue
        begun++
        const other = startOver(failing, Math.min(RESTART_EXECUTIONS, limit - shrinker.executions))
        const isDone = await converges(other)
        if (!isDone && shrinker.nonSimplest > FEW_DELAYS && other.nonSimplest <= shrinker.nonSimplest) {
          other.limit = Math.min(2 * RESTART_EXECUTIONS, limit - shrinker.executions)
          await converges(other)
        }
        shrinker.executions += other.executions
        if (!shrinker.adopts(other.best)) {
          barren++
          if (other.isKnown) agreeing++
          break
        }
      }
      complete = await converges(shrinker)
      barren = agreeing = 0
      break
    }
  }
  return complete
}

/** Where both need no delay, a longer input seldom shrinks to a simpler one. */
function isTooLong({ choices }: Failing, { nonSimplest, best }: Shrinker): boolean {
  return nonSimplest === 0 && choices.input.length > MAX_LONGER * best.choices.input.length
}

function isSimplestOfAll({ nonSimplest, best }: Shrinker): boolean {
  return nonSimplest === 0 && best.choices.input.every(isSimplest)
}
