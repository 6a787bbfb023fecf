import { describe, expect, it } from 'vitest'
import { checkLinearizable } from '../../src/linearizability/check.ts'
import { MODELS } from '../../src/models/catalogue.ts'
import type { ModelName } from '../../src/models/inputs.ts'
import { type ObjectModel, States } from '../../src/models/model.ts'
import { hasOrder } from './brute-force.ts'
import { randomHistory } from './random-histories.ts'

const NAMES = Object.keys(MODELS) as ModelName[]

/** The seeds of random histories about which the check and the definition disagree. */
function disagreements(name: ModelName, model: ObjectModel, count = 1_500): number[] {
  const seen = { ok: 0, illegal: 0, unknown: 0 }
  const seeds: number[] = []
  for (let seed = 0; seed < count; seed++) {
    const operations = randomHistory(name, seed)
    const { verdict } = checkLinearizable({ operations }, model)
    if (verdict !== (hasOrder(operations, model) ? 'ok' : 'illegal')) seeds.push(seed)
    seen[verdict]++
  }
  expect(Math.min(seen.ok, seen.illegal)).toBeGreaterThan(100)
  return seeds
}

describe('against the definition', () => {
  it.each(NAMES)('has the same verdict for random histories of a %s', (name) => {
    expect(disagreements(name, MODELS[name])).toEqual([])
  })

  it('has the same verdict for a register that is not known to have reads', () => {
    const { isRead: _, ...model } = MODELS['cas-register']
    expect(disagreements('cas-register', model)).toEqual([])
  })

  it('has the same verdict for a register that may lose a write', () => {
    const { register } = MODELS
    const lossy: ObjectModel = {
      ...register,
      step(state, input, output, isKnown) {
        const after = register.step(state, input, output, isKnown)
        return after === undefined ? undefined : new States([state, after])
      },
    }
    expect(disagreements('register', lossy)).toEqual([])
  })
})
