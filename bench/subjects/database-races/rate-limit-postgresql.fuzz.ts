// @acpr/rate-limit-postgresql 1.3.2 -> 1.4.1
//
// The race: two servers count a request each, as a window begins. Both find no session of it. The second to make one
// removes that of the first: with what it has counted, or before it counts, which then fails. 1.4.1 looks, makes and
// counts in one function that locks the table of sessions (issue 17).
import assert from 'node:assert/strict'
import { PostgresStoreIndividualIP } from '@acpr/rate-limit-postgresql-buggy'
import { fuzz } from 'norn'

const { hostname: host, port, username: user, pathname } = new URL(process.env.DATABASE_URL!)

fuzz('rate-limit-postgresql: each request is counted', {}, async () => {
  const stores = [1, 2].map(() => {
    const store = new PostgresStoreIndividualIP({ host, port: Number(port), user, database: pathname.slice(1) }, 'api')
    store.init({ windowMs: 60_000 })
    return store
  })
  const counted = await Promise.all(stores.map((store) => store.increment('10.0.0.1')))
  await Promise.all(stores.map(({ pool }) => pool.end()))
  assert.deepEqual(counted.map(({ totalHits }) => totalHits).sort(), [1, 2])
})
