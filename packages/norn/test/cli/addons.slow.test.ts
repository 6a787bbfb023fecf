/** A package whose native addon has a fallback in JavaScript, as `ssh2` has. */
import { afterEach, expect, it } from 'vitest'
import { project } from './project.ts'

const FILES = {
  'fast.node': '',
  'add.cjs': `let add
try {
  add = require('./fast.node').add
} catch (error) {
  add = (a, b) => a + b
  exports.why = error.code
}
exports.add = add
`,
  'add.fuzz.ts': `import assert from 'node:assert/strict'
import { fuzz } from 'norn'
import { add, why } from './add.cjs'

fuzz('adds', {}, () => {
  assert.deepEqual([add(1, 2), why], [3, 'ERR_DLOPEN_DISABLED'])
})
`,
}

afterEach(() => {
  delete process.env.NODE_OPTIONS
})

it('is inconclusive by name, and says what to do', async () => {
  const { status, stderr } = await project(FILES).call('fuzz', 'add.fuzz.ts', '--runs', '5')
  expect([status, stderr]).toEqual([
    3,
    expect.stringMatching(/native addon .*fast\.node; with NODE_OPTIONS=--no-addons/),
  ])
})

it('runs without the addon where Node is told so', async () => {
  process.env.NODE_OPTIONS = '--no-addons'
  const { status, stdout } = await project(FILES).call('fuzz', 'add.fuzz.ts', '--runs', '5')
  expect([status, stdout]).toEqual([0, expect.stringContaining('5 executions')])
})
