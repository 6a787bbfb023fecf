/** A strategy is one file and one entry of the table: everything else is made of these. */
import { Command } from 'commander'
import { expect, test, vi } from 'vitest'
import { commandTable } from '../../../../scripts/write-options.ts'
import { addFlags } from '../../src/cli/flags.ts'
import { NO_ESTIMATES, type Plan } from '../../src/contract/plan.ts'
import { clusterStrategy } from '../../src/domains/cluster/search/cluster-strategy.ts'
import { latencyDomain } from '../../src/domains/latency/domain.ts'
import { planChoices } from '../../src/execution/choice-source.ts'
import { NOTHING } from '../../src/options/guide.ts'
import { OPTIONS } from '../../src/options/table.ts'
import { checkConfiguration } from '../../src/options/values.ts'
import { strategyChooser } from '../../src/schedule/portfolio.ts'
import type { Strategy } from '../../src/schedule/strategy.ts'
import { campaign } from '../../src/search/campaign.ts'
import { chooseSearch } from '../../src/session/project.ts'
import { FakeExecutor } from '../search/fake.ts'

/** Every operation takes as long as the name says. */
const steady = vi.hoisted(() => {
  const byUs = (us: number): Strategy => ({
    name: 'steady',
    argument: { name: 'US', read: (text) => (/^\d{1,4}$/.test(text) ? byUs(Number(text)) : undefined) },
    isInPortfolio: true,
    needsLatencies: true,
    steps: 'default',
    fromSeedAlone: true,
    begin: () => () => us,
  })
  return byUs(7)
})

vi.mock('../../src/schedule/table.ts', async (original) => {
  const { STRATEGIES } = await original<{ STRATEGIES: readonly Strategy[] }>()
  return { STRATEGIES: [...STRATEGIES, steady] }
})

test('a search with it proposes what it says, and names it', async () => {
  const executor = new FakeExecutor((tape) => {
    if (Number(tape.draw('schedule', '0', 0, 20_000)) === 42) throw new Error('took 42 us')
  })
  const limits = { runs: 3, expired: () => false, keepGoing: false, shrink: false, skip: 0, examples: 0 }
  const found: string[] = []
  await campaign(
    executor,
    { seed: 1, strategy: 'steady:42', domain: latencyDomain, ...limits },
    {
      starting: () => {},
      emit: (event) => {
        if (event.type === 'found') found.push(`${event.failure.result.failure!.message} by ${event.failure.strategy}`)
      },
    },
  )
  expect(found).toEqual(['took 42 us by steady'])
})

test('executions take its latencies, and for the rest what it says of steps', () => {
  const choices = {
    from: 'strategy',
    strategy: 'steady',
    name: { seed: 1, length: 9 },
    estimates: NO_ESTIMATES,
  } as const
  const plan: Plan = { input: { from: 'tape' }, choices }
  const point = { kind: 'effect', chain: '0', maxUs: 9, nowUs: 0, alone: false } as const
  const { source } = planChoices(
    plan,
    (maxUs) => (maxUs === 9 ? point : undefined),
    () => {},
  )
  const asked = { lane: 'schedule', label: '0', alias: undefined, index: 0, min: 0 } as const
  expect(source({ ...asked, kind: 'latency', max: 9 })).toBe(7)
  expect(source({ ...asked, kind: 'pick', max: 5 })).toBe(0)
  expect(source({ ...asked, kind: 'step', max: 5, suggest: () => 3 })).toBeUndefined()
})

test('the portfolio alternates it with the others', () => {
  const names = Array.from({ length: 7 }, (_, ordinal) => strategyChooser('portfolio')(ordinal).name)
  expect(names).toEqual(['natural', 'random', 'pct', 'steady', 'random', 'pct', 'steady'])
})

test('the option has it: its help, the reference page, the rule and the message', () => {
  const forms = ['portfolio', 'natural', 'random', 'pct', 'pct:DEPTH', 'steady']
  const help = addFlags(new Command(), OPTIONS).helpInformation().replaceAll(/\s+/g, ' ')
  expect(help).toContain(`${forms.join(', ')} or steady:US (clusters have no pct, steady)`)
  expect(commandTable(OPTIONS)).toContain('`pct:DEPTH`, `steady`, `steady:US`; no `pct`, `steady` for clusters')
  expect(() => strategyChooser('steady:x')).toThrow(`expected one of ${forms.join(', ')}, or steady:US`)
  expect(checkConfiguration({ strategy: 'steady:5' }, () => expect.unreachable())).toEqual({ strategy: 'steady:5' })
})

test('clusters refuse it where it is asked for, and keep their default where it is configured', () => {
  expect(() => clusterStrategy('steady:5')).toThrow(
    'the strategy steady:5 does not apply to clusters: use random or natural',
  )
  const configured = { strategy: 'steady:5' }
  expect(chooseSearch('cluster', {}, configured)).toMatchObject({ named: 'portfolio', strategy: 'random' })
  expect(chooseSearch(undefined, {}, configured)).toMatchObject({ strategy: 'steady:5', guide: NOTHING })
})
