import { describe, expect, it } from 'vitest'
import type { Operation } from '../../src/history/operation.ts'
import { checkLinearizable } from '../../src/linearizability/check.ts'
import { LinearizabilityMonitor, type MonitorOptions } from '../../src/linearizability/monitor.ts'
import { MODELS } from '../../src/models/catalogue.ts'
import type { ModelName } from '../../src/models/inputs.ts'
import { type ObjectModel, States } from '../../src/models/model.ts'
import { randomHistory as longerHistory, randomFrom } from '../generate/index.ts'
import { randomHistory } from './random-histories.ts'

const NAMES = Object.keys(MODELS) as ModelName[]

/** Calls and returns in the order of time; what is never known to have ended is said to be so at random. */
function eventsOf(operations: readonly Operation[], seed: number): { readonly index: number; isCall: boolean }[] {
  const random = randomFrom(seed, 1)
  return operations
    .flatMap(({ call, return: returned, outcome }, index) => {
      const end = outcome === 'unknown' ? call + random.below(20) : returned
      const isEnded = outcome !== 'unknown' || random.coin(0.7)
      return [{ at: call, isCall: true, index }, ...(isEnded ? [{ at: end, isCall: false, index }] : [])]
    })
    .sort((a, b) => a.at - b.at || Number(b.isCall) - Number(a.isCall))
}

/** The seed, if monitor and check disagree after some return. */
function disagrees(operations: readonly Operation[], model: ObjectModel, seed: number, seen: Record<string, number>) {
  const monitor = new LinearizabilityMonitor(model)
  for (const { index, isCall } of eventsOf(operations, seed)) {
    const { process, input, output, outcome } = operations[index]!
    if (isCall) {
      monitor.call(index, process, input)
      continue
    }
    const illegal = monitor.return(index, output, outcome)
    const { verdict } = monitor.result()
    if (checkLinearizable(monitor.history(), model).verdict !== verdict) return [seed]
    if ((illegal !== undefined) !== (verdict === 'illegal')) return [seed]
    if (verdict === 'illegal') break
  }
  seen[monitor.result().verdict] = (seen[monitor.result().verdict] ?? 0) + 1
  return []
}

function disagreements(name: ModelName, model: ObjectModel, count = 200): number[] {
  const seen = { ok: 0, illegal: 0 }
  const seeds = Array.from({ length: count }, (_, seed) => {
    if (seed % 2 === 0) return disagrees(randomHistory(name, seed), model, seed, seen)
    const random = randomFrom(seed)
    const operations = 4 + random.below(16)
    const options = { model: name, operations, processes: 2 + random.below(5), values: 3, unknown: 0.1, failed: 0.1 }
    return disagrees(longerHistory(random, options).operations, model, seed, seen)
  }).flat()
  expect(Math.min(seen.ok, seen.illegal)).toBeGreaterThan(10)
  return seeds
}

describe('after every return of a random history', () => {
  it.each(NAMES)('has the verdict of the whole check for a %s', (name) => {
    expect(disagreements(name, MODELS[name])).toEqual([])
  })

  it('has it for a register that is not known to have reads', () => {
    const { isRead: _, ...model } = MODELS['cas-register']
    expect(disagreements('cas-register', model)).toEqual([])
  })

  it('has it for a register that may lose a write', () => {
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

const write = (value: unknown) => ({ f: 'write', value })
const READ = { f: 'read' }

function monitorOf(options?: MonitorOptions) {
  return new LinearizabilityMonitor(MODELS.register, options)
}

describe('the monitor', () => {
  it('explains the first illegal return, and stays with it', () => {
    const monitor = monitorOf()
    monitor.call(1, 'a', write(1))
    expect(monitor.return(1, undefined)).toBeUndefined()
    monitor.call(2, 'b', READ)
    const illegal = monitor.return(2, null)
    expect(illegal).toMatchObject({ verdict: 'illegal', window: { operations: [0, 1] }, longest: [[0]] })
    expect(illegal!.explanation).toMatch(/^no order explains read\(\) = null by process b: /)
    monitor.call(3, 'b', READ)
    expect(monitor.return(3, 1)).toBe(illegal)
    expect(monitor.result()).toBe(illegal)
  })

  it('has an order of what has returned, and of what may have taken effect before', () => {
    const monitor = monitorOf()
    monitor.call('w', 1, write(1))
    monitor.call('v', 2, write(2))
    monitor.call('r', 3, READ)
    monitor.return('r', 2)
    expect(monitor.result()).toEqual({ verdict: 'ok', linearizations: [[0, 1, 2]] })
  })

  it('keeps the objects apart, with indices in the whole history', () => {
    const monitor = monitorOf()
    for (const key of ['x', 'y']) {
      monitor.call(key, key, { ...write(1), key })
      monitor.return(key, undefined)
    }
    monitor.call('r', 1, { ...READ, key: 'y' })
    expect(monitor.return('r', 3)).toMatchObject({ partition: 'y', window: { operations: [2] } })
  })

  it('is unknown past a bound, for good', () => {
    for (const options of [{ steps: 1 }, { memoryMb: 0.000_1 }]) {
      const monitor = monitorOf(options)
      for (const id of [1, 2, 3]) monitor.call(id, id, write(id))
      monitor.return(1, undefined)
      monitor.return(2, undefined)
      monitor.call(4, 4, READ)
      monitor.return(4, 1)
      expect(monitor.return(3, undefined)).toBeUndefined()
      expect(monitor.result()).toMatchObject({ verdict: 'unknown', reason: expect.stringContaining('raise the bound') })
    }
  })

  it('refuses what cannot be', () => {
    const monitor = monitorOf()
    monitor.call(1, 'a', READ)
    expect(() => monitor.call(1, 'a', READ)).toThrow('operation 1 is called again before it has returned')
    expect(() => monitor.return(2, null)).toThrow('operation 2 returns, but is not called')
  })
})
