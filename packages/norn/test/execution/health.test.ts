/** When a health check speaks. */
import { describe, expect, it } from 'vitest'
import { Health, type HealthCount } from '../../src/execution/health.ts'

const WELL: HealthCount = {
  discarded: false,
  inputChoices: 10,
  points: 3,
  tried: 0,
  refused: 0,
  asynchronous: true,
  generationMs: 1,
  totalMs: 100,
}

function checksAfter(executions: number, count: (index: number) => Partial<HealthCount>): string[] {
  const health = new Health()
  for (let index = 0; index < executions; index++) health.note({ ...WELL, ...count(index) })
  return health.warnings().map(({ check }) => check)
}

describe('health checks', () => {
  it('say nothing of what is well, nor of a few executions', () => {
    expect(checksAfter(100, () => ({}))).toEqual([])
    expect(checksAfter(19, () => ({ discarded: true, inputChoices: 1e6 }))).toEqual([])
  })

  it.each<[string, Partial<HealthCount>, Partial<HealthCount>]>([
    ['large inputs', { inputChoices: 8193 }, { inputChoices: 8192 }],
    ['filters', { tried: 100, refused: 91 }, { tried: 100, refused: 90 }],
    ['nothing asynchronous', { points: 0 }, { points: 0, asynchronous: false }],
    ['slow generation', { generationMs: 51 }, { generationMs: 50 }],
  ])('%s: told from a bound on', (check, ill, well) => {
    expect(checksAfter(20, () => ill)).toEqual([check])
    expect(checksAfter(20, () => well)).toEqual([])
  })

  it('discards: told when more than nine in ten are', () => {
    expect(checksAfter(100, (index) => ({ discarded: index < 91 }))).toEqual(['discards'])
    expect(checksAfter(100, (index) => ({ discarded: index < 90 }))).toEqual([])
  })

  it('marks the one that depends on real time', () => {
    const health = new Health()
    for (let index = 0; index < 20; index++) health.note({ ...WELL, generationMs: 90, discarded: true })
    expect(health.warnings().map(({ check, timed = false }) => [check, timed])).toEqual([
      ['discards', false],
      ['slow generation', true],
    ])
  })
})
