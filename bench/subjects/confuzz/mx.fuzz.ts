// MX, the motivating example of ConFuzz
//
// The race: three tasks pause and then change x, each in its own way; x must not end as 0.
//
// Input: where x begins, within a million of 0. Of all inputs and orders four pairs fail: -68 if 2 is taken away and
// 70 added (in either order) before x is multiplied, and -17 if x is multiplied before either. Zero input: passes in
// every order.
import assert from 'node:assert/strict'
import { fc } from 'norn'
import { subject } from './subject.ts'

subject('MX: x does not end as 0', {
  inputs: { i: fc.integer({ min: -1_000_000, max: 1_000_000 }) },
  example: { i: 7 },
  async body({ i }, { pause }) {
    let x = i
    const subtract = async () => {
      await pause()
      x -= 2
    }
    const multiply = async () => {
      await pause()
      x *= 4
    }
    const add = async () => {
      await pause()
      x += 70
    }
    await Promise.all([subtract(), multiply(), add()])
    assert.ok(x !== 0, `x ends as 0, from ${i}`)
  },
})
