// streamroller: every line is in one of the files, once and in order.
import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fc, fuzz } from 'norn'
import streamroller from 'streamroller'

const line = fc.record({ gap: fc.integer({ min: 0, max: 3 }), size: fc.integer({ min: 1, max: 30 }) })

fuzz(
  'streamroller: no line is lost over a roll',
  { lines: fc.array(line, { maxLength: 8 }), compress: fc.boolean() },
  async ({ lines, compress }) => {
    const directory = await mkdtemp(join(tmpdir(), 'streamroller-'))
    const stream = new streamroller.RollingFileStream(join(directory, 'log'), 30, 100, {
      compress: false,
      keepFileExt: compress,
    })
    let expected = ''
    for (const [index, { gap, size }] of lines.entries()) {
      if (gap > 0) await sleep(gap)
      const text = `${index}${'x'.repeat(size)}\n`
      expected += text
      stream.write(text)
    }
    await new Promise<void>((done) => stream.end(() => done()))
    const names = (await readdir(directory)).sort((a, b) => Number(b.split('.')[1] ?? 0) - Number(a.split('.')[1] ?? 0))
    const texts = await Promise.all(names.map((name) => readFile(join(directory, name), 'utf8')))
    assert.equal(texts.join(''), expected)
  },
)
