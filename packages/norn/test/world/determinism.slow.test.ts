import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Fixture, NATURAL, random } from './workers.ts'

const PROGRAM = 'everything'

async function hashes(fixture: Fixture, seeds: readonly number[]): Promise<string[]> {
  const found: string[] = []
  for (const seed of seeds) {
    const { verdict, traceHash, failure } = await fixture.run(PROGRAM, seed === 0 ? NATURAL : random(seed))
    expect(verdict, JSON.stringify(failure)).toBe('passed')
    found.push(traceHash!)
  }
  return found
}

test('the same choices give the same trace and the same output, in one process and in others', async () => {
  const traces = new Set<string>()
  const outputs = new Set<string>()
  const processes = await Promise.all([1, 2, 3].map(() => Fixture.open(PROGRAM)))
  try {
    for (const [index, fixture] of processes.entries()) {
      // The others have run something else before.
      if (index > 0) await fixture.run(PROGRAM, random(100 + index))
      for (let again = 0; again < (index === 0 ? 20 : 3); again++) {
        const { traceHash, output, verdict } = await fixture.run(PROGRAM, random(7))
        expect(verdict).toBe('passed')
        traces.add(traceHash!)
        outputs.add(output!)
      }
    }
  } finally {
    for (const fixture of processes) fixture.close()
  }
  expect([traces.size, outputs.size]).toEqual([1, 1])
})

test('other choices give other traces', async () => {
  const fixture = await Fixture.open(PROGRAM)
  try {
    const seeds = Array.from({ length: 20 }, (_, seed) => seed)
    const first = await hashes(fixture, seeds)
    expect(new Set(first).size).toBeGreaterThanOrEqual(19)
    // And none of them leaves a mark on the next: in another order each seed gives what it gave.
    expect((await hashes(fixture, seeds.toReversed())).toReversed()).toEqual(first)
  } finally {
    fixture.close()
  }
})

test('a trace does not tell where the project lies', async () => {
  const roots = [1, 2].map(() => realpathSync(mkdtempSync(join(tmpdir(), 'norn-root-'))))
  const here = process.cwd()
  const traces = []
  for (const root of roots) {
    process.chdir(root)
    const fixture = await Fixture.open('no-false-alarms', { root })
    process.chdir(here)
    const { explanation, traceHash } = await fixture.run('batches by the loop', random(1))
    traces.push([traceHash, explanation.trace.map(({ kind, resource }) => `${kind} ${resource}`)])
    fixture.close()
    rmSync(root, { recursive: true })
  }
  expect(traces[0]![1]).toContain('stat .')
  expect(traces[1]).toEqual(traces[0])
})
