// proper-lockfile: who asks whether there is a lock, and then goes on, has none.
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { check, lock } from 'proper-lockfile'
import { twice } from './http.ts'
import { planted } from './planted.ts'

planted('proper-lockfile: both visits count', async ({ isFixed }) => {
  await writeFile('visits', '0')
  await twice(async () => {
    const release = isFixed ? await lock('visits', { retries: 10 }) : undefined
    if (!isFixed) assert.equal(await check('visits'), false)
    await writeFile('visits', `${Number(await readFile('visits', 'utf8')) + 1}`)
    await release?.()
  })
  assert.equal(await readFile('visits', 'utf8'), '2')
})
