import { describe, expect, test } from 'vitest'
import { fromData } from '../../src/follow/from-data.ts'
import { changes } from '../../src/validate/changes.ts'
import type { Canonical } from '../../src/values/value.ts'
import { handMade } from '../follow/hand-made.ts'

const machine = handMade({ initial: [{ x: 0 }], modelValues: ['n1', 'n2'], actions: {} })
const value = (data: unknown) => fromData(machine, data, 'it') as Canonical
const { arena } = machine
const change = (before: unknown, after: unknown) =>
  changes(['x'], arena.tuple([value(before)]), arena.tuple([value(after)]))
const bag = (...pairs: readonly (readonly [string, number])[]) => ({ $function: pairs })

describe('what differs between two states', () => {
  test.each([
    [3, 3, []],
    [3, 4, ['x: 3 → 4']],
    [{ $set: [1, 2] }, { $set: [2, 3] }, ['x: − 1, + 3']],
    [[1], [1, 2, 3], ['x: + 2, 3 at the end']],
    [[1, 2], [1], ['x: <<1, 2>> → <<1>>']],
    [[1, 2], [1, 3], ['x[2]: 2 → 3']],
    [[1, 2], [2, 2, 2], ['x: <<1, 2>> → <<2, 2, 2>>']],
    [{ a: { b: 1, c: 1 } }, { a: { b: 2, c: 1 } }, ['x.a.b: 1 → 2']],
    [{ '10.0.0.1': 1 }, { '10.0.0.1': 2 }, ['x["10.0.0.1"]: 1 → 2']],
    [{ a: 1 }, { b: 1 }, ['x: − "a", + "b" :> 1']],
    [bag(['n1', 1]), bag(['n1', 2]), ['x[n1]: 1 → 2']],
    [bag(['n1', 1]), bag(['n1', 2], ['n2', 1]), ['x: + n2 :> 1', 'x[n1]: 1 → 2']],
    [bag(['n1', 1]), bag(['n2', 1]), ['x: − n1, + n2 :> 1']],
    [[], bag(['n1', 1]), ['x: + n1 :> 1']],
    [bag(['n1', 1]), [], ['x: − n1']],
    [bag(['n1', 1]), [2], ['x: (n1 :> 1) → <<2>>']],
    [bag(['n1', 1]), { $set: [1] }, ['x: (n1 :> 1) → {1}']],
  ])('from %j to %j', (before, after, expected) => {
    expect(change(before, after)).toEqual(expected)
  })
})
