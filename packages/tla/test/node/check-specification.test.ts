/** Checking from code: the same run as that of the command, as data. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { checkSpecification, TlaError } from '../../src/node/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'norn-check-'))
afterAll(() => rmSync(folder, { recursive: true }))

function specification(name: string, text: string): string {
  writeFileSync(join(folder, `${name}.tla`), `---- MODULE ${name} ----\nEXTENDS Naturals, TLC\n${text}\n====\n`)
  return join(folder, `${name}.tla`)
}

const COUNTER = `CONSTANT N
VARIABLE x
Init == x = 0
Add(n) == x + n <= N /\\ x' = x + n
Next == \\E n \\in 1..2 : Add(n)
Small == x <= 2
Said == PrintT(x)`
const RELATION = 'INIT Init NEXT Next CONSTANT N = 4'

describe('checkSpecification', () => {
  test('gives the counts of what passed', () => {
    const checked = checkSpecification(new URL('../../../../models/TwoPhaseCommit.tla', import.meta.url))
    expect(checked).toMatchObject({ result: 'passed', unchecked: [], neverEnabled: [] })
    expect(checked.text).toBe(`no error in ${checked.distinct} distinct states`)
  })

  test('gives the behaviour that leads to a false invariant, and why it is false', () => {
    const path = specification('Counter', COUNTER)
    const configuration = { text: `${RELATION} INVARIANT Small` }
    const checked = checkSpecification(pathToFileURL(path), { configuration, coverage: true })
    expect(checked).toMatchObject({
      result: 'invariant',
      name: 'Small',
      conjunct: 'x <= 2',
      values: { x: '3' },
      coverage: [{ action: 'Add', taken: 4, found: 3 }],
    })
    expect(checked.behaviour?.map(({ call, state }) => [call, state])).toEqual([
      [undefined, { x: 0 }],
      ['Add(1)', { x: 1 }],
      ['Add(2)', { x: 3 }],
    ])
    expect(checked.text).toContain('the invariant Small is false in the last of these states')
    expect(checked.text).toContain('State 3: <Add(2) line 6')
  })

  test('ends at a deadlock unless behaviours may end', () => {
    const path = specification('Ending', COUNTER)
    const configuration = { text: RELATION }
    expect(checkSpecification(path, { configuration }).result).toBe('deadlock')
    expect(checkSpecification(path, { configuration, deadlock: false })).toMatchObject({
      result: 'passed',
      distinct: 5,
    })
  })

  test('stops at a bound', () => {
    const path = specification('Bounded', COUNTER)
    const configuration = { text: RELATION }
    expect(checkSpecification(path, { configuration, states: 2 })).toMatchObject({ result: 'bound', bound: 'states' })
    expect(checkSpecification(path, { configuration, simulate: 3, depth: 2 })).toMatchObject({
      result: 'passed',
      behaviours: 3,
    })
    expect(() => checkSpecification(path, { configuration, states: 0 })).toThrow(
      'checkSpecification: expected `states` to be a number above 0, found 0',
    )
  })

  test('hands over what the specification prints, once', () => {
    const path = specification('Printing', COUNTER)
    const printed: string[] = []
    const configuration = { text: `${RELATION} INVARIANT Said` }
    checkSpecification(path, { configuration, deadlock: false, print: (lines) => printed.push(lines) })
    expect(printed).toEqual(['0', '1', '2', '3', '4'])
  })

  test('refuses a configuration that does not say how behaviours go on, instead of finding deadlocks', () => {
    const path = specification('Halfway', COUNTER)
    expect(() => checkSpecification(path, { configuration: { text: 'INIT Init CONSTANT N = 1' } })).toThrow(
      'names no NEXT, the next-state relation',
    )
    expect(() => checkSpecification(path)).toThrow('names neither SPECIFICATION nor INIT and NEXT')
  })

  test('refuses formulas that are about no state where only some about states make sense', () => {
    const path = specification('Constants', `${COUNTER}\nNever == N > 9\nSizes == {N, 1}\nAlways == N < 9`)
    const refusal = (text: string) => {
      try {
        return checkSpecification(path, { configuration: { text: `${text} CONSTANT N = 4` }, deadlock: false }).result
      } catch (error) {
        return (error as Error).message
      }
    }
    expect(refusal('INIT Always NEXT Next')).toContain(
      '`Always` reads no variable, so it cannot give the variables their',
    )
    expect(refusal('INIT Init NEXT Never')).toContain(
      '`Never` reads no variable, so it cannot give the variables their',
    )
    expect(refusal('INIT Init NEXT Never CONSTANT Never <- Next')).toBe('passed')
    expect(refusal('INIT Init NEXT Next CONSTRAINT Never')).toContain('`Never` is FALSE in every state')
    expect(refusal('INIT Init NEXT Next ACTION_CONSTRAINT Never')).toContain('`Never` is FALSE in every state')
    expect(refusal('INIT Init NEXT Next INVARIANT Sizes')).toContain(
      '`Sizes` is the set {1, 4}: expected TRUE or FALSE',
    )
    expect(refusal('INIT Init NEXT Next CONSTRAINT Always ACTION_CONSTRAINT Always')).toBe('passed')
  })

  test('reads files with byte order marks', () => {
    const path = specification('Marked', COUNTER)
    writeFileSync(path, `\ufeff${readFileSync(path, 'utf8')}`)
    writeFileSync(join(folder, 'Marked.cfg'), `\ufeff${RELATION}`)
    expect(checkSpecification(path, { deadlock: false }).distinct).toBe(5)
  })

  test('throws what is wrong with a specification, with its place', () => {
    const path = specification('Wrong', 'VARIABLE x\nInit == x = y\nNext == x')
    const check = () => checkSpecification(path, { configuration: { text: RELATION } })
    expect(check).toThrow(/Wrong\.tla:4:13: .*`y`[\s\S]*Init == x = y/)
    try {
      check()
    } catch (error) {
      expect((error as Error).cause).toBeInstanceOf(TlaError)
    }
  })
  test('shows no character that a terminal would obey', () => {
    const path = join(folder, 'Binary.tla')
    writeFileSync(path, '\u001b]0;title\u0007\u0000\ufeff\u202e text')
    const check = () => checkSpecification(path, { configuration: { text: RELATION } })
    expect(check).toThrow('    1 | \ufffd]0;title\ufffd\ufffd\ufffd\ufffd text')
  })
})
