/**
 * What Node promises holds, and what it leaves open is reached: the programs of the legality and
 * completeness suites, in few schedules. That each promise can be broken at all is shown by the
 * mutations (bench/test/legality.slow.test.ts).
 */

import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { programs } from '../../../../bench/fidelity/completeness/programs.ts'
import type { TraceEvent } from '../../src/contract/trace.ts'
import { POOL_THREADS } from '../../src/world/loop/pool.ts'
import { Fixture, lines, NATURAL, random } from './workers.ts'

const SCHEDULES = 60
/** No more are needed to reach all orders of each program. */
const ENOUGH = 1500

const bench = (path: string) => ({
  file: fileURLToPath(new URL(`../../../../bench/fidelity/${path}`, import.meta.url)),
})

let promised: Fixture
let open: Fixture
beforeAll(async () => {
  promised = await Fixture.open('legality', bench('legality/promises.fuzz.ts'))
  open = await Fixture.open('completeness', bench('completeness/open.fuzz.ts'))
})
afterAll(() => {
  promised.close()
  open.close()
})

test(`what Node promises holds under ${SCHEDULES} schedules`, async () => {
  const broken: unknown[] = []
  for (const name of promised.names) {
    for (const [seed, { verdict, failure, voided }] of (await promised.runs(name, SCHEDULES)).entries()) {
      if (verdict === 'passed') continue
      broken.push({ name, seed, failure, voided })
      break
    }
  }
  expect(broken).toEqual([])
})

describe('what Node leaves open is reached, and nothing else', () => {
  test.each(Object.entries(programs))('%s', async (name, { possible }) => {
    const seen = new Set<string>()
    for (let seed = 0; seed < ENOUGH && seen.size < possible.length; seed++) {
      const plan = seed === 0 ? NATURAL : random(seed)
      const result = await open.worker.execute(open.property(name), { ...plan, detailed: true })
      expect(result.verdict).toBe('passed')
      seen.add(lines(result)[0]!)
    }
    expect([...seen].sort()).toEqual([...possible].sort())
  })
})

test('four operations run at a time: a fifth starts when one of them has finished', async () => {
  for (let seed = 1; seed <= 50; seed++) {
    const { explanation } = await promised.run('the pool has four threads, and starts in order', random(seed))
    const { trace } = explanation
    const submitted = labels(trace, 'submit')
    const effects = labels(trace, 'effect')
    // Whatever takes effect as the n-th is among the first n + 3 submitted.
    for (const [index, label] of effects.entries()) {
      expect(submitted.indexOf(label)).toBeLessThan(index + POOL_THREADS)
    }
    expect(effects.toSorted()).toEqual(submitted.toSorted())
  }
})

test('an operation is submitted, takes effect and calls back, in this order, at times that never go back', async () => {
  for (const fixture of [promised, open]) {
    for (const name of fixture.names) {
      const { explanation } = await fixture.run(name, random(11))
      const { trace } = explanation
      for (let i = 1; i < trace.length; i++) {
        if (trace[i]!.event === 'effect') continue
        expect(trace[i]!.atUs).toBeGreaterThanOrEqual(trace[i - 1]!.atUs)
      }
      for (const label of labels(trace, 'callback')) {
        const of = trace.filter((each) => each.label === label && POOL_EVENTS.has(each.event)).map((each) => each.event)
        expect(of).toEqual(['submit', 'effect', 'callback'])
      }
    }
  }
})

const POOL_EVENTS = new Set(['submit', 'effect', 'callback'])

function labels(trace: readonly TraceEvent[], event: TraceEvent['event']): string[] {
  return trace.filter((each) => each.event === event).map((each) => each.label)
}
