/**
 * A tape out of a slice of bytes: so that other fuzzers (AFL, Jazzer.js, libFuzzer) can drive
 * norn's generators and schedules, and mutate them in a way that means something.
 *
 * The input is read from the front of the slice and the schedule, faults included, from its back,
 * as libFuzzer's FuzzedDataProvider keeps integers apart from the rest: what one of them reads does
 * not shift the other. The slice has run out when they meet.
 *
 * A choice takes as few bytes as its range fits into, the lowest first, and counts from the natural
 * value upwards; past the largest value of the range it goes on at the smallest. So zero bytes are
 * natural, every value can be reached, neighbours stay neighbours, and a range of all 32-bit
 * integers is read as two's complement, which is what a fuzzer writes there that has seen a
 * comparison. A choice that may be one value only takes none.
 */
import { simplestValue } from '../contract/choice.ts'
import type { ChoiceSource } from './tape.ts'

/**
 * @param onEnd called once, with the choice that took the last byte, or at the first choice that
 *   finds none
 */
export function bytesSource(bytes: Uint8Array, onEnd: () => void): ChoiceSource {
  let [front, back] = [0, bytes.length]
  let ended = false
  const next = (fromFront: boolean): number => (fromFront ? bytes[front++]! : bytes[--back]!)
  return ({ lane, min, max }) => {
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

/** How many bytes a choice of this range takes. */
export function bytesFor(min: number | bigint, max: number | bigint): number {
  const width = BigInt(max) - BigInt(min)
  return width === 0n ? 0 : Math.ceil(width.toString(16).length / 2)
}

function counted(offset: bigint, min: number | bigint, max: number | bigint): number | bigint {
  const low = BigInt(min)
  const natural = BigInt(simplestValue(min, max))
  const value = low + ((natural - low + offset) % (BigInt(max) - low + 1n))
  return typeof min === 'bigint' ? value : Number(value)
}
