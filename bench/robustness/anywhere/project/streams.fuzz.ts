import { createReadStream, createWriteStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { fuzz } from 'norn'

fuzz('streams', {}, async () => {
  const order: string[] = []
  await writeFile('long', 'x'.repeat(100_000))
  await writeFile('short', 'x')
  const pack = async (name: string) => {
    await pipeline(createReadStream(name), createGzip(), createWriteStream(`${name}.gz`))
    order.push(name)
  }
  await Promise.all([pack('long'), pack('short')])
  if (order[0] === 'long') throw new Error(`packed ${order}`)
})
