// lru-cache: a check-then-act around the cache loads twice; its own fetch does not.
import assert from 'node:assert/strict'
import { LRUCache } from 'lru-cache'
import { twice } from './http.ts'
import { pause, planted } from './planted.ts'

planted('lru-cache: a page is loaded once', async ({ isFixed }) => {
  let loads = 0
  const load = async (page: string) => {
    loads++
    await pause()
    return `text of ${page}`
  }
  const cache = new LRUCache<string, string>({ max: 10, fetchMethod: load })
  const read = async (page: string) => {
    if (isFixed) return cache.fetch(page)
    if (!cache.has(page)) cache.set(page, await load(page))
    return cache.get(page)
  }
  assert.deepEqual(await twice(() => read('home')), ['text of home', 'text of home'])
  assert.equal(loads, 1)
})
