import { describe, expect, it } from 'vitest'
import type { Operation } from '../../src/history/operation.ts'
import { checkLinearizable } from '../../src/linearizability/check.ts'
import { MODELS } from '../../src/models/catalogue.ts'
import type { ModelName } from '../../src/models/inputs.ts'
import { hasOrder } from './brute-force.ts'
import { randomHistory } from './random-histories.ts'

const NAMES = Object.keys(MODELS) as ModelName[]

/** Operations one after the other, by processes 0, 1, ..., in the lines of a file. */
function oneByOne(operations: readonly { input: unknown; output?: unknown }[]): Operation[] {
  return operations.map(({ input, output = null }, nth) => ({
    process: nth,
    input,
    output,
    outcome: 'ok',
    call: 2 * nth,
    return: 2 * nth + 1,
    line: 2 * nth + 1,
    returnLine: 2 * nth + 2,
  }))
}

const write = (value: unknown) => ({ input: { f: 'write', value } })
const read = (output: unknown) => ({ input: { f: 'read' }, output })

describe('the window of an illegal history', () => {
  it('has a stale read and what it missed, in words', () => {
    const operations = oneByOne([write(1), read(1), write(2), read(2), write(3), read(2), read(3)])
    const result = checkLinearizable({ operations }, MODELS.register)
    expect(result).toMatchObject({
      verdict: 'illegal',
      window: { from: 8, to: 11, operations: [4, 5] },
      longest: [[0, 1, 2, 3, 4]],
    })
    expect(result.verdict === 'illegal' && result.explanation).toMatchInlineSnapshot(`
      "no order explains read() = 2 by process 5 (lines 11-12): these operations cannot be ordered from any state that may come before them, whichever others took effect:
        write(3) by process 4 (lines 9-10)
        read() = 2 by process 5 (lines 11-12)
      the longest orders of what had returned before it lead to the state 3"
    `)
  })

  it('is one operation if nothing before it makes it possible', () => {
    const result = checkLinearizable({ operations: oneByOne([write(1), read(4), read(1)]) }, MODELS.register)
    expect(result).toMatchObject({ window: { from: 2, to: 3, operations: [1] } })
    expect(result.verdict === 'illegal' && result.explanation).toMatchInlineSnapshot(`
      "no order explains read() = 4 by process 1 (lines 3-4): no operation before it leads to a state in which it is possible
      the longest orders of what had returned before it lead to the state 1"
    `)
  })

  it.each(NAMES)('proves that random histories of a %s are illegal, at the first return', (name) => {
    const model = MODELS[name]
    let proven = 0
    for (let seed = 0; seed < 160; seed++) {
      const operations = randomHistory(name, seed)
      const result = checkLinearizable({ operations }, model)
      if (result.verdict !== 'illegal') continue
      proven++
      const { window, longest } = result
      const needed = new Set(window.operations.map((index) => operations[index]!))
      const unknown = (operation: Operation): Operation => ({
        ...operation,
        output: undefined,
        outcome: operation.outcome === 'fail' ? 'fail' : 'unknown',
        return: Number.POSITIVE_INFINITY,
      })
      const isBetween = (operation: Operation) => operation.call >= window.from && operation.return <= window.to
      const proof = operations.map((operation) =>
        needed.has(operation) || !isBetween(operation) ? operation : unknown(operation),
      )
      expect({ seed, isOrdered: hasOrder(proof, model) }).toEqual({ seed, isOrdered: false })
      expect(longest.length).toBeGreaterThan(0)
    }
    expect(proven).toBeGreaterThan(20)
  })
})
