/**
 * How far a comparison is from coming out equal: what a search can climb down, where a branch only
 * says yes or no.
 *
 * Numbers by their difference. Texts by what is left after the common prefix, and, within less than
 * one, by how far the first characters that differ are apart: so a text that grows right from its
 * beginning is progress at each character (after AFL++'s CmpLog and libFuzzer's value profile,
 * which count equal bytes). What has no such measure (an object, operands of two kinds) has no
 * distance.
 */
import type { ComparisonKind, Operand } from '../../contract/observation.ts'

/** Longest texts that a part is looked for in, by the product of the lengths. */
const MAX_SEARCH = 1 << 14

/** @returns 0 where the operands are equal; undefined where there is no measure */
export function distance(kind: ComparisonKind, left: Operand, right: Operand): number | undefined {
  if (typeof left === 'string' && typeof right === 'string') return textDistance(kind, left, right)
  if (typeof left === 'number' && typeof right === 'number') {
    const apart = Math.abs(left - right)
    return left === right ? 0 : Number.isNaN(apart) ? undefined : apart
  }
  if (typeof left === 'bigint' && typeof right === 'bigint') return apartBy(left, right)
  if (!isNumeric(left) || !isNumeric(right)) return undefined
  // Large ones are apart by less than doubles can tell, and those are all whole.
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
 * What is left of `length` characters behind those in which `left`, from a place on, begins like
 * `right`.
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
