import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { fc, fuzz } from 'norn'

fuzz('files', { amounts: fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 3 }) }, async ({ amounts }) => {
  await writeFile('balance', '0')
  await Promise.all(
    amounts.map(async (amount) => writeFile('balance', `${Number(await readFile('balance', 'utf8')) + amount}`)),
  )
  const sum = amounts.reduce((total, amount) => total + amount, 0)
  assert.equal(Number(await readFile('balance', 'utf8')), sum)
})
