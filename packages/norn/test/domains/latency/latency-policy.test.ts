/** The guided planner: what it owes to its results and its seed, and what guidance finds. */

import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import type { CampaignSummary } from '../../../src/contract/campaign-summary.ts'
import type { Choices } from '../../../src/contract/choices.ts'
import type { Plan } from '../../../src/contract/plan.ts'
import { latencyDomain } from '../../../src/domains/latency/domain.ts'
import { LatencyPolicy } from '../../../src/domains/latency/latency-policy.ts'
import { EVERYTHING } from '../../../src/options/guide.ts'
import { type CampaignOptions, campaign } from '../../../src/search/campaign.ts'
import type { CorpusEntry, CorpusObserver, GuidedOptions, Resumed } from '../../../src/search/domain.ts'
import { type EntryMetadata, metadataText, parseMetadata } from '../../../src/search/entry-metadata.ts'
import { GuidedPlanner } from '../../../src/search/guided-planner.ts'
import { Planner } from '../../../src/search/planner.ts'
import type { Tape } from '../../../src/tape/tape.ts'
import { FakeExecutor, type FakeProgram, type Show, Void } from '../../search/fake.ts'
import { drawLatency, number, recordOf } from '../../search/observation.ts'

const guidedPlanner = (options: GuidedOptions) => new GuidedPlanner(options, new LatencyPolicy(options))

const OPTIONS: GuidedOptions = { seed: 1, strategy: 'portfolio', examples: 0, guide: EVERYTHING, resumed: [] }

/** How many executions are planned as without guidance, at the start. */
const WARM_UP = 48

interface Explored {
  readonly planner: GuidedPlanner
  readonly plans: readonly Plan[]
  readonly unguided: readonly boolean[]
  readonly executor: FakeExecutor
}

async function explore(program: FakeProgram, count: number, more: Partial<GuidedOptions> = {}): Promise<Explored> {
  const planner = guidedPlanner({ ...OPTIONS, ...more })
  const executor = new FakeExecutor(program)
  const [plans, unguided]: [Plan[], boolean[]] = [[], []]
  for (let n = 0; n < count; n++) {
    const plan = planner.next()
    plans.push(plan)
    unguided.push(planner.isUnguided)
    planner.observe(plan, await executor.execute(plan))
  }
  return { planner, plans, unguided, executor }
}

/** Two numbers and a few operations in an order; steps on the way to a needle can be seen. */
const needle = (tape: Tape, _: Plan, show: Show) => {
  const first = tape.draw<number>('input', 'first', 0, 1_000_000)
  const second = tape.draw<number>('input', 'second', 0, 1_000_000)
  const latencies = [1, 2, 3].map((step) => drawLatency(tape, `0/${step}.1:1 write effect`, 20_000))
  const order = [1, 2, 3].sort((a, b) => latencies[a - 1]! + 50 * a - (latencies[b - 1]! + 50 * b))
  for (const task of order) show.task(task)
  show.compare(1, first, 123_456)
  if (first !== 123_456) return
  show.branch(1)
  show.compare(2, second, 654_321)
  if (second !== 654_321) return
  show.branch(2)
  if (order[0] === 3) throw new Error('the needle')
}

const withoutFailing: FakeProgram = (...of) => {
  try {
    needle(...of)
  } catch {}
}

test('the plans are a function of the seed and of the results', async () => {
  const plansOf = async (seed: number) => (await explore(withoutFailing, 400, { seed })).plans
  expect(await plansOf(1)).toEqual(await plansOf(1))
  expect(await plansOf(1)).not.toEqual(await plansOf(2))
})

test('it begins as the planner that nothing guides, with the same executions', async () => {
  const { plans, unguided, executor } = await explore(withoutFailing, WARM_UP)
  const planner = new Planner(OPTIONS)
  for (const [at, { observe: _, ...plan }] of plans.entries()) {
    expect(plan).toEqual(planner.next())
    planner.observe(executor.results[at]!)
  }
  expect(unguided).not.toContain(false)
})

test('at least a tenth stays unguided, also where there is progress all the time', async () => {
  const growing: FakeProgram = (tape, _, show) => show.target(tape.draw('input', 'x', 0, 2 ** 50), 'x')
  for (const program of [withoutFailing, growing]) {
    const { unguided } = await explore(program, 3000)
    const share = unguided.slice(WARM_UP).filter((each) => each).length / (3000 - WARM_UP)
    // Three standard deviations below a tenth.
    expect(share).toBeGreaterThan(0.083)
    expect(share).toBeLessThan(0.9)
  }
})

describe('records of earlier campaigns', () => {
  const records = [7, 8, 9].map((value) => recordOf({ input: [number(value)] }))
  const resumed = records.map((choices) => ({ choices }))

  test('are run first, right after the natural execution, each once', async () => {
    const { plans, planner } = await explore(withoutFailing, 300, { resumed })
    expect(plans.slice(1, 4).map(({ choices }) => choices)).toEqual(
      records.map((choices) => ({ from: 'record', choices })),
    )
    expect(planner.kept.unseen).toEqual([])
  })

  test('that were not run yet are told of', async () => {
    const { planner } = await explore(withoutFailing, 2, { resumed })
    expect(planner.kept.unseen).toEqual(records.slice(1))
  })

  test('are not used up by executions that are planned over again but not run', () => {
    const planner = guidedPlanner({ ...OPTIONS, resumed, skip: 100 })
    for (let n = 0; n < 100; n++) planner.next()
    expect(planner.kept.unseen).toEqual(records)
    expect(planner.next().choices).toEqual({ from: 'record', choices: records[0] })
  })
})

test('an execution that says nothing is not asked for again and again', async () => {
  const choicesOf = ({ choices }: Plan) => JSON.stringify(choices.from === 'record' ? choices.choices : null)
  const voids: FakeProgram = (tape, plan, show) => {
    withoutFailing(tape, plan, show)
    if (plan.choices.from === 'record') throw new Void('lost')
  }
  const { plans } = await explore(voids, 600)
  const counts = new Map<string, number>()
  for (const plan of plans.slice(1))
    if (plan.choices.from === 'record') counts.set(choicesOf(plan), (counts.get(choicesOf(plan)) ?? 0) + 1)
  expect(counts.size).toBeGreaterThan(5)
  expect(Math.max(...counts.values())).toBeLessThan(5)
})

test('what depends on its choices alone repeats, also after follow-ups have replaced records', async () => {
  const pure: FakeProgram = (tape, _, show) => {
    const x = tape.draw<number>('input', 'x', 0, 1_000_000)
    show.branch(x % 50)
    for (const [site, sought] of [111_111, 222_222, 333_333].entries()) show.compare(site, x, sought)
  }
  for (const seed of [1, 2, 3]) expect((await explore(pure, 1500, { seed })).planner.state.unstable).toBe(0)
})

test('a branch that depends on executions before does not repeat', async () => {
  let executions = 0
  const impure: FakeProgram = (tape, _, show) => {
    tape.draw<number>('input', 'x', 0, 1_000_000)
    show.branch(executions++)
  }
  expect((await explore(impure, 600)).planner.state.unstable).toBeGreaterThan(0)
})

test('whoever keeps the corpus elsewhere has what the planner has, at every moment', async () => {
  const kept = new Set<CorpusEntry>()
  const corpusObserver: CorpusObserver = {
    added: (entry) => kept.add(entry),
    removed: (entry) => expect(kept.delete(entry)).toBe(true),
  }
  const { planner } = await explore(withoutFailing, 1500, { corpusObserver })
  expect([...kept]).toEqual(planner.kept.entries)
  expect(planner.state.corpus).toBe(kept.size)
})

test('what fails is not kept: mutants of it would be found again', async () => {
  const fails: FakeProgram = (tape, _, show) => {
    const x = tape.draw('input', 'x', 0, 63)
    show.branch(x)
    if (x >= 32) throw new Error('large')
  }
  const { planner } = await explore(fails, 600)
  for (const { record } of planner.kept.entries) expect(Number(record.input[0]!.value)).toBeLessThan(32)
})

describe('guidance', () => {
  /**
   * Of 60 seeds the slowest took nearly all of it, the median 800; chance takes some thirty million
   * times as many.
   */
  const BUDGET = 30_000
  const hunt = (guided: boolean, seed: number): Promise<CampaignSummary> => {
    const options: CampaignOptions = {
      ...{
        seed,
        strategy: 'portfolio',
        examples: 0,
        runs: BUDGET,
        keepGoing: false,
        domain: latencyDomain,
        shrink: false,
        skip: 0,
      },
      expired: () => false,
      ...(guided ? { guide: EVERYTHING } : {}),
    }
    const ignore = () => {}
    const observer = { starting: ignore, emit: ignore }
    return campaign(new FakeExecutor(needle), options, observer)
  }

  test.each([1, 2, 3, 4])('finds the needle, from seed %i', async (seed) => {
    expect(await hunt(true, seed)).toMatchObject({ distinctFailures: 1 })
  })

  test('which chance does not find', async () => {
    expect(await hunt(false, 1)).toMatchObject({ distinctFailures: 0, executions: BUDGET })
  })
})

describe('an entry of another process, with metadata', () => {
  const numbered: FakeProgram = (tape, plan, show) => {
    withoutFailing(tape, plan, show)
    show.numbering({ counters: ['a', 'b'], sites: ['c'] })
  }

  async function entries(): Promise<Resumed[]> {
    const added: CorpusEntry[] = []
    const corpusObserver = { added: (entry: CorpusEntry) => added.push(entry), removed: () => {}, author: 'other' }
    await explore(numbered, 300, { corpusObserver })
    return added.map(({ record, metadata }) => ({
      choices: record,
      metadata: parseMetadata(metadataText(metadata!)!, record),
    }))
  }

  /** The records that plans after the natural execution follow. */
  const runAgain = (plans: readonly Plan[], resumed: readonly Resumed[]) =>
    plans.slice(1).filter(({ choices: { from, ...rest } }) => {
      const { choices } = rest as { choices?: unknown }
      return from === 'record' && resumed.some((each) => isDeepStrictEqual(each.choices, choices))
    })

  test('is taken over without an execution, and the search goes on from there at once', async () => {
    const resumed = await entries()
    const { plans, planner, unguided } = await explore(numbered, 12, { seed: 2, resumed })
    // The natural execution is an entry of this search, too, which calibrates it.
    const others = resumed.filter(({ choices }) => choices.input.some(({ value }) => value !== 0))
    expect(runAgain(plans, others)).toEqual([])
    expect(planner.state.corpus).toBeGreaterThan(3)
    expect(planner.kept.unseen).toEqual([])
    // Together they are beyond the warm-up.
    expect(unguided.slice(1)).toContain(false)
  })

  test('has the features and the distances that an execution here would have', async () => {
    const resumed = await entries()
    const silent = resumed.map(({ choices }) => ({ choices }))
    const counts = resumed.length + 1
    const { planner: ran } = await explore(numbered, counts, { seed: 2, resumed: silent })
    const { planner: adopted } = await explore(numbered, 2, { seed: 2, resumed })
    const { branches, order, objectives } = ran.state
    expect(adopted.state).toMatchObject({ branches, objectives })
    expect(adopted.state.order).toBeGreaterThan(0.9 * order)
  })

  test('is stored again when a pursuit has brought it nearer, with the metadata of its new record', async () => {
    const stored = new Map<CorpusEntry, { choices: Choices; distances: EntryMetadata['distances'] }[]>()
    const added = (entry: CorpusEntry) => {
      const forms = stored.get(entry) ?? []
      stored.set(entry, [...forms, { choices: entry.record, distances: entry.metadata!.distances }])
    }
    await explore(numbered, 300, { corpusObserver: { added, removed: () => {}, author: 'other' } })
    const again = [...stored.values()].filter((forms) => forms.length > 1)
    expect(again.length).toBeGreaterThan(0)
    for (const forms of again) {
      const [before, after] = [forms[0]!, forms.at(-1)!]
      const [key, distance] = after.distances[0]!
      const was = new Map(before.distances).get(key)
      expect(distance).toBeLessThan(was!)
      expect(after.choices).not.toEqual(before.choices)
    }
  })

  test('does not make its author one that searches now, unless it comes during the search', async () => {
    const outOfReach: FakeProgram = (tape, _, show) => {
      show.numbering({ counters: [], sites: ['c'] })
      show.compare(1, tape.draw<number>('input', 'x', 0, 1_000_000), 2_000_000)
    }
    const added: CorpusEntry[] = []
    const observer = { added: (entry: CorpusEntry) => added.push(entry), removed: () => {} }
    await explore(outOfReach, 20, { corpusObserver: { ...observer, author: 'other' } })
    const by = (name: (at: number) => string): Resumed[] =>
      added.map(({ record, metadata }, at) => ({ choices: record, metadata: { ...metadata!, by: name(at), at: 0 } }))
    const [one, many] = [by(() => 'other'), by((at) => `other ${at}`)]
    const ignoring = { added: () => {}, removed: () => {} }
    const started = async (resumed: readonly Resumed[]) => (await explore(outOfReach, 500, { resumed })).plans
    const polled = async (resumed: readonly Resumed[]) => {
      const polls = [resumed]
      const corpusObserver = { ...ignoring, polledEvery: 2, poll: () => polls.pop() ?? [] }
      return (await explore(outOfReach, 500, { corpusObserver })).plans
    }
    expect(await started(many)).toEqual(await started(one))
    expect(await polled(many)).not.toEqual(await polled(one))
  })

  test('is looked for at each execution, and more rarely where it would have to run first', async () => {
    const polledBy = async (author: string | undefined) => {
      let polls = 0
      const poll = () => {
        polls++
        return []
      }
      const corpusObserver = { added: () => {}, removed: () => {}, polledEvery: 10, poll }
      await explore(numbered, 100, {
        corpusObserver: author === undefined ? corpusObserver : { ...corpusObserver, author },
      })
      return polls
    }
    expect([await polledBy('this'), await polledBy(undefined)]).toEqual([100, 10])
  })

  test('ends pursuits of the objective that it has reached', async () => {
    const near: FakeProgram = (tape, _, show) => {
      show.numbering({ counters: [], sites: ['c'] })
      show.compare(1, tape.draw<number>('input', 'x', 0, 1_000_000), 123_456)
    }
    const added: CorpusEntry[] = []
    const observer = { added: (entry: CorpusEntry) => added.push(entry), removed: () => {} }
    await explore(near, 300, { corpusObserver: { ...observer, author: 'other' } })
    const { record: choices, metadata } = added.find((entry) => entry.metadata!.distances[0]?.[1] === 0)!
    const pursuits = async (arrived: readonly Resumed[]) => {
      let polls = 0
      const poll = () => (++polls === 60 ? arrived : [])
      const corpusObserver = { ...observer, author: 'this', poll }
      const { plans } = await explore(near, 100, { corpusObserver })
      return plans.slice(60).filter((plan) => plan.choices.from === 'record').length
    }
    expect(await pursuits([])).toBeGreaterThan(5)
    expect(await pursuits([{ choices, metadata }])).toBe(0)
  })

  test('is run again where files have other numbers', async () => {
    const resumed = await entries()
    const others: FakeProgram = (tape, plan, show) => {
      withoutFailing(tape, plan, show)
      show.numbering({ counters: ['a', 'other'], sites: ['c'] })
    }
    const { plans } = await explore(others, 1 + resumed.length, { seed: 2, resumed })
    expect(runAgain(plans, resumed)).toHaveLength(resumed.length)
  })

  test('is run if the metadata is malformed, or does not fit its choices', async () => {
    const [{ choices, metadata }] = (await entries()) as [Resumed]
    const text = metadataText(metadata!)!
    for (const wrong of ['', '[]', '[null]', '[1]', text.slice(0, -1), text.replaceAll('features', 'feature')])
      expect(parseMetadata(wrong, choices)).toBeUndefined()
    expect(parseMetadata(text, choices)).toEqual(metadata)
    const beyond = choices.input.length + 1
    for (const wrong of [
      { place: { lane: 'input', index: beyond } },
      { spans: [{ lane: 'input', label: '', start: 0, end: beyond }] },
      { spans: [{ lane: 'input', label: '', start: 1, end: 0 }] },
      { products: [{ start: 0, end: beyond, value: 1 }] },
    ] as Partial<EntryMetadata>[])
      expect(parseMetadata(metadataText({ ...metadata!, ...wrong })!, choices)).toBeUndefined()
    expect(metadataText({ ...metadata!, features: Array.from({ length: 100_000 }, (_, at) => at) })).toBeUndefined()
  })
})
