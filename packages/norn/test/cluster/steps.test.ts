import { describe, expect, test } from 'vitest'
import { crash, restart } from '../../src/cluster/faults/crash.ts'
import { drop } from '../../src/cluster/faults/drop.ts'
import { duplicate } from '../../src/cluster/faults/duplicate.ts'
import { stepOf } from '../../src/cluster/faults/fault.ts'
import { quotasOf } from '../../src/cluster/faults/faults.ts'
import { partition } from '../../src/cluster/faults/partition.ts'
import { StepCodes, type StepShape } from '../../src/cluster/steps.ts'

const ALL = quotasOf({ crashes: 1, drops: 1, duplicates: 1, partitions: 1 })
const codes = (count: number, shape: Partial<StepShape> = {}) =>
  new StepCodes({ nodes: Array.from({ length: count }, (_, at) => `n${at}`), network: {}, quotas: ALL, ...shape })

describe('numbers of steps', () => {
  test('lead to the steps that they are of, each to one', () => {
    for (const count of [1, 2, 3, 8, 9, 12]) {
      const of = codes(count)
      for (let node = 0; node < count; node++) {
        expect(of.steps[of.timeout(node)]).toEqual({ kind: 'timeout', node })
        expect(of.steps[of.request(node)]).toEqual({ kind: 'request', node })
        expect(of.steps[of.of(crash)!.first + node]).toEqual(stepOf(crash, { node }))
        expect(of.steps[of.of(crash)!.recovery!.first + node]).toEqual(stepOf(restart, { node }))
        for (let to = 0; to < count; to++) {
          expect(of.steps[of.of(drop)!.onChannel(node, to)]).toEqual(stepOf(drop, { from: node, to }))
          expect(of.steps[of.of(duplicate)!.onChannel(node, to)]).toEqual(stepOf(duplicate, { from: node, to }))
          for (const messages of [1, 5]) {
            const step = { kind: 'deliver', from: node, to, count: messages }
            expect(of.steps[of.deliver(node, to, messages)]).toEqual(step)
          }
          // More than a step delivers is as many as it does.
          expect(of.deliver(node, to, 99)).toBe(of.deliver(node, to, 5))
        }
      }
      expect(new Set(of.steps.map((step) => JSON.stringify(step))).size).toBe(of.steps.length)
      expect(of.max).toBe(of.steps.length - 1)
    }
  })

  test('of faults that a cluster does not have are none', () => {
    const of = codes(3, { quotas: quotasOf({ drops: 1 }) })
    expect([of.of(crash), of.of(duplicate), of.of(partition)]).toEqual(Array(3).fill(undefined))
    expect(of.of(drop)!.onChannel(2, 2)).toBe(of.max)
    expect(codes(1).of(partition)).toBe(undefined)
  })

  test('grow with what a step does: nothing, a message, more of them, timers, requests, then faults', () => {
    const of = codes(3)
    const kinds = [...new Set(of.steps.map((step) => (step.kind === 'fault' ? step.act.name : step.kind)))]
    expect(kinds).toEqual([
      'natural',
      'deliver',
      'timeout',
      'request',
      'duplicate',
      'drop',
      'restart',
      'crash',
      'heal',
      'partition',
    ])
    expect(of.deliver(1, 2, 2)).toBe(of.deliver(1, 2, 1) + 1)
  })

  test('are refused where they are too many', () => {
    expect(() => codes(200, { network: { perStep: 1000 } })).toThrow('lower `network.perStep`')
  })
})

describe('partitions', () => {
  const sides = (count: number) =>
    codes(count).steps.flatMap((step) => (step.kind === 'fault' && step.act === partition ? [step.side.join('')] : []))

  test('of few nodes are all ways to part them in two, each once', () => {
    expect(sides(3)).toEqual(['010', '001', '011'])
    for (const count of [2, 5, 8]) expect(new Set(sides(count)).size).toBe(2 ** (count - 1) - 1)
  })

  test('of many nodes part one of them, or the first few from the others', () => {
    const many = sides(10)
    expect(many.length).toBe(new Set(many).size)
    for (let node = 0; node < 10; node++) {
      expect(many).toContain(Array.from({ length: 10 }, (_, each) => Number(each === node)).join(''))
    }
    expect(many).toContain('0000011111')
    expect(many.length).toBeLessThan(20)
  })
})

test('steps are told in words', () => {
  const of = codes(3)
  const any = codes(3, { network: { order: 'any' } })
  expect([
    of.describe(0),
    of.describe(of.deliver(0, 1, 1)),
    of.describe(of.deliver(0, 1, 3)),
    any.describe(any.deliver(0, 1, 3)),
    of.describe(of.timeout(2)),
    of.describe(of.request(1)),
    of.describe(of.of(duplicate)!.onChannel(1, 0)),
    of.describe(of.of(drop)!.onChannel(1, 0)),
    of.describe(of.of(crash)!.first + 0),
    of.describe(of.of(crash)!.recovery!.first + 0),
    of.describe(of.of(partition)!.recovery!.first + 0),
    of.describe(of.of(partition)!.first),
    of.describe(of.max + 1),
  ]).toEqual([
    'default step',
    'deliver n0 → n1',
    'deliver up to 3 of n0 → n1',
    'deliver message 3 of n0 → n1',
    'timeout n2',
    'request to n1',
    'duplicate n1 → n0',
    'drop n1 → n0',
    'crash n0',
    'restart n0',
    'heal the network',
    'partition n0, n2 | n1',
    `unknown step ${of.max + 1}`,
  ])
})
