/** An operation of another model is a mistake in the test, not a violation, nor one of this model. */
import { describe, expect, test } from 'vitest'
import { checkLinearizable, LinearizabilityMonitor, MODELS, ModelError, type ModelName } from '../../src/index.ts'

const WRONG: readonly (readonly [ModelName, input: unknown, message: string])[] = [
  ['register', { f: 'put', value: 1 }, '{"f":"put","value":1} is not an operation of the model register: expected f '],
  ['register', { f: 'cas', from: 1, to: 2 }, 'expected f to be read, write'],
  ['cas-register', { f: 'get' }, 'expected f to be read, write, cas'],
  ['counter', { f: 'increment' }, 'expected f to be read, add'],
  ['counter', { f: 'add', value: '1' }, '{"f":"add","value":"1"}: expected a number as the value in the model counter'],
  ['set', { f: 'insert', value: 1 }, 'expected f to be read, add, remove'],
  ['queue', { f: 'pop' }, 'expected f to be enqueue, dequeue'],
  ['stack', { f: 'dequeue' }, 'expected f to be push, pop'],
  ['kv', [['r', 'x', null]], 'expected f to be get, put, append'],
  ['mutex', { f: 'lock' }, 'expected f to be acquire, release'],
]

describe.each(WRONG)('model %s, input %j', (name, input, message) => {
  const operation = { process: 0, input, output: undefined, outcome: 'ok', call: 0, return: 1 } as const

  test.each(['linearizable', 'sequential'] as const)('is refused: %s', (consistency) => {
    const check = () => checkLinearizable({ operations: [operation] }, MODELS[name], { consistency })
    expect(check).toThrow(ModelError)
    expect(check).toThrow(message)
  })

  test('is refused when it is called', () => {
    expect(() => new LinearizabilityMonitor(MODELS[name]).call('a', 0, input)).toThrow(message)
  })
})
