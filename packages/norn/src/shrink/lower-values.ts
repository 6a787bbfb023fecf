/**
 * Pass: brings each value as near to natural as it goes, by binary search on the distance.
 */
import { type Choice, isSimplest, type Lane, simplestValue } from '../contract/choice.ts'
import type { Choices } from '../contract/choices.ts'
import type { Search } from './search.ts'

export async function lowerValues(search: Search, lane: Lane): Promise<void> {
  for (let index = 0; index < search.choices[lane].length; index++) {
    const choice = search.choices[lane][index]!
    if (isSimplest(choice)) continue
    const natural = BigInt(simplestValue(choice.min, choice.max))
    const toValue = (value: bigint) => (typeof choice.value === 'bigint' ? value : Number(value))
    const at = (value: bigint) => replaceAt(search.choices, lane, choice.label, index, toValue(value))
    if (await search.accepts(at(natural))) continue
    // A negative number may do as well as its positive twin.
    const mirrored = 2n * natural - BigInt(choice.value)
    if (BigInt(choice.value) < natural && mirrored <= BigInt(choice.max)) await search.accepts(at(mirrored))
    let bad = 0n
    const sign = valueAt(search.choices, lane, choice.label, index, natural) < natural ? -1n : 1n
    let good = sign * (valueAt(search.choices, lane, choice.label, index, natural) - natural)
    while (good - bad > 1n) {
      const middle = (good + bad) / 2n
      if (await search.accepts(at(natural + sign * middle))) good = middle
      else bad = middle
    }
  }
}

/** The input keeps positions, the other lanes labels. */
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
