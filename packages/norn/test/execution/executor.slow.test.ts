import { resolve } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { FoundFailure, SessionEvent } from '../../src/contract/events.ts'
import { inputOf, type Plan } from '../../src/contract/plan.ts'
import type { ExploreOptions, ListedProperty } from '../../src/process/protocol.ts'
import { Worker } from '../../src/process/worker.ts'

const ROOT = resolve(import.meta.dirname, '../../../..')

const OPTIONS: ExploreOptions = {
  seed: 3,
  strategy: 'portfolio',
  runs: 60,
  timeMs: 1e9,
  keepGoing: true,
  shrink: true,
  skip: 0,
}

/** Runs something in a process of its own. */
async function inProcess<Result>(
  fixture: string,
  action: (worker: Worker, properties: readonly ListedProperty[]) => Promise<Result>,
): Promise<Result> {
  const file = resolve(import.meta.dirname, 'fixtures', `${fixture}.fuzz.ts`)
  const worker = new Worker({ file, root: ROOT, aliases: [] })
  try {
    return await action(worker, await worker.list())
  } finally {
    worker.close()
  }
}

async function hunt(worker: Worker, property: ListedProperty, options: Partial<ExploreOptions> = {}) {
  const notices: SessionEvent[] = []
  const summary = await worker.explore(property, { ...OPTIONS, ...options }, (notice) => {
    // Signs of life come by real time.
    if (notice.type !== 'progress') notices.push(notice)
  })
  return { notices, summary }
}

const failuresOf = (notices: readonly SessionEvent[]): FoundFailure[] =>
  notices.flatMap((notice) => (notice.type === 'shrunk' ? [notice.failure] : []))

describe('a campaign is a function of its seed', () => {
  const whole = () => inProcess('bank', (worker, [property]) => hunt(worker, property!))
  let first: Awaited<ReturnType<typeof whole>>

  beforeAll(async () => {
    first = await whole()
  })

  test('two processes announce the same', async () => {
    expect(first.summary).toMatchObject({ executions: 60, flaky: 0, voided: 0 })
    expect(failuresOf(first.notices).length).toBeGreaterThanOrEqual(2)
    expect(await whole()).toEqual(first)
  })

  test('a process that has run one before announces the same', async () => {
    const small = { runs: 40, shrink: false }
    const [early, late] = await inProcess('bank', async (worker, [property]) => {
      await hunt(worker, property!, { ...small, seed: 99 })
      return [await hunt(worker, property!, small), await hunt(worker, property!, small)]
    })
    const fresh = await inProcess('bank', (worker, [property]) => hunt(worker, property!, small))
    expect(early).toEqual(fresh)
    expect(late).toEqual(fresh)
  })

  test('what it found replays in another process, from its tape and from its saved input', async () => {
    await inProcess('bank', async (worker, [property]) => {
      for (const { result } of failuresOf(first.notices)) {
        const choices = { from: 'record', choices: result.choices! } as const
        const saved: Plan = { input: inputOf(result, { from: 'tape' }), choices }
        expect(saved.input.from).toBe('saved')
        const fromTape = await worker.execute(property!, { ...saved, input: { from: 'tape' } })
        expect(fromTape).toMatchObject({ verdict: 'failed', traceHash: result.traceHash, choices: result.choices })
        const fromSaved = await worker.execute(property!, saved)
        expect(fromSaved).toMatchObject({ verdict: 'failed', failure: result.failure, traceHash: result.traceHash })
      }
    })
  })
})

describe('filters', () => {
  const named = (properties: readonly ListedProperty[], name: string) => properties.find((p) => p.name === name)!

  test('one that the zero input does not pass gets something that does', async () => {
    const { summary } = await inProcess('filters', (worker, properties) =>
      hunt(worker, named(properties, 'a filter that zero does not pass'), { runs: 20 }),
    )
    expect(summary).toMatchObject({ executions: 20, passed: 20 })
  })

  test('one that nothing passes voids the execution by name, and is no failure', async () => {
    const expected = [
      ['a filter that nothing passes', 'n'],
      ['a stream whose filter nothing passes', 'some'],
      ['a draw whose filter nothing passes', 'never'],
    ] as const
    await inProcess('filters', async (worker, properties) => {
      for (const [name, input] of expected) {
        const { notices, summary } = await hunt(worker, named(properties, name), { runs: 2 })
        expect(summary).toMatchObject({ executions: 2, voided: 2, failed: 0, passed: 0 })
        const report = { reason: { kind: 'filter exhausted', input, rejected: 20_000 } }
        expect(notices).toMatchObject([{ type: 'inconclusive', execution: 1, report }])
      }
    })
  })
})
