/** The order of a stat and a read is left open: clean. */
import assert from 'node:assert'
import { readFile, stat } from 'node:fs/promises'
import { test } from 'node:test'

test('reads both', async () => {
  const read = []
  const one = stat(import.meta.filename).then(() => read.push('one'))
  const two = readFile(import.meta.filename).then(() => read.push('two'))
  await Promise.all([one, two])
  assert.deepStrictEqual(read.sort(), ['one', 'two'])
})
