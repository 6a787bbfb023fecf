import { expect, test } from 'vitest'
import { stepActions } from '../../src/follow/step-actions.ts'
import { machineOf } from '../specification.ts'

const actionsOf = (definitions: string) =>
  stepActions(machineOf(`EXTENDS Integers\nVARIABLES x, y\nInit == x = 0 /\\ y = 0\n${definitions}`).relation)

test.each([
  ["Add(n) == x' = x + n /\\ UNCHANGED y\nNext == \\E n \\in 1..2 : Add(n)", ['Add']],
  [
    "A == x' = 1 /\\ y' = 1\nB == x' = 2 /\\ y' = 2\nSome == A \\/ B\nNext == (x > 0 /\\ Some) \\/ (y > 0 /\\ A)",
    ['A', 'B'],
  ],
  ["Keep == y' = y\nA == x' = 1 /\\ Keep\nNext == A", ['A']],
  ["Keep == y' = y\nA == Keep /\\ x > 3 /\\ x' = 1\nB == IF x > 1 THEN A ELSE A\nNext == [B]_x", ['A']],
  ["A == IF x > 1 THEN x' = 2 /\\ y' = 1 ELSE UNCHANGED <<x, y>>\nNext == LET b == 1 IN A", ['A']],
  ["Next == x' = 1 /\\ y' = 1", ['Next']],
])('%s', (definitions, names) => {
  expect(actionsOf(definitions)).toEqual(names)
})
