// dataloader: cleared before the write, the cache is filled again with the old value.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import DataLoader from 'dataloader'
import { pause, planted, stored } from './planted.ts'

planted('dataloader: what was written is read', async ({ isFixed }) => {
  const name = stored('old')
  const loader = new DataLoader(async (ids: readonly number[]) => {
    const current = await name.read()
    return ids.map(() => current)
  })
  const rename = async () => {
    if (!isFixed) loader.clear(1)
    await name.write('new')
    if (isFixed) loader.clear(1)
  }
  const visit = async () => {
    await sleep(3)
    await pause()
    await loader.load(1)
  }
  await Promise.all([rename(), visit()])
  assert.equal(await loader.load(1), 'new')
})
