import { describe, expect, test } from 'vitest'
import { microbenchmark, SeededBug } from '../../../../../../bench/microbenchmark/actors.ts'
import { executeDirectly } from '../../../../../../bench/microbenchmark/direct.ts'
import { reachableStates } from '../../../../../../bench/microbenchmark/model.ts'
import { actors } from '../../../../src/cluster/actors.ts'
import type { ClusterOptions } from '../../../../src/cluster/definition.ts'
import type { Plan } from '../../../../src/contract/plan.ts'
import type { Pieces } from '../../../../src/domains/cluster/search/pieces.ts'
import { scheduleOf } from '../../../../src/domains/cluster/search/schedule.ts'
import { stepPlanner } from '../../../../src/domains/cluster/search/step-policy.ts'
import { defineModel } from '../../../../src/model/typescript-model.ts'
import { PLAN_NUMBERS, planText, readPlan } from '../../../../src/process/plan-text.ts'
import type { CorpusEntry, CorpusObserver, GuidedOptions } from '../../../../src/search/domain.ts'
import { optionsOf, plannedSteps, search } from './run.ts'

const size = { workers: 3, executes: 20 }
const cluster = microbenchmark(size)

function run(guide: string, executions: number, more: Partial<GuidedOptions> = {}, of = cluster) {
  const planner = stepPlanner(optionsOf(guide, more))
  return { planner, executions: search(of, planner, executions) }
}

describe('the search over clusters', () => {
  test('is a function of its seed', () => {
    const plans = (seed: number) => JSON.stringify(run('model', 200, { seed }).executions.map(({ plan }) => plan))
    expect(plans(7)).toBe(plans(7))
    expect(plans(8)).not.toBe(plans(7))
  })

  test('begins with the natural execution, and goes on unguided for a while', () => {
    const { executions } = run('model', 20)
    expect(executions[0]!.steps.every((step) => step === 0)).toBe(true)
    expect(executions.every(({ isUnguided }) => isUnguided)).toBe(true)
  })

  test('guided by nothing it is unguided throughout, and tells how far it has come all the same', () => {
    const { planner, executions } = run('none', 200)
    expect(executions.every(({ isUnguided, plan }) => isUnguided && plan.choices.from !== 'mutation')).toBe(true)
    expect(planner.state).toMatchObject({ corpus: 0, branches: 0 })
    expect(planner.state.states).toBeGreaterThan(50)
    expect(planner.state.traces).toBeGreaterThan(100)
  })

  test('what guides programs, and not clusters, guides nothing', () => {
    expect(run('compare', 200).executions.every(({ isUnguided }) => isUnguided)).toBe(true)
  })

  test('keeps a tenth unguided, and calls its strategy what it is', () => {
    const { executions } = run('model', 1000)
    const unguided = executions.slice(20).filter(({ isUnguided }) => isUnguided)
    expect(unguided.length / 980).toBeGreaterThan(0.07)
    expect(unguided.length / 980).toBeLessThan(0.13)
    for (const { plan } of unguided) {
      expect(plan.choices).toMatchObject({ from: 'strategy', strategy: 'random', weights: { classes: [] } })
    }
  })

  test('a plan repeats its execution by what it carries, in another process too', () => {
    const { executions } = run('model', 400)
    const weighted = executions.filter(
      ({ plan: { choices } }) => 'weights' in choices && choices.weights!.classes.length > 0,
    )
    expect(weighted.length).toBeGreaterThan(50)
    const numbers = new Float64Array(PLAN_NUMBERS)
    for (const { plan, steps } of weighted) {
      const read = readPlan(planText(plan, numbers), numbers)
      const { result } = executeDirectly(cluster, read)
      expect(scheduleOf(result.observation!.choices().schedule).steps).toEqual(steps)
    }
  })

  test('each piece can be switched off', () => {
    const planned = (pieces: Partial<Pieces>) => {
      const planner = stepPlanner(optionsOf('model'), undefined, pieces)
      return search(cluster, planner, 400).map(({ plan: { choices } }) => choices)
    }
    const isWeighted = (choices: Plan['choices']) => 'weights' in choices && choices.weights!.classes.length > 0
    expect(planned({ weights: false }).some(isWeighted)).toBe(false)
    expect(planned({ returns: false, mutants: false, stretches: false }).some(({ from }) => from === 'mutation')).toBe(
      false,
    )
    const isHeld = (choices: Plan['choices']) => 'weights' in choices && choices.weights!.hold !== undefined
    expect(planned({}).some(isHeld)).toBe(true)
    expect(planned({ holds: false }).some(isHeld)).toBe(false)
    expect(JSON.stringify(planned({ situations: false }))).not.toBe(JSON.stringify(planned({})))
    expect(JSON.stringify(planned({ gains: false }))).not.toBe(JSON.stringify(planned({})))
    expect(JSON.stringify(planned({ shares: false }))).not.toBe(JSON.stringify(planned({})))
  })

  describe('where new states abound', () => {
    /** A model for which every execution shows dozens of new states. */
    const abundant = (): ClusterOptions => {
      let states = 0
      const model = defineModel({ init: { at: 0 }, actions: { Become: (_, at: number) => ({ at }) } })
      const become = () => [1, 2, 3, 4].map(() => ({ action: 'Become', parameters: [++states] }))
      return { ...cluster, model: { model, actions: become } }
    }
    const isFollowed = ({ plan }: { readonly plan: Plan }) => plan.observe!.model

    test('some of the executions are followed, guided or not', () => {
      const { executions } = run('model', 1200, {}, abundant())
      expect(executions.slice(0, 60).every(isFollowed)).toBe(true)
      for (const isUnguided of [true, false]) {
        const later = executions.slice(60).filter((each) => each.isUnguided === isUnguided)
        expect(later.filter(isFollowed).length / later.length).toBeCloseTo(0.1, 1)
      }
      for (const { plan, result } of executions) {
        const { isUnfollowed = false, states } = result.observation!.cluster!
        expect([isUnfollowed, states.length > 0]).toEqual([!plan.observe!.model, plan.observe!.model])
      }
    })

    test('what is not followed teaches nothing', () => {
      const plans = (falsified: boolean) => {
        const planner = stepPlanner(optionsOf('model'))
        const of = abundant()
        return Array.from({ length: 600 }, () => {
          const plan = planner.next()
          const { result } = executeDirectly(of, plan)
          const observation = result.observation!
          const drawn = { classes: [], situations: [] }
          const isChanged = falsified && !plan.observe!.model
          const observed = isChanged ? { ...observation, cluster: { ...observation.cluster!, drawn } } : observation
          planner.observe(plan, { ...result, observation: observed })
          return JSON.stringify(plan)
        })
      }
      expect(plans(true)).toEqual(plans(false))
    })

    test('all are followed if sampling is off', () => {
      const planner = stepPlanner(optionsOf('model'), undefined, { samples: false })
      expect(search(abundant(), planner, 400).every(isFollowed)).toBe(true)
    })
  })

  test('knows no strategy that promises what holds for tasks of an event loop', () => {
    expect(() => run('none', 1, { strategy: 'pct:3' })).toThrow(/strategy pct:3 does not apply to clusters/)
    const { executions } = run('none', 30, { strategy: 'natural' })
    expect(executions.every(({ steps }) => steps.every((step) => step === 0))).toBe(true)
  })

  test('returns to abstract states by the steps that led there, and goes on by chance', () => {
    const { executions } = run('model', 600)
    const returning = executions.filter(({ plan, steps }) => {
      const planned = plannedSteps(plan)
      return plan.choices.from === 'mutation' && planned.length > 0 && planned.length < steps.length
    })
    expect(returning.length).toBeGreaterThan(50)
    for (const { plan, steps } of returning) {
      const planned = plannedSteps(plan)
      expect(steps.slice(0, planned.length)).toEqual(planned)
    }
  })

  test('covers all abstract states that can be reached, and finds the bug, where chance does not', () => {
    const guided = run('model', 1500)
    expect(guided.executions.some(({ thrown }) => thrown instanceof SeededBug)).toBe(true)
    // Three states of the model are such that no execution of the program reaches them: see the
    // model.
    expect(guided.planner.state.states).toBe(reachableStates(size) - 3)
    const { planner, executions } = run('none', 1500)
    expect(executions.some(({ thrown }) => thrown instanceof SeededBug)).toBe(false)
    expect(planner.state.states).toBeLessThan(reachableStates(size) - 20)
  })

  test('guided by classes it covers more than chance does', () => {
    expect(run('trace', 1500).planner.state.states).toBeGreaterThan(run('none', 1500).planner.state.states!)
  })

  test('goes on from the records of earlier campaigns before it mutates anything', () => {
    const earlier = run('model', 800)
    const resumed = earlier.planner.kept.entries.map(({ record }) => ({ choices: record }))
    const later = run('model', resumed.length + 20, { seed: 2, resumed })
    expect(later.planner.state.states).toBeGreaterThanOrEqual(earlier.planner.state.states! - 5)
    expect(later.planner.kept.unseen).toEqual([])
  })

  test('whoever keeps the corpus elsewhere has what the planner has', () => {
    const kept = new Set<CorpusEntry>()
    const corpusObserver: CorpusObserver = {
      added: (entry) => kept.add(entry),
      removed: (entry) => expect(kept.delete(entry)).toBe(true),
    }
    const { planner } = run('model', 800, { corpusObserver })
    expect(kept.size).toBe(planner.state.corpus)
    expect(new Set(planner.kept.entries)).toEqual(kept)
  })

  test('what fails is not kept: mutants of it would be found again', () => {
    const fails: ClusterOptions = { ...cluster, check: () => expect.fail('always') }
    const { planner } = run('model', 100, {}, fails)
    expect(planner.state.corpus).toBe(0)
  })

  test('learns from what could not be observed, or lost control, nothing', () => {
    const planner = stepPlanner(optionsOf('model'))
    for (let n = 0; n < 50; n++) {
      const plan = planner.next()
      planner.observe(plan, { verdict: 'void', inputChoices: 0, points: 0, chains: 0, durationUs: 0 })
    }
    expect(planner.state).toMatchObject({ states: 0, traces: 0, corpus: 0 })
    expect(planner.isUnguided).toBe(true)
  })
})

/** It fails if a message is lost, then one comes twice, and then the asker begins again. */
function fragile(): ClusterOptions {
  return {
    system: () =>
      actors({
        asker: ({ send, event }) => ({
          onStart: () => {
            for (let n = 0; n < 6; n++) send('lock', { type: 'ask', n })
          },
          onRestart: () => event('again'),
        }),
        lock: ({ event }) => {
          let last = -1
          return {
            onMessage: ({ n }: { n: number }) => {
              if (n > last + 1) event('gap')
              if (n === last) event('twice')
              last = n
            },
          }
        },
      }),
    steps: 30,
    faults: { crashes: 1, drops: 1, duplicates: 1 },
    invariant: ({ log }) => {
      const told = log.flatMap(({ kind, name }) => (kind === 'event' ? [name] : []))
      if (told.join() === 'gap,twice,again') throw new Error('fragile')
    },
  }
}

test('without a model orders of events guide, and faults are found where they matter', () => {
  const found = [1, 2, 3, 4].filter((seed) => {
    const { planner, executions } = run('order,trace', 1000, { seed }, fragile())
    expect(planner.state.order).toBeGreaterThan(5)
    expect(planner.state.corpus).toBeGreaterThan(0)
    return executions.some(({ thrown }) => (thrown as Error | undefined)?.message === 'fragile')
  })
  expect(found.length).toBeGreaterThan(1)
})

test('with a model nothing coarser guides beside its states', () => {
  const plans = (guide: string) => JSON.stringify(run(guide, 300).executions.map(({ plan }) => plan.choices))
  expect(plans('order,trace,model')).toBe(plans('model'))
  expect(plans('order,trace')).toBe(plans('order'))
  expect(plans('trace')).not.toBe(plans('order'))
})
