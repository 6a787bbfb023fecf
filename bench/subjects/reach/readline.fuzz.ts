// readline: lines that come before somebody listens are lost.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { pause, planted } from './planted.ts'

planted('readline: every line is read', async ({ isFixed }) => {
  await writeFile('input', 'one\ntwo\nthree\n')
  const lines = createInterface({ input: createReadStream('input') })
  const closed = once(lines, 'close')
  if (!isFixed) await pause()
  const read: string[] = []
  lines.on('line', (line) => read.push(line))
  await closed
  assert.deepEqual(read, ['one', 'two', 'three'])
})
