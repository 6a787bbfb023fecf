// level, a native addon: a lost update between get and put.
import assert from 'node:assert/strict'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Level } from 'level'
import { twice } from './http.ts'
import { planted } from './planted.ts'

planted('level: both visits count', async ({ inTurn }) => {
  const db = new Level(await mkdtemp(join(tmpdir(), 'level-')))
  await db.put('visits', '0')
  await twice(() => inTurn(async () => db.put('visits', `${Number(await db.get('visits')) + 1}`)))
  assert.equal(await db.get('visits'), '2')
  await db.close()
})
