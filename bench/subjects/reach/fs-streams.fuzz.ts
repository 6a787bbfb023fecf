// fs streams: the copy is read when the write stream has been told to end, before it has finished.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { finished } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { planted } from './planted.ts'

planted('fs streams: a copy is whole', async ({ isFixed }) => {
  const text = 'abcdefghij'.repeat(10_000)
  await writeFile('input', text)
  const copy = createWriteStream('copy')
  const unpacked = createReadStream('input').pipe(createGzip()).pipe(createGunzip())
  unpacked.pipe(copy)
  await (isFixed ? finished(copy) : once(unpacked, 'end'))
  assert.equal((await readFile('copy', 'utf8')).length, text.length)
  await finished(copy)
})
