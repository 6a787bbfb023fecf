// msgpackr, whose native addon norn does not load: it unpacks in JavaScript. A lost update of a packed file.
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pack, unpack } from 'msgpackr'
import { planted } from './planted.ts'

planted('msgpackr: both visits count', async ({ inTurn }) => {
  const path = join(tmpdir(), 'visits.msgpack')
  await writeFile(path, pack({ visits: 0 }))
  const visit = () =>
    inTurn(async () => {
      const { visits } = unpack(await readFile(path)) as { visits: number }
      await writeFile(path, pack({ visits: visits + 1 }))
    })
  await Promise.all([visit(), visit()])
  assert.deepEqual(unpack(await readFile(path)), { visits: 2 })
})
