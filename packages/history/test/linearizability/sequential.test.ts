import { describe, expect, it } from 'vitest'
import type { Operation } from '../../src/history/operation.ts'
import { checkLinearizable } from '../../src/linearizability/check.ts'
import { MODELS } from '../../src/models/catalogue.ts'
import type { ModelName } from '../../src/models/inputs.ts'
import { hasOrder } from './brute-force.ts'
import { randomHistory } from './random-histories.ts'

const NAMES = Object.keys(MODELS) as ModelName[]

function history(...operations: readonly [process: number, input: object, output?: unknown][]): Operation[] {
  return operations.map(([process, input, output = null], nth) => ({
    process,
    input,
    output,
    outcome: 'ok',
    call: 2 * nth,
    return: 2 * nth + 1,
  }))
}

describe('sequential consistency', () => {
  it.each(NAMES)('agrees with the definition for random histories of a %s', (name) => {
    const model = MODELS[name]
    const seen = { ok: 0, illegal: 0, unknown: 0 }
    const wrong: number[] = []
    for (let seed = 0; seed < 300; seed++) {
      const operations = randomHistory(name, seed)
      const isBefore = (a: Operation, b: Operation) =>
        a.process === b.process && operations.indexOf(a) < operations.indexOf(b)
      const result = checkLinearizable({ operations }, model, { consistency: 'sequential' })
      seen[result.verdict]++
      if (result.verdict !== (hasOrder(operations, model, isBefore) ? 'ok' : 'illegal')) wrong.push(seed)
    }
    expect(wrong).toEqual([])
    expect(Math.min(seen.ok, seen.illegal)).toBeGreaterThan(20)
  })

  it('allows a stale read, which is not linearizable', () => {
    const operations = history([0, { f: 'write', value: 1 }], [1, { f: 'read' }])
    expect(checkLinearizable({ operations }, MODELS.register).verdict).toBe('illegal')
    expect(checkLinearizable({ operations }, MODELS.register, { consistency: 'sequential' }).verdict).toBe('ok')
  })

  it('forbids reads across two objects that contradict each other, though each alone could be', () => {
    const operations = history(
      [0, { f: 'write', key: 'x', value: 1 }],
      [0, { f: 'read', key: 'y' }],
      [1, { f: 'write', key: 'y', value: 1 }],
      [1, { f: 'read', key: 'x' }],
    )
    const result = checkLinearizable({ operations }, MODELS.register, { consistency: 'sequential' })
    expect(result).toMatchObject({ verdict: 'illegal', window: { operations: [0, 1, 2, 3] } })
  })

  it('names the object that is not consistent by itself, however many others there are', () => {
    const others = Array.from(
      { length: 40 },
      (_, nth) => [nth % 8, { f: 'add', key: nth % 10, value: 1 }] satisfies [number, object],
    )
    const operations = history(
      ...others,
      [0, { f: 'add', key: 'x', value: 1 }],
      [0, { f: 'read', key: 'x' }, 0],
      ...others,
    )
    const result = checkLinearizable({ operations }, MODELS.counter, { consistency: 'sequential', steps: 10_000 })
    expect(result).toMatchObject({ verdict: 'illegal', partition: 'x', window: { operations: [40, 41] } })
  })
})
