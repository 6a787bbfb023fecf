import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BrokenInvariant, Disabled, disabled, type ModelDefinition } from '../../src/model/definition.ts'
import { Identities } from '../../src/model/identities.ts'
import type { Applied, Model } from '../../src/model/model.ts'
import { defineModel } from '../../src/model/typescript-model.ts'

/** A light: off, on, or broken; nobody knows beforehand whether it survives being hit. */
type Light = { readonly light: 'off' | 'on' | 'broken'; readonly switched: number }

const LIGHT: ModelDefinition<Light> = {
  init: { light: 'off', switched: 0 },
  actions: {
    Switch(state, to: 'off' | 'on') {
      if (state.light === 'broken') return disabled('it is broken')
      if (state.light === to) return disabled(`it is ${to} already`)
      return { light: to, switched: state.switched + 1 }
    },
    Hit: (state) => [state, { ...state, light: 'broken' }],
  },
}

const values = (applied: Applied) => (applied.enabled ? applied.states.map(({ value }) => value) : applied.reason)
const ids = (applied: Applied) => (applied.enabled ? applied.states.map(({ id }) => id) : [])

describe('a model in TypeScript', () => {
  test('begins in its initial state and follows actions', () => {
    const model = defineModel(LIGHT)
    expect(model.actions).toEqual(['Switch', 'Hit'])
    expect(model.reset().map(({ value }) => value)).toEqual([{ light: 'off', switched: 0 }])
    expect(values(model.apply('Switch', ['on']))).toEqual([{ light: 'on', switched: 1 }])
    expect(values(model.apply('Switch', ['off']))).toEqual([{ light: 'off', switched: 2 }])
  })

  test('says why an action is disabled, and stays where it is', () => {
    const model = defineModel(LIGHT)
    expect(model.apply('Switch', ['off'])).toEqual({ enabled: false, reason: 'it is off already' })
    expect(values(model.apply('Switch', ['on']))).toEqual([{ light: 'on', switched: 1 }])
  })

  test('follows every successor, and gives up those in which the next action is disabled', () => {
    const model = defineModel(LIGHT)
    expect(values(model.apply('Hit', []))).toEqual([
      { light: 'off', switched: 0 },
      { light: 'broken', switched: 0 },
    ])
    expect(values(model.apply('Switch', ['on']))).toEqual([{ light: 'on', switched: 1 }])
    model.apply('Hit', [])
    expect(model.apply('Switch', ['on'])).toEqual({ enabled: false, reason: 'it is on already' })
  })

  test('goes on with the states that are kept', () => {
    const model = defineModel(LIGHT)
    const applied = model.apply('Hit', []) as Extract<Applied, { enabled: true }>
    model.keep(applied.states.slice(1))
    expect(model.apply('Switch', ['on'])).toEqual({ enabled: false, reason: 'it is broken' })
    expect(() => model.keep([])).toThrow('at least one of the current states')
  })

  test('begins in any of several initial states', () => {
    const model = defineModel<Light>({
      ...LIGHT,
      init: [
        { light: 'off', switched: 0 },
        { light: 'on', switched: 0 },
      ],
    })
    expect(model.reset()).toHaveLength(2)
    expect(values(model.apply('Switch', ['on']))).toEqual([{ light: 'on', switched: 1 }])
  })

  test('gives equal states one identity, in another model and another execution too', () => {
    const way = (model: Model) => {
      model.reset()
      return ids(model.apply('Switch', ['on']))
    }
    const one = defineModel(LIGHT)
    expect(way(one)).toEqual(way(one))
    expect(way(defineModel({ ...LIGHT }))).toEqual(way(one))
  })

  test('tells states apart by their projection, and follows the whole state', () => {
    const model = defineModel({ ...LIGHT, project: ({ light }) => light })
    const [off] = model.reset()
    const [on] = ids(model.apply('Switch', ['on']))
    expect(on).not.toBe(off!.id)
    const again = model.apply('Switch', ['off']) as Extract<Applied, { enabled: true }>
    expect(again.states[0]).toMatchObject({ id: off!.id, value: { light: 'off', switched: 2 } })
  })

  test('runs an action once for a state and equal parameters', () => {
    let calls = 0
    const model = defineModel({
      init: { sum: 0 },
      actions: {
        Add(state, { amount }: { amount: number }, times: number) {
          calls++
          return { sum: state.sum + amount * times }
        },
      },
    })
    const run = () => {
      model.reset()
      return [model.apply('Add', [{ amount: 2 }, 3]), model.apply('Add', [{ amount: 2 }, 3])].map(values)
    }
    expect(run()).toEqual([[{ sum: 6 }], [{ sum: 12 }]])
    expect(run()).toEqual([[{ sum: 6 }], [{ sum: 12 }]])
    expect(calls).toBe(2)
    model.apply('Add', [{ amount: 2 }, '3'])
    model.reset()
    model.apply('Add', [{ amount: 2 }, 1])
    expect(calls).toBe(4)
  })

  test('forgets at its bound, and neither where it is nor an identity', () => {
    const identities = new Identities()
    const run = (maxRememberedBytes?: number) => {
      const model = defineModel<Light>(LIGHT, { identities, maxRememberedBytes })
      const ways = [0, 1].map(() => {
        model.reset()
        return Array.from({ length: 20 }, (_, at) => ids(model.apply(...(turn(at) as ['Switch', string[]]))))
      })
      return ways
    }
    const turn = (at: number) => ['Switch', [at % 2 === 0 ? 'on' : 'off']]
    expect(run(10_000)).toEqual(run())
  })

  test('remembers again what comes after it forgot, and does not forget at every action from then on', () => {
    let worked = 0
    const model = defineModel(
      {
        init: { at: 0 },
        actions: {
          To: (_, at: number) => {
            worked++
            return { at }
          },
        },
      },
      { maxRememberedBytes: 200_000 },
    )
    const go = (from: number, to: number) => {
      model.reset()
      for (let at = from; at < to; at++) model.apply('To', [at])
    }
    // More than it may remember, with parameters of which each is a call of its own.
    for (let round = 0; round < 5; round++) go(round * 1000, (round + 1) * 1000)
    go(1, 10)
    const before = worked
    go(1, 10)
    go(1, 10)
    expect(worked).toBe(before)
  })

  test('may keep some of the states that it gave last when it is about to forget', () => {
    const model = defineModel(LIGHT, { maxRememberedBytes: 0 })
    const applied = model.apply('Hit', []) as Extract<Applied, { enabled: true }>
    model.keep(applied.states.slice(1))
    expect(model.apply('Switch', ['on'])).toEqual({ enabled: false, reason: 'it is broken' })
  })

  test('tells of a broken invariant with the action that led there, every time', () => {
    const model = defineModel({ ...LIGHT, invariant: (state) => state.switched < 2 })
    const run = () => {
      model.reset()
      model.apply('Switch', ['on'])
      model.apply('Switch', ['off'])
    }
    const told =
      'the model\'s invariant is broken after Switch("off"): it returned false\nstate: {"light":"off","switched":2}'
    expect(run).toThrow(new BrokenInvariant('after Switch("off")', 'it returned false', { light: 'off', switched: 2 }))
    expect(run).toThrow(told)
  })

  test('refuses an initial state that breaks the invariant', () => {
    const invariant = () => {
      throw new Error('never right')
    }
    expect(() => defineModel({ ...LIGHT, invariant })).toThrow(
      "the model's invariant is broken at the beginning: never right",
    )
  })
})

describe('what is remembered', () => {
  /** A light that may flicker when it is switched: many states at once, which meet again. */
  const flickering: ModelDefinition<Light> = {
    init: LIGHT.init,
    actions: {
      ...LIGHT.actions,
      Flicker: ({ light, switched }) =>
        light === 'broken'
          ? disabled('it is broken')
          : [0, 1, 2].map((more) => ({ light: more % 2 === 0 ? 'on' : 'off', switched: (switched + more) % 3 })),
      Count: (state, { least }: { least: number }) =>
        state.switched >= least ? state : disabled(`it was switched ${state.switched} times`),
    },
  }

  /** What the definition says, worked out anew every time. */
  function worked(states: readonly Light[], action: string, parameters: readonly unknown[]) {
    const next: Light[] = []
    let reason: string | undefined
    for (const state of states) {
      const led = flickering.actions[action]!(state, ...parameters)
      if (led instanceof Disabled) reason ??= led.reason
      else next.push(...(Array.isArray(led) ? led : [led as Light]))
    }
    const texts = new Set(next.map(({ light, switched }) => JSON.stringify({ light, switched })))
    return next.length === 0
      ? { states, says: reason }
      : { states: [...texts].map((text) => JSON.parse(text)), says: [...texts] }
  }

  const step = fc.oneof(
    fc.record({ action: fc.constant('Switch'), parameters: fc.tuple(fc.constantFrom('off', 'on')) }),
    fc.record({ action: fc.constantFrom('Hit', 'Flicker'), parameters: fc.constant([]) }),
    fc.record({
      action: fc.constant('Count'),
      parameters: fc.tuple(fc.record({ least: fc.integer({ min: 0, max: 3 }) })),
    }),
    // Goes on with the first of the states alone.
    fc.constant({ action: 'keep', parameters: [] }),
  )

  test('is what the functions gave, in whatever order executions come, and whenever it is forgotten', () => {
    const executions = fc.array(fc.array(step, { maxLength: 12 }), { maxLength: 6 })
    fc.assert(
      fc.property(executions, fc.constantFrom(0, 3000, 1_000_000), (ways, maxRememberedBytes) => {
        const model = defineModel(flickering, { maxRememberedBytes })
        for (const way of ways) {
          let now = model.reset()
          let states: readonly Light[] = [{ light: 'off', switched: 0 }]
          for (const { action, parameters } of way) {
            if (action === 'keep') {
              model.keep((now = now.slice(0, 1)))
              states = states.slice(0, 1)
              continue
            }
            const applied = model.apply(action, parameters)
            const expected = worked(states, action, parameters)
            if (applied.enabled) now = applied.states
            // The text of a state has its keys in order.
            expect(applied.enabled ? applied.states.map(({ value }) => JSON.stringify(value)) : applied.reason).toEqual(
              expected.says,
            )
            states = expected.states
          }
        }
      }),
    )
  })
})

describe('a mistake in a model is told with the action', () => {
  const model = defineModel({
    init: { list: [1] },
    actions: {
      Push(state) {
        state.list.push(2)
        return state
      },
      Assign(state) {
        state.list = []
        return state
      },
      Consume(state, message: { body: number[] }) {
        message.body.pop()
        return state
      },
      Throw() {
        throw new Error('not thought of')
      },
      Nothing: (() => undefined) as never,
      Nowhere: () => [],
      Set: () => ({ list: new Set() }) as never,
      Two: (state, _one: number, _two: number) => state,
    },
  })

  test.each([
    ['Push', [], 'Push() changes its arguments: it must return a new state'],
    ['Assign', [], 'Assign() changes its arguments'],
    ['Consume', [{ body: [1] }], 'Consume({"body":[1]}) changes its arguments'],
    ['Throw', [], 'Throw() of the model threw: not thought of'],
    ['Nothing', [], 'Nothing() returned a value of type undefined: an action must return a state'],
    ['Set', [], 'the result of Set() is not plain data: list is a Set'],
    ['Two', [1], 'Two(1): this action of the model takes 2 parameters and got 1'],
    ['Two', [1, Number.NaN], "a parameter of the model's action 'Two' is not plain data: it is NaN"],
    ['Steal', [], "the model has no action 'Steal'; it has Push, Assign"],
  ])('%s', (action, parameters, message) => {
    model.reset()
    expect(() => model.apply(action, parameters)).toThrow(message)
  })

  test('what leads to no state is disabled', () => {
    expect(model.apply('Nowhere', [])).toEqual({ enabled: false, reason: 'it leads to no state' })
  })

  test('a parameter stays as it was, and its owner may go on changing it', () => {
    const message = { body: [1, 2] }
    const keeping = defineModel<{ last: unknown }>({
      init: { last: null },
      actions: { Keep: (_, last) => ({ last }) },
    })
    const applied = keeping.apply('Keep', [message])
    message.body.push(3)
    expect(values(applied)).toEqual([{ last: { body: [1, 2] } }])
  })

  test.each([
    [{ init: {}, actions: {} }, '`actions` must name at least one action'],
    [{ init: [], actions: { A: () => ({}) } }, '`init` must list at least one state'],
    [{ init: 1, actions: { A: () => ({}) } }, '`init` must be a state'],
    [{ init: {}, actions: { A: 1 } }, "action 'A' must be a function of the state and its parameters"],
    [{ init: {}, actions: { A: () => ({}) }, project: 1 }, '`project` must be a function'],
    [{ init: {}, actions: { A: () => ({}) }, invariant: 1 }, '`invariant` must be a function'],
    [
      { init: { at: new Date(0) }, actions: { A: () => ({}) } },
      'an initial state of the model is not plain data: at is a',
    ],
  ])('a definition is refused: %o', (definition, message) => {
    expect(() => defineModel(definition as never)).toThrow(message)
  })

  test('a model that leaves too much open is refused', () => {
    const wide = defineModel({
      init: { at: 0 },
      actions: { Guess: () => Array.from({ length: 1001 }, (_, at) => ({ at })) },
    })
    expect(() => wide.apply('Guess', [])).toThrow('the model may be in 1001 states after Guess(), more than 1000')
  })
})
