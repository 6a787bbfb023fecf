/** Specifications as objects: TLA+ and TypeScript models have the verdicts of the built-in ones. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { randomFrom, randomHistory } from '../../../history/test/generate/index.ts'
import { checkLinearizable, MODELS, type ModelInput, type ObjectModel, objectOf } from '../../src/history/index.ts'
import { disabled } from '../../src/model/definition.ts'
import { defineModel } from '../../src/model/typescript-model.ts'
import { tlaModel } from '../../src/tla/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'norn-objects-'))
afterAll(() => rmSync(folder, { recursive: true }))

function specification(name: string, text: string): string {
  writeFileSync(join(folder, `${name}.tla`), `---- MODULE ${name} ----\n${text}\n====\n`)
  writeFileSync(join(folder, `${name}.cfg`), 'INIT Init\nNEXT Next\n')
  return join(folder, `${name}.tla`)
}

/** The output is a parameter. -1 stands for a register that was never written. */
const REGISTER = specification(
  'Register',
  `EXTENDS Integers
VARIABLE held
Init == held = -1
Write(v) == held' = v
Read(v) == held = v /\\ UNCHANGED held
Next == \\E v \\in 1..9 : Write(v) \\/ Read(v)`,
)

/** The output is a variable. */
const QUEUE = specification(
  'Queue',
  `EXTENDS Integers, Sequences
VARIABLES items, result
Init == items = <<>> /\\ result = -1
Enqueue(v) == items' = Append(items, v) /\\ UNCHANGED result
Dequeue == /\\ items # <<>>
           /\\ result' = Head(items)
           /\\ items' = Tail(items)
Empty == items = <<>> /\\ result' = -1 /\\ UNCHANGED items
Next == (\\E v \\in 1..9 : Enqueue(v)) \\/ Dequeue \\/ Empty`,
)

const argument = (input: ModelInput) => ('value' in input ? input.value : undefined)

const tlaRegister = objectOf<ModelInput>(tlaModel(REGISTER), {
  action: (input, output, isKnown) => {
    if (input.f === 'write') return { action: 'Write', parameters: [argument(input)] }
    return isKnown ? { action: 'Read', parameters: [output ?? -1] } : []
  },
})

const tlaQueue = objectOf<ModelInput>(tlaModel(QUEUE), {
  action(input) {
    if (input.f === 'enqueue') return { action: 'Enqueue', parameters: [argument(input)] }
    return [{ action: 'Dequeue' }, { action: 'Empty' }]
  },
  output: ({ result }, { f }) => (f === 'enqueue' ? undefined : result === -1 ? null : result),
})

const typescriptStack = objectOf<ModelInput>(
  defineModel({
    init: { items: [] as readonly unknown[] },
    actions: {
      push: ({ items }, value: unknown) => ({ items: [...items, value] }),
      pop: ({ items }, value: unknown) =>
        items.at(-1) === value ? { items: items.slice(0, -1) } : disabled('not on top'),
      popAny: ({ items }) => (items.length > 0 ? { items: items.slice(0, -1) } : disabled('empty')),
      empty: (state) => (state.items.length === 0 ? state : disabled('not empty')),
    },
  }),
  {
    action(input, output, isKnown) {
      if (input.f === 'push') return { action: 'push', parameters: [input.value] }
      if (!isKnown) return { action: 'popAny' }
      return (output ?? null) === null ? { action: 'empty' } : { action: 'pop', parameters: [output] }
    },
  },
)

describe('on random histories', () => {
  const cases: [string, 'register' | 'queue' | 'stack', ObjectModel][] = [
    ['a register in TLA+, whose outputs are parameters', 'register', tlaRegister as ObjectModel],
    ['a queue in TLA+, whose output is a variable', 'queue', tlaQueue as ObjectModel],
    ['a stack in TypeScript', 'stack', typescriptStack as ObjectModel],
  ]
  test.each(cases)('%s has the verdicts of the built-in model', (_, model, object) => {
    const seen = { ok: 0, illegal: 0, unknown: 0 }
    for (let seed = 0; seed < 400; seed++) {
      const random = randomFrom(seed)
      const history = randomHistory(random, { model, operations: 8, processes: 3, values: 3, unknown: 0.2 })
      const { verdict } = checkLinearizable(history, MODELS[model])
      expect({ seed, verdict: checkLinearizable(history, object).verdict }).toEqual({ seed, verdict })
      seen[verdict]++
    }
    expect(Math.min(seen.ok, seen.illegal)).toBeGreaterThan(40)
  })
})

test('each object of a partition begins in the initial state', () => {
  const registers = objectOf<{ key: string; write?: number }>(tlaModel(REGISTER), {
    action: ({ write }, output) =>
      write === undefined ? { action: 'Read', parameters: [output] } : { action: 'Write', parameters: [write] },
    partition: ({ key }) => key,
  })
  const at = (call: number) => ({ process: 0, outcome: 'ok', call, return: call + 0.5 }) as const
  const written = { input: { key: 'a', write: 1 }, output: undefined, ...at(0) }
  const verdict = (key: string, output: number) =>
    checkLinearizable({ operations: [written, { input: { key }, output, ...at(1) }] }, registers).verdict
  expect([verdict('a', 1), verdict('a', -1), verdict('b', -1)]).toEqual(['ok', 'illegal', 'ok'])
})

test('an unknown action is an error, not an illegal history', () => {
  const object = objectOf(tlaModel(REGISTER), { action: () => ({ action: 'Wipe' }) })
  const operation = { process: 0, input: {}, output: 1, outcome: 'ok', call: 0, return: 1 } as const
  expect(() => checkLinearizable({ operations: [operation] }, object)).toThrow('Wipe')
})

test('needs a model that goes from any state to any other', () => {
  const model = { actions: [], reset: () => [], apply: () => ({ enabled: false, reason: '' }) as const, keep: () => {} }
  expect(() => objectOf(model, { action: () => [] })).toThrow('model must be one of tlaModel or defineModel')
})
