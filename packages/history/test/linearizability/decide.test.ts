/** The algorithms for kinds of objects against the definition. */
import { describe, expect, it } from 'vitest'
import type { Operation } from '../../src/history/operation.ts'
import { checkLinearizable } from '../../src/linearizability/check.ts'
import { decide } from '../../src/linearizability/decide.ts'
import type { Decision } from '../../src/linearizability/decision.ts'
import { mayMatter } from '../../src/linearizability/partitions.ts'
import { MODELS } from '../../src/models/catalogue.ts'
import type { ModelName } from '../../src/models/inputs.ts'
import { type HistoryOptions, linearizableHistory, type Random, randomFrom } from '../generate/index.ts'
import { hasOrder } from './brute-force.ts'
import { randomHistory } from './random-histories.ts'

type Draft = { readonly input: unknown; readonly output: unknown }

/** Values are written once, but for few; some are null or structures. */
const VALUES = [0, 1, 2, 3, [1], { a: 1 }, '', null]

const DRAFTS: Partial<Record<ModelName, (random: (below: number) => number, nth: number) => Draft>> = {
  register: (random, nth) =>
    random(2) === 0
      ? { input: { f: 'write', value: VALUES[random(8) === 0 ? 0 : nth] }, output: null }
      : { input: { f: 'read' }, output: VALUES[random(8) < 2 ? 7 : random(nth + 1)] },
  queue: (random, nth) =>
    random(2) === 0
      ? { input: { f: 'enqueue', value: VALUES[random(8) === 0 ? 0 : nth] }, output: null }
      : { input: { f: 'dequeue' }, output: VALUES[random(8) < 3 ? 7 : random(nth + 1)] },
  set: (random, nth) =>
    random(2) === 0
      ? { input: { f: 'add', value: VALUES[nth] }, output: null }
      : { input: { f: 'read' }, output: random(8) === 0 ? null : VALUES.slice(0, nth + 1).filter(() => random(3) > 0) },
}

const NAMES = Object.keys(DRAFTS) as ModelName[]

function decisions(
  name: ModelName,
  count: number,
): { operations: Operation<{ f: string }>[]; decision: Decision; seed: number }[] {
  return Array.from({ length: count }, (_, seed) => {
    const operations = randomHistory(name, seed, DRAFTS[name]).filter((each) =>
      mayMatter(each, MODELS[name]),
    ) as Operation<{ f: string }>[]
    return { operations, decision: decide(operations, MODELS[name]), seed }
  }).filter((each): each is typeof each & { decision: Decision } => each.decision !== undefined)
}

describe('an algorithm for a kind of object', () => {
  it.each(NAMES)('has the verdict of the definition for random histories of a %s', (name) => {
    const seen = { ok: 0, illegal: 0 }
    for (const { operations, decision, seed } of decisions(name, 4_000)) {
      seen[decision.verdict]++
      const expected = hasOrder(operations, MODELS[name]) ? 'ok' : 'illegal'
      expect({ seed, verdict: decision.verdict }).toEqual({ seed, verdict: expected })
    }
    expect(Math.min(seen.ok, seen.illegal)).toBeGreaterThan(300)
  })

  it.each(NAMES)('makes an order that a %s allows', (name) => {
    const model = MODELS[name]
    for (const { operations, decision, seed } of decisions(name, 1_000)) {
      if (decision.verdict === 'illegal' || decision.order === undefined) continue
      // One after the other.
      const ordered = decision.order.map((position, at) => ({ ...operations[position]!, call: at, return: at + 0.5 }))
      expect({ seed, isAllowed: hasOrder(ordered, model) }).toEqual({ seed, isAllowed: true })
      const places = new Map(decision.order.map((position, at) => [position, at]))
      for (const [position, { outcome, call }] of operations.entries()) {
        if (outcome === 'ok') expect(places.has(position)).toBe(true)
        for (const [other, { return: returned }] of operations.entries())
          if (returned < call && places.has(position)) expect(places.get(other)).toBeLessThan(places.get(position)!)
      }
    }
  })

  it.each(NAMES)('names operations of a %s that cannot be ordered, whatever the others did', (name) => {
    for (const { operations, decision, seed } of decisions(name, 2_000)) {
      if (decision.verdict === 'ok') continue
      const others = operations.flatMap((operation, position): Operation[] => {
        if (decision.operations.includes(position)) return [operation]
        // Another dequeue returned another value.
        if (operation.input.f === 'dequeue') return []
        return [{ ...operation, outcome: 'unknown', output: undefined, return: Number.POSITIVE_INFINITY }]
      })
      expect({ seed, isOrdered: hasOrder(others, MODELS[name]) }).toEqual({ seed, isOrdered: false })
      expect(decision.operations.length).toBeGreaterThan(0)
    }
  })
})

/** Many at once, so that a search does not end in its first share. */
function largeHistory(random: Random, model: ModelName, options: Partial<HistoryOptions> = {}): Operation[] {
  const { operations } = linearizableHistory(random, { model, operations: 3_000, processes: 30, values: 0, ...options })
  return [...operations]
}

describe('a large history that an algorithm finds illegal', () => {
  it.each([
    [
      'register',
      [
        { f: 'write', value: -1 },
        { f: 'write', value: -2 },
        { f: 'read', output: -1 },
      ],
    ],
    [
      'queue',
      [
        { f: 'enqueue', value: -1 },
        { f: 'enqueue', value: -2 },
        { f: 'dequeue', output: -2 },
      ],
    ],
  ] as const)('has a window, an order of what came before and an explanation: %s', (name, planted) => {
    const before = largeHistory(randomFrom(5), name)
    const end = Math.max(...before.map((operation) => operation.return)) + 1
    const after = planted.map((step, at): Operation => {
      const output = 'output' in step ? step.output : undefined
      const input = 'value' in step ? { f: step.f, value: step.value } : { f: step.f }
      return { process: 99, input, output, outcome: 'ok', call: end + 2 * at, return: end + 2 * at + 1 }
    })
    const operations = [...before, ...after]
    const result = checkLinearizable({ operations }, MODELS[name])
    if (result.verdict !== 'illegal') throw new Error(result.verdict)
    expect(result.window.operations.at(-1)).toBe(operations.length - 1)
    expect(result.longest.length).toBeGreaterThan(0)
    expect(result.explanation).toMatch(/^no order explains (read|dequeue)\(\) = -[12] by process 99: /)
  })
})
