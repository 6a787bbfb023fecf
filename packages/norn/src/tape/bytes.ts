/**
 * A tape from bytes, so that other fuzzers (AFL, Jazzer.js, libFuzzer) can drive norn's generators
 * and schedules.
 *
 * The input is read from the front, the schedule and the faults from the back, so that they do not
 * shift each other (as in libFuzzer's FuzzedDataProvider). The tape ends when the two meet.
 *
 * A choice takes as few bytes as its range needs, little-endian, as an offset from the simplest
 * value that wraps at the upper bound. So zero bytes are the simplest choices, every value can be
 * reached, neighbours stay neighbours, and the range of 32-bit integers reads as two's complement.
 * A choice with a single value takes no byte, nor do an omission, which only shrinking proposes,
 * and a choice that is drawn rarely.
 */
import { simplestValue } from '../contract/choice.ts'
import type { ChoiceSource } from './tape.ts'

/**
 * @param onEnd called once, when a choice takes the last byte or finds none
 */
export function bytesSource(bytes: Uint8Array, onEnd: () => void): ChoiceSource {
  let [front, back] = [0, bytes.length]
  let ended = false
  const next = (fromFront: boolean): number => (fromFront ? bytes[front++]! : bytes[--back]!)
  return ({ lane, kind, min, max, isRare }) => {
    if (kind === 'omission' || isRare) return undefined
    const size = bytesFor(min, max)
    let value: number | bigint | undefined
    if (size > 0 && front < back) {
      let offset = 0n
      for (let at = 0; at < size && front < back; at++) offset |= BigInt(next(lane === 'input')) << BigInt(8 * at)
      value = counted(offset, min, max)
    }
    if (front >= back && !ended) {
      ended = true
      onEnd()
    }
    return value
  }
}

export function bytesFor(min: number | bigint, max: number | bigint): number {
  const width = BigInt(max) - BigInt(min)
  return width === 0n ? 0 : Math.ceil(width.toString(16).length / 2)
}

function counted(offset: bigint, min: number | bigint, max: number | bigint): number | bigint {
  const low = BigInt(min)
  const simplest = BigInt(simplestValue(min, max))
  const value = low + ((simplest - low + offset) % (BigInt(max) - low + 1n))
  return typeof min === 'bigint' ? value : Number(value)
}
