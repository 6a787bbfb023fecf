/**
 * The distance of a comparison from equality: a gradient for the search, where a branch has only
 * two outcomes.
 *
 * Of numbers: their difference. Of strings: the length after the common prefix, plus a fraction for
 * the distance of the first characters that differ, so that each character is progress (after
 * AFL++'s CmpLog and libFuzzer's value profile, which count equal bytes). Other operands have no
 * distance.
 */
import type { ComparisonKind, Operand } from '../../contract/observation.ts'

/** The largest product of lengths in which `contains` searches all positions. */
const MAX_SEARCH = 1 << 14

/** @returns 0 for equal operands; undefined if they have no distance */
export function distance(kind: ComparisonKind, left: Operand, right: Operand): number | undefined {
  if (typeof left === 'string' && typeof right === 'string') return textDistance(kind, left, right)
  if (typeof left === 'number' && typeof right === 'number') {
    const apart = Math.abs(left - right)
    return left === right ? 0 : Number.isNaN(apart) ? undefined : apart
  }
  if (typeof left === 'bigint' && typeof right === 'bigint') return apartBy(left, right)
  if (!isNumeric(left) || !isNumeric(right)) return undefined
  // Differences of large integers exceed the precision of doubles.
  const isWhole = [left, right].every((each) => typeof each === 'bigint' || Number.isInteger(each))
  return isWhole ? apartBy(BigInt(left), BigInt(right)) : Math.abs(Number(left) - Number(right))
}

function apartBy(left: bigint, right: bigint): number {
  return Number(left < right ? right - left : left - right)
}

function isNumeric(operand: Operand): operand is number | bigint {
  return typeof operand === 'bigint' || (typeof operand === 'number' && Number.isFinite(operand))
}

function textDistance(kind: ComparisonKind, left: string, right: string): number {
  switch (kind) {
    case 'prefix':
      return behindPrefix(left, right, 0, right.length)
    case 'suffix':
      return behindPrefix(left, right, Math.max(0, left.length - right.length), right.length)
    case 'contains': {
      if (left.length * right.length > MAX_SEARCH) return left.includes(right) ? 0 : right.length
      let least = right.length
      for (let from = 0; from <= left.length - 1 && least > 0; from++) {
        least = Math.min(least, behindPrefix(left, right, from, right.length))
      }
      return least
    }
    default:
      return behindPrefix(left, right, 0, Math.max(left.length, right.length))
  }
}

/**
 * The rest of `length` characters after the common prefix of `right` and of `left` from an index
 * on.
 */
function behindPrefix(left: string, right: string, from: number, length: number): number {
  let common = 0
  while (
    common < length &&
    from + common < left.length &&
    left.charCodeAt(from + common) === right.charCodeAt(common)
  ) {
    common++
  }
  if (common >= length) return 0
  const apart = Math.abs(left.charCodeAt(from + common) - right.charCodeAt(common))
  return length - common - 1 + (Number.isNaN(apart) ? 0.999 : 0.001 + 0.997 * Math.min(1, apart / 128))
}
