import { describe, expect, test } from 'vitest'
import { NO_CHOICES } from '../../src/contract/choices.ts'
import type { ExecutionResult } from '../../src/contract/execution.ts'
import type { Plan } from '../../src/contract/plan.ts'
import type { SavedFailure } from '../../src/contract/saved-failure.ts'
import type { ListedProperty } from '../../src/process/protocol.ts'
import { trySaved } from '../../src/session/follow.ts'

const saved = (more: Partial<SavedFailure> = {}): SavedFailure => ({
  property: 'holds',
  file: 'a.test.ts',
  identity: 'error|Error',
  failure: { kind: 'error', errorName: 'Error', message: 'no', stack: 'Error: no', frames: [] },
  input: undefined,
  inputText: '',
  choices: NO_CHOICES,
  traceHash: '1',
  aliases: [],
  found: { seed: 1, execution: 1, strategy: 'natural', name: undefined, example: undefined },
  shrunk: true,
  environment: { node: '24.0.0', norn: '0.1.0', commit: undefined, variables: undefined },
  ...more,
})

describe('a saved failure that is tried', () => {
  const property: ListedProperty = { name: 'holds', mode: 'run', examples: 1, inputs: [], options: {} }
  const nothing = { inputChoices: 0, points: 0, chains: 0, durationUs: 0 }
  const passed = (recorded: number, followed: number): ExecutionResult => ({
    verdict: 'passed',
    ...nothing,
    following: { recorded, followed },
  })

  /**
   * Tries a failure against given results, in turn; gives the outcome and the plans that were run.
   */
  async function tried(failure: SavedFailure, ...results: ExecutionResult[]) {
    const plans: Plan[] = []
    const run = async (plan: Plan) => ({ result: results[plans.push(plan) - 1]! })
    return { outcome: await trySaved({ path: 'x.json', saved: failure }, property, run), plans }
  }

  test('is run once where it fails exactly', async () => {
    const { outcome, plans } = await tried(saved(), { verdict: 'failed', ...nothing })
    expect(outcome.result.verdict).toBe('failed')
    expect(plans.map(({ choices }) => choices)).toEqual([{ from: 'record', choices: NO_CHOICES, followBy: 'label' }])
  })

  test('is run once where it passes and nothing in it was late: other labels change nothing', async () => {
    expect((await tried(saved(), passed(0, 0))).plans).toHaveLength(1)
  })

  test('is followed by alias and then by label over changed code, until a run fails', async () => {
    const { outcome, plans } = await tried(saved(), passed(2, 0), passed(2, 1), { verdict: 'failed', ...nothing })
    expect(outcome.result.verdict).toBe('failed')
    expect(plans.map(({ choices }) => choices.from === 'record' && choices.followBy)).toEqual([
      'label',
      'alias',
      'label',
    ])
  })

  test('gives, where every run passes, the one that followed most', async () => {
    const { outcome } = await tried(saved(), passed(2, 0), passed(2, 2), passed(2, 1))
    expect(outcome.result.following).toEqual({ recorded: 2, followed: 2 })
  })

  test('takes its example as input, and is refused by name if that is gone', async () => {
    const found = (example: number) => saved({ found: { ...saved().found, example } })
    const { plans } = await tried(found(0), { verdict: 'failed', ...nothing })
    expect(plans[0]!.input).toEqual({ from: 'example', index: 0 })
    await expect(tried(found(1))).rejects.toThrow('x.json: its input was example 2, which the property no longer has')
  })
})
