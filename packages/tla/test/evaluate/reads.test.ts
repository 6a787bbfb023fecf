import { describe, expect, test } from 'vitest'
import { loadMachine } from '../../src/node/load.ts'

/** The variables that the invariant `I` depends on; `anything` if on more than these. */
function reads(definitions: string, constants = '', more: Readonly<Record<string, string>> = {}): string {
  const machine = loadMachine('Spec.tla', {
    files: {
      ...more,
      'Spec.tla': `---- MODULE Spec ----
EXTENDS Integers, Sequences, TLC
CONSTANTS N, Op(_)
VARIABLES x, y, z
Init == x = 0 /\\ y = 0 /\\ z = 0
Next == UNCHANGED <<x, y, z>>
Plain(n) == n
ReadsY(n) == n + y
AlsoZ == z
${definitions}
====`,
      'Spec.cfg': `INIT Init\nNEXT Next\nINVARIANT I\n${constants === '' ? 'CONSTANT N = 1 Op <- Plain' : constants}`,
    },
    print: () => {},
  })
  return (
    machine.invariants[0]!.reads()
      ?.map((at) => machine.variables[at])
      .join(' ') ?? 'anything'
  )
}

const INNER = '---- MODULE Inner ----\nEXTENDS Naturals\nVARIABLE v\nLow == v < 3\nLowest == Low /\\ v = 0\n===='

describe('the variables that a formula is about', () => {
  test.each([
    ['I == TRUE', ''],
    ['I == z < 3 /\\ x = 0', 'x z'],
    ['Low(v) == v < 3\nI == Low(y)', 'y'],
    ['Deep == LET d == x IN d\nI == \\A n \\in 1..2 : n > Deep', 'x'],
    ['I == [n \\in {y} |-> n][0] = IF x = 1 THEN 1 ELSE 0', 'x y'],
    ['RECURSIVE Down(_)\nDown(n) == IF n = 0 THEN z ELSE Down(n - 1)\nI == Down(2) = 0', 'z'],
    ["Step == x' = x + 1 /\\ UNCHANGED <<y, z>>\nI == ENABLED Step", 'x y z'],
    ['I == Len(<<1>>) = 1 /\\ Assert(z = 0, "no")', 'z'],
    ['I == Op(1) = 1', ''],
    ['I == TLCGet("level") > 0', 'anything'],
    ['Here == PrintT(x)\nI == Here', 'anything'],
    ['I == RandomElement({x}) = 0', 'anything'],
    ['LOCAL INSTANCE IOUtils\nI == IOEnv # x', 'anything'],
  ])('%s', (definitions, expected) => {
    expect(reads(definitions)).toBe(expected)
  })

  test.each([
    ['what an operator of the configuration reads', 'I == Op(1) = 1', 'CONSTANT N = 1 Op <- ReadsY', 'y'],
    ['what replaces a definition', 'I == Plain(1) = 1', 'CONSTANT N = 1 Op <- Plain Plain <- ReadsY', 'y'],
    ['what replaces a constant definition', 'Low == 0\nI == Low = 0', 'CONSTANT N = 1 Low <- AlsoZ Op <- Plain', 'z'],
  ])('counts %s', (_, definitions, constants, expected) => {
    expect(reads(definitions, constants)).toBe(expected)
  })

  test.each([
    ['Q == INSTANCE Inner WITH v <- y\nI == Q!Lowest', 'y'],
    ['Q(p) == INSTANCE Inner WITH v <- p\nI == Q(x + z)!Low', 'x z'],
    ['INSTANCE Inner WITH v <- x\nI == Lowest', 'x'],
  ])('through instances: %s', (definitions, expected) => {
    expect(reads(definitions, '', { 'Inner.tla': INNER })).toBe(expected)
  })
})
