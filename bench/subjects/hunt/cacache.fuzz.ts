// cacache, "lockless, high-concurrency cache access": what was put is there, whatever else is put,
// removed or verified.
import assert from 'node:assert/strict'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import cacache from 'cacache'
import { fc, fuzz } from 'norn'
import { pause } from './pause.ts'

const other = fc.record({
  after: fc.integer({ min: 0, max: 6 }),
  kind: fc.constantFrom('put same', 'put other', 'remove other', 'get'),
})

fuzz(
  'cacache: what was put is there',
  { others: fc.array(other, { maxLength: 3 }), puts: fc.integer({ min: 1, max: 2 }) },
  async ({ others, puts }) => {
    const cache = await mkdtemp(join(tmpdir(), 'cacache-'))
    const pending = others.map(async ({ after, kind }, index) => {
      await pause(after)
      if (kind === 'put same') await cacache.put(cache, `same ${index}`, 'content')
      else if (kind === 'put other') await cacache.put(cache, 'other', `content ${index}`)
      else if (kind === 'remove other') await cacache.rm.entry(cache, 'other')
      else await cacache.get(cache, 'key').catch((error: { code: string }) => assert.equal(error.code, 'ENOENT'))
    })
    await Promise.all(Array.from({ length: puts }, () => cacache.put(cache, 'key', 'content')))
    assert.equal((await cacache.get(cache, 'key')).data.toString(), 'content')
    await Promise.all(pending)
    assert.equal((await cacache.get(cache, 'key')).data.toString(), 'content')
  },
)

fuzz('cacache: verify() keeps what is put meanwhile', { after: fc.integer({ min: 0, max: 10 }) }, async ({ after }) => {
  const cache = await mkdtemp(join(tmpdir(), 'cacache-'))
  await cacache.put(cache, 'first', 'first')
  const verified = cacache.verify(cache)
  await pause(after)
  await cacache.put(cache, 'key', 'content')
  await verified
  assert.equal((await cacache.get(cache, 'key')).data.toString(), 'content')
})
