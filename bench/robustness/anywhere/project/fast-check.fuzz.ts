import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'

test('fast-check', () =>
  fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.array(fc.string(), { minLength: 2, maxLength: 4 }), async (s, texts) => {
      const order: string[] = []
      for (const text of texts) void s.schedule(Promise.resolve(text), 'text').then((each) => order.push(each))
      await s.waitAll()
      assert.deepEqual(order, texts)
    }),
  ))
