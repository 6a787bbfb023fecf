import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { fuzz, withoutFaults } from 'norn'

fuzz(
  'faults',
  {},
  async () => {
    await withoutFaults(() => writeFile('state', 'old state'))
    await writeFile('state', 'new state').catch(() => {})
    const text = await withoutFaults(() => readFile('state', 'utf8'))
    assert.ok(['old state', 'new state'].includes(text), `torn: '${text}'`)
  },
  { faults: { fs: 1 } },
)
