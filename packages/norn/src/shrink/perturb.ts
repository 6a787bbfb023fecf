/**
 * Pass: changes several choices of the input at random, such that the result is simpler in any case:
 * deletes a part and changes others, or lowers a choice and changes later ones.
 *
 * The other passes change one relation at a time. Where two parts have to change together, in a way
 * that no pass knows, they stop at a minimum of their own. The pseudo-random sequence is fixed.
 */
import { type Choice, isSimplest, ofRank, rank } from '../contract/choice.ts'
import { type Chance, chance } from '../tape/chance.ts'
import { withoutRun } from './delete.ts'
import type { Shrinker } from './shrinker.ts'
import { rankOf } from './simplicity.ts'
import { siblings } from './span-tree.ts'
import { withValue } from './values.ts'

/** Executions for each choice of the input, and at most. */
const EXECUTIONS_PER_CHOICE = 24
const MAX_EXECUTIONS = 600
/** Siblings deleted at once. */
const MAX_RUN = 2
/** By what delays grow. */
const FACTORS = [1n, 1n, 2n, 8n]
/** Choices changed beside the part deleted or the choice lowered. */
const MAX_CHANGED = 3

export async function perturb(shrinker: Shrinker): Promise<void> {
  const draws = chance(0x70657274)
  const bound = Math.min(MAX_EXECUTIONS, EXECUTIONS_PER_CHOICE * shrinker.choices.input.length)
  let end = shrinker.executions + bound
  // Many attempts repeat another one, which costs nothing.
  for (let count = 0; count < bound && shrinker.executions < end && !shrinker.exhausted; count++) {
    if (shrinker.choices.input.every(isSimplest)) return
    const { improvements } = shrinker
    const candidate = draws.coin(0.5) ? without(shrinker, draws) : lowered(shrinker, draws)
    if (candidate !== undefined) await shrinker.acceptsInput(candidate, { schedule: delays(shrinker, draws) })
    if (shrinker.improvements === improvements) continue
    end = shrinker.executions + bound
    count = 0
  }
}

/** The delays, longer ones, or a single one of any operation. */
function delays({ choices: { schedule }, best }: Shrinker, draws: Chance): readonly Choice[] {
  const points = best.choices.schedule.filter(({ kind }) => kind === 'latency')
  if (schedule.length > 0 && points.length > 0 && draws.coin(0.5)) {
    const point = points[draws.integer(0, points.length - 1)]!
    return [withValue(point, BigInt(Math.floor(Number(point.max) ** draws.unit())))]
  }
  const factor = FACTORS[draws.integer(0, FACTORS.length - 1)]!
  const times = (choice: Choice) => withValue(choice, BigInt(choice.value) * factor)
  return factor === 1n ? schedule : schedule.map((choice) => (choice.kind === 'latency' ? times(choice) : choice))
}

function without(shrinker: Shrinker, draws: Chance): readonly Choice[] | undefined {
  const groups = siblings(shrinker.spans).map(({ members }) => members)
  if (groups.length === 0) return undefined
  const group = groups[draws.integer(0, groups.length - 1)]!
  const start = draws.integer(0, group.length - 1)
  const [shorter] = withoutRun(shrinker, group.slice(start, start + draws.integer(1, MAX_RUN)))
  return changed(shorter!, 0, draws)
}

function lowered({ choices: { input } }: Shrinker, draws: Chance): readonly Choice[] | undefined {
  const places = [...input.keys()].filter((at) => !isSimplest(input[at]!))
  if (places.length === 0) return undefined
  const at = places[draws.integer(0, places.length - 1)]!
  const choice = input[at]!
  const lower = withRank(choice, draws.bigint(0n, rankOf(choice) - 1n))
  return changed(input.with(at, lower), at + 1, draws)
}

/** Changes a few of the choices from an index on, or all of them to small values. */
function changed(input: readonly Choice[], from: number, draws: Chance): readonly Choice[] {
  if (from >= input.length) return input
  if (draws.coin(0.5)) return input.map((choice, at) => (at < from ? choice : withRank(choice, smallRank(draws))))
  const result = [...input]
  for (let left = draws.integer(0, MAX_CHANGED); left > 0; left--) {
    const at = draws.integer(from, input.length - 1)
    const choice = result[at]!
    result[at] = draws.coin(0.5)
      ? withRank(choice, smallRank(draws))
      : withRank(choice, draws.bigint(0n, rank(choice.min, choice.max, choice.max)))
  }
  return result
}

/** Half of the ranks are 0, a quarter 1, and so on. */
function smallRank(draws: Chance): bigint {
  return BigInt(Math.clz32(draws.bits() | 1))
}

function withRank(choice: Choice, rank: bigint): Choice {
  return { ...choice, value: ofRank(choice.min, choice.max, rank) }
}
