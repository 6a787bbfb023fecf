import { describe, expect, test } from 'vitest'
import { type ActorContext, actors } from '../../src/cluster/actors.ts'
import type { ClusterOptions, ModelBinding } from '../../src/cluster/definition.ts'
import { Simulation } from '../../src/cluster/simulation.ts'
import { disabled } from '../../src/model/definition.ts'
import { ModelDivergence } from '../../src/model/follower.ts'
import { defineModel } from '../../src/model/typescript-model.ts'

/**
 * A counter: each request is something to add. It says so twice, before and after, and forgets what
 * is beyond `limit`.
 */
class Counter {
  readonly #node: ActorContext
  readonly #limit: number
  value = 0

  constructor(node: ActorContext, limit: number) {
    this.#node = node
    this.#limit = limit
  }

  get state() {
    return { value: this.value }
  }

  onRequest(amount: number): void {
    this.#node.event('asked', amount)
    this.value = Math.min(this.#limit, this.value + amount)
    this.#node.event('added', amount)
  }
}

const binding = (more: Partial<ModelBinding> = {}): ModelBinding => ({
  model: defineModel({
    init: { value: 0, asked: 0 },
    actions: {
      Ask: (state, amount: number) => (amount > 0 ? { ...state, asked: amount } : disabled('there is nothing to add')),
      Add: ({ value, asked }) => ({ value: value + asked, asked: 0 }),
    },
  }),
  actions({ kind, name, data }) {
    if (kind !== 'event') return undefined
    return name === 'asked' ? { action: 'Ask', parameters: [data] } : [{ action: 'Add' }]
  },
  ...more,
})

const agree: ModelBinding['agree'] = {
  implementation: (view) => view.node('counter').state,
  model: ({ value }) => ({ value }),
}

function run(model: ModelBinding, requests: readonly number[], limit = 100, follows = true): Simulation {
  const cluster: ClusterOptions = { system: () => actors({ counter: (node) => new Counter(node, limit) }), model }
  const simulation = new Simulation({ cluster, requests, random: () => 0, follows })
  simulation.start()
  for (let step = 0; step < requests.length; step++) {
    simulation.step = step
    simulation.request(0)
  }
  return simulation
}

describe('an execution that is followed', () => {
  test('tells which abstract states it reached, and in which step each first', () => {
    const { following } = run(binding(), [1, 2])
    // The first one before the first step; then asked and added in either step.
    expect(following!.steps).toEqual([-1, 0, 0, 1, 1])
    expect(new Set(following!.states).size).toBe(5)
  })

  test('tells what the model was told of', () => {
    const { following } = run(binding(), [1, 0])
    expect(following!.followed.map(({ action, reason }) => [action, reason])).toEqual([
      ['Ask', undefined],
      ['Add', undefined],
      ['Ask', 'there is nothing to add'],
      ['Add', undefined],
    ])
  })

  test('is compared with the model once all that a request brings about has happened', () => {
    expect(() => run(binding({ agree }), [1, 2, 3])).not.toThrow()
  })

  test('fails where both sides differ, and where the model does not allow what happened', () => {
    const failing = () => run(binding({ agree }), [1, 2, 3], 4)
    expect(failing).toThrow(ModelDivergence)
    expect(failing).toThrow(
      'implementation and model disagree after Add() about value\n  value: implementation 4, model 6\n',
    )
    expect(() => run(binding({ disabled: 'fail' }), [1, 0])).toThrow(
      'the model does not allow Ask(0): there is nothing to add',
    )
  })
})

describe('an execution that need not be followed', () => {
  const isFollowed = (model: ModelBinding) => run(model, [1], 100, false).following !== undefined

  test('is not followed if the model can only guide', () => {
    expect(isFollowed(binding())).toBe(false)
    expect(isFollowed(binding({ agree: { ...agree, differences: 'ignore' } }))).toBe(false)
  })

  test('is followed if it can fail by a disabled action, a difference or an invariant', () => {
    expect(isFollowed(binding({ disabled: 'fail' }))).toBe(true)
    expect(isFollowed(binding({ agree }))).toBe(true)
    const checked = defineModel({ init: { value: 0 }, actions: { Add: (state) => state }, invariant: () => true })
    expect(isFollowed({ model: checked, actions: () => undefined })).toBe(true)
  })

  test('is followed if its model is of an unknown kind', () => {
    const { model } = binding()
    const { isUnchecked: _, ...unknown } = model
    const foreign = { ...unknown, reset: () => model.reset(), apply: model.apply.bind(model), keep: () => {} }
    expect(isFollowed(binding({ model: foreign }))).toBe(true)
  })
})
