// rotating-file-stream 3.1.0 -> 3.1.1
//
// The race: chunks that were buffered are written one after the other by `rewrite`, which looks once, before the first,
// whether a rotation is under way. If the interval's timer fires while a chunk is being written, the rotation deletes
// `this.file`, and the next chunk's `this.file.write` is a TypeError that destroys the stream. 3.1.1 looks before each
// chunk.
//
// Zero input: three chunks (the first is written alone, so the least with a batch of two), begun 2
// ms before the interval ends. Under the default schedule the six chunks of the longest input take a third of
// a millisecond, so no input meets the timer; one write that is delayed enough does.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fc, fuzz } from 'norn'
import { createStream } from 'rotating-file-stream-buggy'

// A rotation takes some ten operations, up to 400 ms of latency: intervals of 5 s keep two of them well apart.
const interval_ms = 5_000
const apart_ms = 2_500

fuzz(
  'rotating-file-stream: every chunk survives a rotation',
  { chunks: fc.integer({ min: 3, max: 6 }), lead_ms: fc.integer({ min: 2, max: 20 }) },
  async ({ chunks, lead_ms }) => {
    const directory = await mkdtemp(join(tmpdir(), 'norn-'))
    const stream = createStream('app.log', { path: directory, interval: `${interval_ms / 1000}s` })
    let failure: Error | undefined
    stream.on('error', (error: Error) => {
      failure ??= error
    })
    await once(stream, 'open')

    const now_ms = Date.now()
    const boundary_ms = Math.ceil((now_ms + apart_ms) / interval_ms) * interval_ms
    await sleep(boundary_ms - lead_ms - now_ms)
    for (let index = 0; index < chunks; index++) stream.write(`chunk ${index}\n`)
    await sleep(apart_ms)
    assert.equal(failure, undefined, `the stream died of a rotation between two chunks: ${failure?.message}`)
    stream.end()
    await once(stream, 'close')

    const names = await readdir(directory)
    const rotated = names.filter((name) => name !== 'app.log').sort()
    let written = ''
    for (const name of [...rotated, 'app.log']) written += await readFile(join(directory, name), 'utf8')
    const expected = Array.from({ length: chunks }, (_, index) => `chunk ${index}\n`).join('')
    assert.equal(written, expected, 'the files together do not hold every chunk once and in order')
  },
)
