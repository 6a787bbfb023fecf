// The needle of "Combining AFL and QuickCheck"
//
// No race: an array of exactly four integers, each with its low sixteen bits all set. Each integer
// is looked at bit by bit up to the first that is zero, and the next one only if there is none: at
// the right length one array in 2 ^ 64 fails.
//
// Input: integers. Zero input: none.
import assert from 'node:assert/strict'
import { fc } from 'norn'
import { subject } from './subject.ts'

const BITS = 16

function allSet(number: number): boolean {
  for (let bit = 0; bit < BITS; bit++) {
    if ((number & (1 << bit)) === 0) return false
  }
  return true
}

/** How far the numbers get. */
function depth(numbers: readonly number[]): number {
  if (numbers.length !== 4) return 0
  if (allSet(numbers[0]!)) {
    if (allSet(numbers[1]!)) {
      if (allSet(numbers[2]!)) {
        if (allSet(numbers[3]!)) return 5
        return 4
      }
      return 3
    }
    return 2
  }
  return 1
}

subject('needle: nobody gets through', {
  inputs: { numbers: fc.array(fc.integer()) },
  example: { numbers: [1, 2, 3, 4] },
  body({ numbers }) {
    assert.ok(depth(numbers) !== 5, 'somebody gets through')
  },
})
