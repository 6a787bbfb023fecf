// connect-pg-simple: two servers start at once on a new database, and make its table (createTableIfMissing). The
// sessions that either stores are read back.
import assert from 'node:assert/strict'
import { promisify } from 'node:util'
import connect from 'connect-pg-simple'
import session from 'express-session'
import { fc, fuzz } from 'norn'

const Store = connect(session)

fuzz(
  'connect-pg-simple: each session that was stored is read back',
  { sessions: fc.array(fc.nat(1), { minLength: 1, maxLength: 4 }) },
  async ({ sessions }) => {
    const stores = [1, 2].map(() => new Store({ createTableIfMissing: true, pruneSessionInterval: false }))
    const set = (at: number, id: string) => promisify(stores[at]!.set.bind(stores[at]))(id, { cookie: {}, id } as never)
    await Promise.all(sessions.map((at, index) => set(at, `${index}`)))
    for (const index of sessions.keys()) {
      const read = await promisify(stores[0]!.get.bind(stores[0]))(`${index}`)
      assert.equal((read as { id?: string } | null)?.id, `${index}`)
    }
    for (const store of stores) await store.close()
  },
)
