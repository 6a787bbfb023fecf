// lowdb: two users of one file, each of which reads, changes and writes.
import assert from 'node:assert/strict'
import { JSONFilePreset } from 'lowdb/node'
import { twice } from './http.ts'
import { planted } from './planted.ts'

planted('lowdb: both posts are kept', async ({ inTurn }) => {
  const open = () => JSONFilePreset<{ posts: number[] }>('db.json', { posts: [] })
  await (await open()).write()
  await twice((post) =>
    inTurn(async () => {
      const db = await open()
      db.data.posts.push(post)
      await db.write()
    }),
  )
  assert.deepEqual((await open()).data.posts.sort(), [1, 2])
})
