// Web Streams over a file, compressed and back; work on chunks side by side loses their order.
import assert from 'node:assert/strict'
import { createReadStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pause, planted } from './planted.ts'

planted('Web Streams: chunks stay in order', async ({ isFixed }) => {
  const text = ['one', 'two', 'three'].map((line) => `${line}\n`).join('')
  await writeFile('input', text)
  const file = Readable.toWeb(createReadStream('input')) as ReadableStream<Uint8Array<ArrayBuffer>>
  const same = file.pipeThrough(new CompressionStream('gzip')).pipeThrough(new DecompressionStream('gzip'))
  const working: Promise<void>[] = []
  let result = ''
  const work = async (line: string) => {
    await pause()
    result += line
  }
  for await (const chunk of same.pipeThrough(new TextDecoderStream())) {
    for (const line of chunk.match(/.+\n/g)!) {
      const done = work(line)
      if (isFixed) await done
      else working.push(done)
    }
  }
  await Promise.all(working)
  assert.equal(result, text)
})
