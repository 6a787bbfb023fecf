import { expect, test } from 'vitest'
import { conforming } from '../../src/cluster/conformance.ts'
import type { ModelBinding } from '../../src/cluster/definition.ts'
import { defineModel } from '../../src/model/typescript-model.ts'

const agree = { implementation: () => 1, model: () => 2 }
const binding = (more: Partial<ModelBinding>): ModelBinding => ({
  model: defineModel({ init: {}, actions: { Tick: (state) => state } }),
  actions: () => undefined,
  ...more,
})

test('where the call requires conformance, each divergence is a failure, whatever the cluster says', () => {
  const lenient = binding({ disabled: 'ignore', agree: { ...agree, differences: 'ignore' } })
  expect(conforming(lenient)).toEqual({ ...lenient, disabled: 'fail', agree: { ...agree, differences: 'fail' } })
  expect(conforming(binding({}))).toMatchObject({ disabled: 'fail' })
  expect(conforming(binding({}))).not.toHaveProperty('agree')
})
