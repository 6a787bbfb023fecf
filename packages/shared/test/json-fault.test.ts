import { expect, test } from 'vitest'
import { jsonFault } from '../src/json-fault.ts'

test.each([
  'root:x:0:0:root',
  '{"a": SECRET=hunter2 }',
  '[1, hunter2',
  '{"a" hunter2}',
  '"hunter2',
  '{"a":1} hunter2',
  'h',
])('what JSON.parse refuses is not quoted: %s', (text) => {
  const fault = faultOf(text)
  expect(fault).not.toMatch(/root|SECRET|hunter|h'/)
  expect(fault).not.toBe('')
})

function faultOf(text: string): string {
  try {
    JSON.parse(text)
  } catch (error) {
    return jsonFault(error)
  }
  throw new Error('it is JSON')
}
