import { describe, expect, test } from 'vitest'
import { disabled } from '../../src/model/definition.ts'
import { Follower, type Mapping, ModelDivergence } from '../../src/model/follower.ts'
import type { Action } from '../../src/model/model.ts'
import { defineModel } from '../../src/model/typescript-model.ts'

/** A register that may lose a write. */
const register = () =>
  defineModel<{ value: number }>({
    init: { value: 0 },
    actions: {
      Write: (state, value: number) => (value < 0 ? disabled('nothing below 0 is written') : [{ value }, state]),
      Set: (_, value: number) => ({ value }),
      Never: () => disabled('it cannot happen'),
    },
  })

type Entry = { readonly does?: Action | readonly Action[]; readonly value?: number }

function follower(more: Partial<Mapping<Entry, number>> = {}) {
  const made = new Follower<Entry, number>({ model: register(), actions: ({ does }) => does, ...more })
  made.begin()
  return made
}

/** One moment of one entry. */
function moment(followed: Follower<Entry, number>, entry: Entry, value = 0): void {
  followed.follow(entry, value)
  followed.settle(value)
}

const agree = { implementation: (value: number) => ({ value }), model: (state: { value: number }) => state }
const write = (value: number): Entry => ({ does: { action: 'Write', parameters: [value] } })
const set = (value: number): Action => ({ action: 'Set', parameters: [value] })

describe('following', () => {
  test('keeps the states reached, each once, from the initial one to the one the execution ends in', () => {
    const model = register()
    const ids = (value: number) => {
      model.reset()
      const applied = model.apply('Set', [value])
      return applied.enabled ? applied.states[0]!.id : undefined
    }
    const followed = follower()
    for (const value of [7, 8, 7, 9]) moment(followed, { does: set(value) })
    expect(followed.states).toEqual([0, 7, 8, 9].map(ids))
  })

  test('reaches the states between the actions of one entry, and those in which the last one stutters', () => {
    const followed = follower()
    moment(followed, { does: [set(1), set(2), { action: 'Never' }] })
    moment(followed, { does: { action: 'Never' } })
    expect(followed.states).toHaveLength(3)
  })

  test('begins every execution anew', () => {
    const followed = follower()
    moment(followed, { does: set(1) })
    const first = followed.states
    followed.begin()
    expect(followed.states).toEqual(first.slice(0, 1))
    expect(followed.followed).toEqual([])
  })

  test('keeps what the model was told of, with the reason of what was disabled', () => {
    const followed = follower()
    const entries = [{}, write(1), write(-1), { does: [] }, { does: [{ action: 'Never' }, set(1)] }]
    for (const entry of entries) moment(followed, entry)
    expect(followed.followed).toEqual([
      { entry: entries[1], action: 'Write' },
      { entry: entries[2], action: 'Write', reason: 'nothing below 0 is written' },
      // Those of another entry stand for it.
      { entry: entries[3] },
      { entry: entries[4], action: 'Never', reason: 'it cannot happen' },
      { entry: entries[4], action: 'Set' },
    ])
  })

  test('tells the mapping whether a disabled action is a failure', () => {
    const told: unknown[] = []
    const actions: Mapping<Entry, number>['actions'] = (_entry, _view, isChecked) => {
      told.push(isChecked)
      return undefined
    }
    for (const disabled of [undefined, 'ignore', 'fail'] as const) moment(follower({ actions, disabled }), {})
    expect(told).toEqual([false, false, true])
  })

  test('an action that the model does not have is an error of the mapping', () => {
    expect(() => moment(follower(), { does: { action: 'Steal' } }, 0)).toThrow("the model has no action 'Steal'")
  })

  test.each([
    ['false', false],
    ['null', null],
    ['"Set"', 'Set'],
    ['{}', Promise.resolve()],
    ['{"action":"Set","parameters":"ab"}', { action: 'Set', parameters: 'ab' }],
    ['null', [null]],
  ])('what stands for no action is an error that says what does: %s', (text, given) => {
    const does = given as unknown as Action
    expect(() => follower().follow({ does }, 0)).toThrow(`\`actions\` of the model returned ${text}: it must return`)
  })
})

describe('conformance', () => {
  test('a disabled action is a failure if the mapping says so', () => {
    expect(() => moment(follower(), write(-1))).not.toThrow()
    const strict = follower({ disabled: 'fail' })
    expect(() => moment(strict, write(-1))).toThrow(ModelDivergence)
    expect(() => moment(strict, write(-1))).toThrow(
      'the model does not allow Write(-1): nothing below 0 is written\n  model: {"value":0}',
    )
  })

  test('states that disagree with what the implementation shows are given up, and were not reached', () => {
    const followed = follower({ agree })
    moment(followed, write(5))
    expect(followed.states).toHaveLength(1)
    moment(followed, write(6), 6)
    expect(followed.states).toHaveLength(2)
    // Had the state in which the second write was lost been kept, this would agree with it.
    expect(() => moment(followed, write(7))).toThrow(ModelDivergence)
  })

  test('if all disagree, action, values and the place that differs are told', () => {
    const followed = follower({ agree })
    expect(() => moment(followed, write(5), 3)).toThrow(
      [
        'implementation and model disagree after Write(5) about value',
        '  value: implementation 3, model 5 in the first of the 2 states that it may be in',
        '  implementation: {"value":3}',
        '  model: {"value":5}',
        '  model: {"value":0}',
      ].join('\n'),
    )
  })

  test('of many states that the model may be in, three are told', () => {
    const model = defineModel({ init: { at: 0 }, actions: { Guess: () => [1, 2, 3, 4, 5].map((at) => ({ at })) } })
    const followed = follower({ model, agree: { implementation: (at) => ({ at }), model: (state) => state } })
    expect(() => moment(followed, { does: { action: 'Guess' } }, 9)).toThrow(
      '  model: {"at":3}\n  and 2 more states that the model may be in',
    )
  })

  test('is judged once a moment, after its last entry and action', () => {
    const followed = follower({ agree })
    followed.follow({ does: set(5) }, 2)
    moment(followed, { does: [set(1), set(2)] }, 2)
    expect(followed.states).toHaveLength(4)
    expect(() => moment(followed, { does: [set(3), set(4)] }, 3)).toThrow('disagree after Set(4) about value')
  })

  test('is not judged where the model stays where it is', () => {
    expect(() => moment(follower({ agree }), { does: { action: 'Never' } }, 9)).not.toThrow()
  })
})
