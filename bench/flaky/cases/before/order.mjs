/** That a stat ends before a longer read is assumed: flaky. */
import assert from 'node:assert'
import { readFile, stat } from 'node:fs/promises'
import { test } from 'node:test'

test('asks before it has read', async () => {
  const read = []
  const one = stat(import.meta.filename).then(() => read.push('one'))
  const two = readFile(import.meta.filename).then(() => read.push('two'))
  await Promise.all([one, two])
  assert.deepStrictEqual(read, ['one', 'two'])
})
