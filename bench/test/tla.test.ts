/** The suites about TLA+, small: over the specifications in models/, without TLC and without tlaplus/Examples. */
import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { judge } from '../tla-examples/judge.ts'
import { mutant } from '../tla-mutants/mutations.ts'

const MAIN = resolve(import.meta.dirname, '../main.ts')

function bench(...options: readonly string[]) {
  return spawnSync(process.execPath, [MAIN, ...options], { encoding: 'utf8' })
}

function rows(suite: string): Record<string, unknown>[] {
  const lines = bench(suite, '--smoke', '--json').stdout.trim().split('\n')
  return lines.map((line) => JSON.parse(line))
}

describe('tla-examples', () => {
  it('explores models in processes of their own, and holds their counts to what is known', () => {
    expect(rows('tla-examples')).toMatchObject([
      { model: 'BoundedQueue.cfg', known: 42, distinct: 42, verdict: 'exact' },
      { model: 'Microbenchmark5x10.cfg', known: 765, distinct: 765, verdict: 'exact' },
      { model: 'TwoPhaseCommit.cfg', known: 288, distinct: 288, verdict: 'exact' },
      { model: 'language/Structures.cfg', known: 2035, distinct: 2035, verdict: 'exact' },
    ])
  })

  it.each([[[]], [[import.meta.dirname]]])('says how to get the collection where it is not: %j', (where) => {
    const { status, stderr } = bench('tla-examples', ...where)
    expect(status).toBe(2)
    expect(stderr).toMatch(/^tla-examples: .*git clone --depth 1 https:\/\/github.com\/tlaplus\/Examples/)
  })

  const found = { generated: 9, distinct: 4, depth: 3, seconds: 1, why: undefined, trace: undefined }

  it('calls a model exact by its distinct states, and remarks on its other counts', () => {
    expect(judge({ distinct: 4, generated: 9, depth: 3 }, { ...found, result: 'passes' })).toEqual({
      verdict: 'exact',
      remark: undefined,
    })
    expect(judge({ distinct: 4, generated: 8 }, { ...found, result: 'passes' })).toEqual({
      verdict: 'exact',
      remark: 'generated 9, not 8',
    })
    expect(judge({ distinct: 5 }, { ...found, result: 'passes' })).toEqual({
      verdict: 'differs',
      remark: 'distinct 4, not 5',
    })
  })

  it('calls no model exact that was not explored to its end', () => {
    expect(judge({ distinct: 4 }, { ...found, result: 'deadlock' })).toMatchObject({ verdict: 'failed' })
    expect(judge({ distinct: 4 }, { ...found, result: 'failed', why: 'no such file' })).toEqual({
      verdict: 'failed',
      remark: 'no such file',
    })
    expect(judge({ distinct: 4 }, { ...found, result: 'unfinished', why: 'not within 1 s' })).toEqual({
      verdict: 'out of time',
      remark: 'not within 1 s',
    })
  })
})

describe('tla-mutants', () => {
  it('finds each mutant parsed, or refused with a place', () => {
    const mutants = rows('tla-mutants')
    expect(mutants).toHaveLength(30)
    for (const { result } of mutants) expect(result).toMatch(/^(parsed|refused)$/)
    expect(new Set(mutants.map(({ mutation }) => mutation))).toEqual(new Set(['dropped', 'doubled', 'swapped']))
  })

  it('changes one token, which is in no comment', () => {
    const text = 'A == (* x *) 1 \\* y\n  + 22'
    const mutants = Array.from({ length: 100 }, (_, seed) => mutant(text, seed))
    expect(new Set(mutants.map(({ mutation, line, token, text }) => `${mutation} ${line} ${token}: ${text}`))).toEqual(
      new Set([
        'dropped 1 A:  == (* x *) 1 \\* y\n  + 22',
        'dropped 1 ==: A  (* x *) 1 \\* y\n  + 22',
        'dropped 1 1: A == (* x *)  \\* y\n  + 22',
        'dropped 2 +: A == (* x *) 1 \\* y\n   22',
        'doubled 1 A: A A == (* x *) 1 \\* y\n  + 22',
        'doubled 1 ==: A == == (* x *) 1 \\* y\n  + 22',
        'doubled 1 1: A == (* x *) 1 1 \\* y\n  + 22',
        'doubled 2 +: A == (* x *) 1 \\* y\n  + + 22',
        'swapped 1 A: == A (* x *) 1 \\* y\n  + 22',
        'swapped 1 ==: A 1 (* x *) == \\* y\n  + 22',
        'swapped 1 1: A == (* x *) + \\* y\n  1 22',
        'swapped 2 +: A == (* x *) 1 \\* y\n  22 +',
      ]),
    )
  })
})

describe('tla-speed', () => {
  it('times the whole command on small models', () => {
    const seconds = expect.any(Number)
    expect(rows('tla-speed')).toMatchObject([
      { kind: 'command', model: 'BoundedQueue', distinct: 42, seconds },
      { kind: 'command', model: 'BoundedQueueOthers', distinct: 30, seconds },
    ])
  })

  it('refuses a jar that is not there', () => {
    const { status, stderr } = bench('tla-speed', '--tlc', '/nowhere/tla2tools.jar')
    expect([status, stderr]).toEqual([2, 'tla-speed: there is no /nowhere/tla2tools.jar\n'])
  })
})

describe('tla-following', () => {
  it('follows each specification, beside the same model in TypeScript', () => {
    const [commit, raft, ...others] = rows('tla-following')
    const rate = expect.toSatisfy((value: number) => value > 0)
    const rates = { stepsPerSecond: rate, evaluatedPerSecond: rate, baselinePerSecond: rate, ratio: rate }
    expect(commit).toEqual({ suite: 'tla-following', subject: 'two-phase commit', ...rates })
    const times = { loadMs: rate, traceMs: rate, checkedMs: rate, againMs: rate }
    expect(raft).toEqual({ suite: 'tla-following', subject: 'Raft', traces: 10, ...times })
    expect(others).toEqual([])
  })
})
