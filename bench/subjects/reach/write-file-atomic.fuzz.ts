// write-file-atomic: every write is whole, but two updates may start from one content.
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import writeFileAtomic from 'write-file-atomic'
import { twice } from './http.ts'
import { planted } from './planted.ts'

planted('write-file-atomic: both visits count', async ({ inTurn }) => {
  await writeFile('visits', '0')
  const visit = async () => writeFileAtomic('visits', `${Number(await readFile('visits', 'utf8')) + 1}`)
  await twice(() => inTurn(visit))
  assert.equal(await readFile('visits', 'utf8'), '2')
})
