import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { POOL_THREADS } from '../../src/world/pool.ts'
import type { TraceEvent } from '../../src/world/trace.ts'
import { Fixture, lines, random } from './workers.ts'

const SCHEDULES = 300

let fixture: Fixture
beforeAll(async () => {
  fixture = await Fixture.open('legality')
})
afterAll(() => fixture.close())

test(`what Node promises holds under ${SCHEDULES} schedules`, async () => {
  const broken: unknown[] = []
  for (const name of fixture.names.filter((each) => each.startsWith('promised: '))) {
    for (const [seed, { verdict, failure, voided }] of (await fixture.runs(name, SCHEDULES)).entries()) {
      if (verdict === 'passed') continue
      broken.push({ name, seed, failure, voided })
      break
    }
  }
  expect(broken).toEqual([])
}, 60_000)

describe('what Node leaves open is reached', () => {
  /** All that a property printed in as many schedules as it needs to show everything expected, but at most 300. */
  async function reached(name: string, expected: readonly string[]): Promise<string[]> {
    const seen = new Set<string>()
    for (let seed = 0; seed < SCHEDULES && seen.size < expected.length; seed++) {
      const result = await fixture.run(`open: ${name}`, seed === 0 ? undefined : random(seed))
      expect(result.verdict).toBe('passed')
      seen.add(lines(result)[0]!)
    }
    return [...seen].sort()
  }

  test.each([
    ['two stats', ['a b', 'b a']],
    ['reading while a file is written', ['empty', 'new', 'old', 'partial']],
    ['an immediate and a timer from the main script', ['immediate timer', 'timer immediate']],
    ['a timer and a file', ['file timer', 'timer file']],
    ['a timer and the work of the main script before it', ['3 4', '4 3']],
    [
      'effects in one order, callbacks in the other',
      ['a missed, b removed', 'a removed, b missed', 'b missed, a removed', 'b removed, a missed'],
    ],
    ['a fifth operation and the four before it', ['1', '2', '3', '4']],
    ['a file and a key', ['file key', 'key file']],
    ['a message and a timer', ['message timer', 'timer message']],
    ['a message and a file', ['file message', 'message file']],
    ['two modules that are compiled', ['a b', 'b a']],
  ])(
    '%s',
    async (name, expected) => {
      expect(await reached(name, expected)).toEqual(expected)
    },
    30_000,
  )
})

test('four operations run at a time: a fifth starts when one of them has finished', async () => {
  for (let seed = 1; seed <= 50; seed++) {
    const { explanation } = await fixture.run('promised: the pool has four threads, and starts in order', random(seed))
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
})

const POOL_EVENTS = new Set(['submit', 'effect', 'callback'])

function labels(trace: readonly TraceEvent[], event: TraceEvent['event']): string[] {
  return trace.filter((each) => each.event === event).map((each) => each.label)
}
