/** Pass: lowers each value towards the simplest of its range, by binary search on the distance. */
import { type Choice, isSimplest, type Lane, simplestValue } from '../contract/choice.ts'
import type { Choices } from '../contract/choices.ts'
import type { Shrinker } from './shrinker.ts'

export async function lowerValues(shrinker: Shrinker, lane: Lane): Promise<void> {
  for (let index = 0; !shrinker.exhausted && index < shrinker.choices[lane].length; index++) {
    const choice = shrinker.choices[lane][index]!
    if (isSimplest(choice)) continue
    const simplest = BigInt(simplestValue(choice.min, choice.max))
    const toValue = (value: bigint) => (typeof choice.value === 'bigint' ? value : Number(value))
    const at = (value: bigint) => replaceAt(shrinker.choices, lane, choice.label, index, toValue(value))
    if (await shrinker.accepts(at(simplest))) continue
    // The positive counterpart of a negative number is simpler.
    const mirrored = 2n * simplest - BigInt(choice.value)
    if (BigInt(choice.value) < simplest && mirrored <= BigInt(choice.max)) await shrinker.accepts(at(mirrored))
    let bad = 0n
    const sign = valueAt(shrinker.choices, lane, choice.label, index, simplest) < simplest ? -1n : 1n
    let good = sign * (valueAt(shrinker.choices, lane, choice.label, index, simplest) - simplest)
    while (good - bad > 1n) {
      const middle = (good + bad) / 2n
      if (await shrinker.accepts(at(simplest + sign * middle))) good = middle
      else bad = middle
    }
  }
}

/** The input replays by position, the other lanes by label. */
function matches(lane: Lane, label: string, index: number): (choice: Choice, at: number) => boolean {
  return (choice, at) => (lane === 'input' ? at === index : choice.label === label)
}

function replaceAt(choices: Choices, lane: Lane, label: string, index: number, value: number | bigint): Choices {
  const isIt = matches(lane, label, index)
  return { ...choices, [lane]: choices[lane].map((choice, at) => (isIt(choice, at) ? { ...choice, value } : choice)) }
}

function valueAt(choices: Choices, lane: Lane, label: string, index: number, otherwise: bigint): bigint {
  const found = choices[lane].find(matches(lane, label, index))
  return found === undefined ? otherwise : BigInt(found.value)
}
