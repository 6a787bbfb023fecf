// nock, called by fetch: a check-then-act in a cache, the rate is fetched once more.
import assert from 'node:assert/strict'
import nock from 'nock'
import { twice } from './http.ts'
import { planted } from './planted.ts'

planted('nock: the rate is fetched once', async ({ isFixed }) => {
  nock('http://bank.example').get('/rate').times(2).delay(4).reply(200, { rate: 3 })
  let fetched = 0
  const fetchRate = async (): Promise<number> => {
    fetched++
    return (await (await fetch('http://bank.example/rate')).json()).rate
  }
  const cache = new Map<string, number | Promise<number>>()
  const rate = async () => {
    const cached = cache.get('rate')
    if (cached !== undefined) return cached
    const fresh = fetchRate()
    cache.set('rate', isFixed ? fresh : await fresh)
    return fresh
  }
  assert.deepEqual(await twice(rate), [3, 3])
  nock.cleanAll()
  nock.restore()
  assert.equal(fetched, 1)
})
