import { describe, expect, test } from 'vitest'
import { type HandMade, handMade } from '../../../tla/test/follow/hand-made.ts'
import { machineOf } from '../../../tla/test/specification.ts'
import { BrokenInvariant, Disabled } from '../../src/model/definition.ts'
import { Identities } from '../../src/model/identities.ts'
import { MemoizedModel, type ModelOptions } from '../../src/model/memoized-model.ts'
import type { Applied } from '../../src/model/model.ts'
import { SharedMachine } from '../../src/tla/shared-machine.ts'
import { TlaKind } from '../../src/tla/tla-kind.ts'

type Light = { readonly light: string; readonly switched: number }

/** A light: off, on, or broken; nobody knows beforehand whether it survives being hit. */
const LIGHT: HandMade = {
  initial: [{ light: 'off', switched: 0 }],
  modelValues: ['on', 'off', 'broken'],
  actions: {
    Switch: {
      parameters: ['to'],
      step: (state, to: string) => {
        const { light, switched } = state as Light
        if (light === 'broken') return 'light # broken'
        return light === to ? 'light # to' : [{ light: to, switched: switched + 1 }]
      },
    },
    Hit: { parameters: [], step: (state) => [state, { ...state, light: 'broken' }, state] },
  },
}

interface Options extends ModelOptions {
  readonly project?: string
}

function model(made: HandMade, options: Options = {}) {
  const identities = options.identities ?? new Identities()
  return new MemoizedModel(new TlaKind(new SharedMachine(handMade(made)), { identities, ...options }), {
    ...options,
    identities,
  })
}

const values = (applied: Applied) => (applied.enabled ? applied.states.map(({ value }) => value) : applied.reason)
const ids = (applied: Applied) => (applied.enabled ? applied.states.map(({ id }) => id) : [])

describe('a specification as a model', () => {
  test('begins in its initial state and follows actions with their parameters', () => {
    const light = model(LIGHT)
    expect(light.actions).toEqual(['Switch', 'Hit'])
    expect(light.reset().map(({ value }) => value)).toEqual([{ light: 'off', switched: 0 }])
    expect(values(light.apply('Switch', ['on']))).toEqual([{ light: 'on', switched: 1 }])
  })

  test('evaluates an expression in each state that it is given in', () => {
    const machine = machineOf(
      "EXTENDS Naturals\nVARIABLE x\nInit == x = 0\nSet(n) == x' = n\nNext == \\E n \\in Nat : Set(n)",
    )
    const kind = new TlaKind(new SharedMachine(machine), { identities: new Identities() })
    const more = { $tla: 'x + 1' }
    let [state] = kind.begin()
    for (const x of [1, 2, 3]) {
      const next = kind.perform(state!, 'Set', [more])
      if (next instanceof Disabled) throw new Error(next.reason)
      expect(next.map(({ value }) => value)).toEqual([{ x }])
      state = next[0]
    }
  })

  test('begins by itself if nobody resets it', () => {
    expect(values(model(LIGHT).apply('Switch', ['on']))).toEqual([{ light: 'on', switched: 1 }])
  })

  test('says which conjunct was false, and stays where it is', () => {
    const light = model(LIGHT)
    light.reset()
    expect(light.apply('Switch', ['off'])).toEqual({
      enabled: false,
      reason: 'light # to is false (Hand.tla:1:1)',
    })
    expect(values(light.apply('Switch', ['on']))).toEqual([{ light: 'on', switched: 1 }])
  })

  test('follows all successors, equal ones once, and gives up those in which the next action is disabled', () => {
    const light = model(LIGHT)
    light.reset()
    expect(values(light.apply('Hit', []))).toEqual([
      { light: 'off', switched: 0 },
      { light: 'broken', switched: 0 },
    ])
    expect(values(light.apply('Switch', ['on']))).toEqual([{ light: 'on', switched: 1 }])
  })

  test('tells equal states by one identity, and what plain data would mix up by two', () => {
    const either: HandMade = {
      initial: [{ x: [] }],
      actions: {
        Set: { parameters: ['x'], step: (_, x: unknown) => [{ x: x === 'set' ? { $set: [] } : [] }] },
      },
    }
    const it = model(either)
    const [first] = it.reset()
    const [set] = ids(it.apply('Set', ['set']))
    const [tuple] = ids(it.apply('Set', ['tuple']))
    expect(tuple).toBe(first!.id)
    expect(set).not.toBe(first!.id)
    expect(it.hash(set!)).not.toBe(it.hash(tuple!))
  })

  test('counts by the projection, or by the view of the configuration', () => {
    const projected = model(LIGHT, { project: 'light' })
    const [first] = projected.reset()
    projected.apply('Switch', ['on'])
    expect(ids(projected.apply('Switch', ['off']))).toEqual([first!.id])
    const viewed = model({ ...LIGHT, view: ({ light }) => light })
    const [begun] = viewed.reset()
    viewed.apply('Switch', ['on'])
    expect(ids(viewed.apply('Switch', ['off']))).toEqual([begun!.id])
  })

  test('holds the invariants in every state that is reached', () => {
    const once = model({ ...LIGHT, invariants: { Seldom: ({ switched }) => (switched as number) < 2 } })
    once.reset()
    once.apply('Switch', ['on'])
    expect(() => once.apply('Switch', ['off'])).toThrow(BrokenInvariant)
    expect(() => once.apply('Switch', ['off'])).toThrow(
      'the model\'s invariant is broken after Switch("off"): Seldom: body of Seldom is false (Hand.tla:1:1)',
    )
  })

  test('refuses an action that there is not, and a wrong number of parameters', () => {
    const light = model(LIGHT)
    expect(() => light.apply('Swich', ['on'])).toThrow(
      "the specification has no action 'Swich'; did you mean 'Switch'?",
    )
    expect(() => light.apply('Explode', [])).toThrow("has no action 'Explode'; it has Switch, Hit")
    expect(() => light.apply('Switch', [])).toThrow('the action Switch takes 1 (to), but 0 given')
    expect(() => light.apply('Switch', [null])).toThrow('parameter to of Switch: expected a value, found null')
  })

  test('goes on where it was after it has forgotten what it had worked out', () => {
    const light = model(LIGHT, { maxRememberedBytes: 1 })
    light.reset()
    const hit = light.apply('Hit', [])
    if (!hit.enabled) throw new Error(hit.reason)
    expect(values(light.apply('Switch', ['on']))).toEqual([{ light: 'on', switched: 1 }])
    expect(values(light.apply('Switch', ['off']))).toEqual([{ light: 'off', switched: 2 }])
    const [, broken] = (light.apply('Hit', []) as typeof hit).states
    light.keep([broken!])
    expect(light.apply('Switch', ['on'])).toMatchObject({ enabled: false })
    expect(light.reset().map(({ value }) => value)).toEqual([{ light: 'off', switched: 0 }])
  })

  test('refuses to follow more states than a person meant', () => {
    const many = model({
      initial: [{ x: 0 }],
      actions: { Any: { parameters: [], step: () => Array.from({ length: 1001 }, (_, x) => ({ x })) } },
    })
    expect(() => many.apply('Any', [])).toThrow('leaves more than 1000 states open after Any()')
  })
})
