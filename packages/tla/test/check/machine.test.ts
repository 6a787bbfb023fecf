/** What checking relies on in the machine of a real specification. */
import { describe, expect, it } from 'vitest'
import { Exploration } from '../../src/check/explore.ts'
import type { Outcome } from '../../src/check/outcome.ts'
import { loadMachine } from '../../src/node/load.ts'
import { printValue } from '../../src/values/print.ts'

interface Checked {
  readonly outcome: Outcome
  readonly distinct: number
  readonly printed: readonly string[]
}

/** @param modules by name, the first the root; without their first and last lines */
function checked(modules: Readonly<Record<string, string>>, configuration: string, seed = 0): Checked {
  const [root = ''] = Object.keys(modules)
  const files: Record<string, string> = { [`${root}.cfg`]: configuration }
  for (const [name, text] of Object.entries(modules)) files[`${name}.tla`] = `---- MODULE ${name} ----\n${text}\n====\n`
  const printed: string[] = []
  const print = (line: string) => void printed.push(line)
  const machine = loadMachine(`${root}.tla`, { files, configuration: `${root}.cfg`, seed, print })
  const outcome = new Exploration(machine, { deadlock: true }).run()
  return { outcome, distinct: machine.surroundings.progress.distinct, printed }
}

describe('the machine that is checked', () => {
  it('evaluates what an instance substitutes anew in each state', () => {
    const inner =
      'VARIABLE b\nNext == (b = "p" /\\ b\' = "q") \\/ (b = "q" /\\ b\' = "p")\nSpec == b = "p" /\\ [][Next]_b'
    const outer = `EXTENDS Naturals
VARIABLE x
I == INSTANCE Inner WITH b <- IF x = 0 THEN "p" ELSE "q"
Refined == I!Spec
Init == x = 0
Next == x' = 1 - x`
    const modules = { Outer: outer, Inner: inner }
    expect(checked(modules, 'INIT Init NEXT Next PROPERTY Refined').outcome.kind).toBe('passed')
    const broken = { Outer: outer.replace('IF x = 0', 'IF x = 1'), Inner: inner }
    expect(checked(broken, 'INIT Init NEXT Next PROPERTY Refined').outcome).toMatchObject({ kind: 'property' })
  })

  it('does once what a constant definition does: it prints, and draws at random, once for all', () => {
    const text = String.raw`EXTENDS Naturals, TLC, FiniteSets
VARIABLE x
Said == PrintT("said")
Drawn == RandomElement(SUBSET (1..20))
Init == x = Drawn
Next == Said /\ x' = Drawn \cup {21 + (Cardinality(x) % 2)}
Inv == Said /\ Drawn \subseteq x`
    const { outcome, printed } = checked({ Draws: text }, 'INIT Init NEXT Next INVARIANT Inv')
    expect(outcome.kind).toBe('passed')
    expect(printed).toEqual(['"said"'])
  })

  it('reads registers whenever it is asked', () => {
    const text = `EXTENDS Naturals, TLC
VARIABLE x
Shallow == TLCGet("level") < 3
Init == x = 0
Next == x' = x + 1`
    expect(checked({ Deep: text }, 'INIT Init NEXT Next CONSTRAINT Shallow')).toMatchObject({
      outcome: { kind: 'passed' },
      distinct: 2,
    })
  })

  it('says why an alias fails, in the states where it does', () => {
    const text = String.raw`EXTENDS Integers
VARIABLE x
Init == x = 0
Next == x' = x + 1
Inv == x < 2
Alias == [half |-> 4 \div (1 - x)]`
    const { outcome } = checked({ Fails: text }, 'INIT Init NEXT Next INVARIANT Inv ALIAS Alias')
    if (outcome.kind !== 'invariant') throw new Error(outcome.kind)
    expect(outcome.behaviour.map(({ alias }) => alias && printValue(alias))).toEqual([
      '[half |-> 4]',
      '[_ALIASEvalError |-> "Fails.tla:7:20: division by zero: 4 \\\\div 0", x |-> 1]',
      '[half |-> -4]',
    ])
  })

  it('gives a definition as it was to what replaces it', () => {
    const base =
      "EXTENDS Naturals\nVARIABLE x\nMay(n) == n < 2\nInit == x = 0\nNext == x' = IF May(x) THEN x + 1 ELSE x"
    const root = String.raw`EXTENDS Base
MayMore(n) == LET B == INSTANCE Base IN B!May(n) \/ n = 2`
    expect(checked({ Root: root, Base: base }, 'INIT Init NEXT Next CONSTANT May <- MayMore')).toMatchObject({
      outcome: { kind: 'passed' },
      distinct: 4,
    })
  })
})
