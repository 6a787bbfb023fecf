/**
 * The suite about TLA+, small: over the specifications in models/, without TLC and without
 * tlaplus/Examples.
 */
import { describe, expect, it } from 'vitest'
import { judge } from '../tla/examples/known.ts'
import { mutant } from '../tla/mutants/mutations.ts'
import { bench, type Row, smokeRows } from './bench.ts'

function rows(part: string): Promise<Row[]> {
  return smokeRows('tla', '--part', part)
}

describe('examples', () => {
  it('explores models in processes of their own, and compares their counts with the known ones', async () => {
    expect(await rows('examples')).toMatchObject([
      { model: 'BoundedQueue.cfg', known: 42, distinct: 42, verdict: 'exact' },
      { model: 'Microbenchmark5x10.cfg', known: 765, distinct: 765, verdict: 'exact' },
      { model: 'TwoPhaseCommit.cfg', known: 288, distinct: 288, verdict: 'exact' },
      { model: 'language/Structures.cfg', known: 2035, distinct: 2035, verdict: 'exact' },
    ])
  })

  it.each([[[]], [['--examples', import.meta.dirname]]])('says how to get the collection: %j', async (where) => {
    const { status, stderr } = await bench('tla', '--part', 'examples', ...where)
    expect(status).toBe(2)
    expect(stderr).toMatch(/^tla: .*git clone --depth 1 https:\/\/github.com\/tlaplus\/Examples/)
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

describe('mutants', () => {
  it('finds each mutant parsed, or refused with a place', async () => {
    const mutants = await rows('mutants')
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

describe('speed', () => {
  it('times the whole command on small models', async () => {
    const seconds = expect.any(Number)
    expect(await rows('speed')).toMatchObject([
      { kind: 'command', model: 'BoundedQueue', distinct: 42, seconds },
      { kind: 'command', model: 'BoundedQueueOthers', distinct: 30, seconds },
    ])
  })

  it('rejects a jar that does not exist', async () => {
    const { status, stderr } = await bench('tla', '--part', 'speed', '--tlc', '/nowhere/tla2tools.jar')
    expect(status).toBe(2)
    expect(stderr).toMatch(/^tla: --tlc: no such file: \/nowhere\/tla2tools.jar\n/)
  })
})

describe('following', () => {
  it('follows each specification, beside the same model in TypeScript', async () => {
    const [commit, raft, ...others] = await rows('following')
    const rate = expect.toSatisfy((value: number) => value > 0)
    const rates = { stepsPerSecond: rate, evaluatedPerSecond: rate, baselinePerSecond: rate, ratio: rate }
    expect(commit).toEqual({ suite: 'tla-following', subject: 'two-phase commit', ...rates })
    const times = { loadMs: rate, traceMs: rate, checkedMs: rate, againMs: rate }
    expect(raft).toEqual({ suite: 'tla-following', subject: 'Raft', traces: 10, ...times })
    expect(others).toEqual([])
  })
})
